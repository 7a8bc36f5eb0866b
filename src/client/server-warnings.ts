import type { Logger } from '../base/logger.js';
import type { ResponseHead } from './http/response-head.js';

/** RFC 7234, 5.5: code, agent and quoted text. The API server uses code 299. */
const WARNING = /\b299 [^ ]+ "((?:[^"\\]|\\.)*)"/g;
/** Most texts that are remembered. Some contain names of fields, so there may be many. */
const MOST_TEXTS = 1000;

/**
 * Logs the warnings of the API server, which it sends as `Warning` headers: unknown fields that it dropped, deprecated
 * versions, and settings without effect.
 *
 * Guarantees: each text is logged once, until 1000 other texts have been logged. Never throws.
 */
export class ServerWarnings {
  /** In the order of their first use. */
  private readonly logged = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** Logs the warnings of a response to a request of this method and path. */
  log(head: ResponseHead, request: { readonly method: string; readonly path: string }): void {
    const header = head.header('warning');
    if (header === undefined) return;
    for (const [, quoted = ''] of header.matchAll(WARNING)) {
      const text = quoted.replace(/\\(.)/g, '$1');
      if (text === '' || this.logged.has(text)) continue;
      this.remember(text);
      this.logger.warn(`Warning of the API server: ${text}`, { method: request.method, path: request.path });
    }
  }

  private remember(text: string): void {
    const [oldest] = this.logged;
    if (this.logged.size >= MOST_TEXTS && oldest !== undefined) this.logged.delete(oldest);
    this.logged.add(text);
  }
}
