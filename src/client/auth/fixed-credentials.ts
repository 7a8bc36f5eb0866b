import type { Secret } from '../secret.js';
import type { Credentials } from './credentials.js';

/** A header that never changes, or none. */
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
