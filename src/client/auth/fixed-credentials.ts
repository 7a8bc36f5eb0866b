import type { Secret } from '../secret.js';
import type { Credentials } from './credentials.js';

/** A constant Authorization header, or no header. */
export class FixedCredentials implements Credentials {
  constructor(private readonly header?: Secret) {}

  authorization(): string | undefined {
    return this.header?.reveal();
  }

  clientCertificate(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  reject(): boolean {
    return false;
  }
}
