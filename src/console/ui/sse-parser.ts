/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/**
 * Decodes server-sent events from chunks of text that may end anywhere.
 *
 * Comments are ignored; they only show that the server is alive. `EventSource` cannot be used: it sends no Authorization
 * header and hides the status of the response.
 */
export class SseParser {
  private rest = '';
  private id = '';
  private type = '';
  private data: string[] = [];

  /** The id of the last complete block, also of one without data. */
  lastId = '';

  /** Returns the events that the chunk completes. */
  push(chunk: string): ServerEvent[] {
    const text = this.rest + chunk;
    // A CR at the end may be the first half of CRLF.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\n|\r/);
    this.rest = (lines.pop() ?? '') + text.slice(end);
    return lines.flatMap((line) => this.line(line));
  }

  private line(line: string): ServerEvent[] {
    if (line === '') return this.dispatch();
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'id') this.id = value;
    if (name === 'event') this.type = value;
    if (name === 'data') this.data.push(value);
    return [];
  }

  private dispatch(): ServerEvent[] {
    this.lastId = this.id;
    const event = { id: this.id, type: this.type || 'message', data: this.data.join('\n') };
    const isEmpty = this.data.length === 0;
    this.type = '';
    this.data = [];
    return isEmpty ? [] : [event];
  }
}
