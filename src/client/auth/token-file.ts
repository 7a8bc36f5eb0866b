import { readFileSync } from 'node:fs';
import type { Clock } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Secret } from '../secret.js';
import { bearer } from './bearer.js';
import type { Credentials } from './credentials.js';

/** ServiceAccount tokens are rotated at 80 % of their lifetime, which is at least ten minutes. */
const MAX_AGE_MS = 60_000;

/** A token in a file that another program updates. An empty or unreadable file does not replace the last token. */
export class TokenFile implements Credentials {
  #header: string | undefined;
  private readAtMs = Number.NEGATIVE_INFINITY;

  /** @param fallback the token until the file can be read */
  constructor(
    private readonly file: string,
    private readonly clock: Clock,
    private readonly fallback?: Secret,
  ) {}

  authorization(): string {
    if (this.#header === undefined || this.clock.monotonic() - this.readAtMs >= MAX_AGE_MS) this.read();
    if (this.#header !== undefined) return this.#header;
    if (this.fallback) return bearer(this.fallback.reveal(), 'token');
    throw new OperatorError(`${this.file}: the token file is missing, unreadable or empty`, {
      code: 'E_TOKEN',
      hint: 'write a token to the file, or correct tokenFile in the kubeconfig',
    });
  }

  clientCertificate(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  reject(authorization: string | undefined): boolean {
    if (this.#header === authorization) this.read();
    return this.#header !== authorization;
  }

  private read(): void {
    this.readAtMs = this.clock.monotonic();
    const token = readOrEmpty(this.file);
    if (token !== '') this.#header = bearer(token, this.file);
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
