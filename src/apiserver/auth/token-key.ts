import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeAtomically } from '../../base/write-atomically.js';
import type { JsonObject } from '../objects/api-object.js';

const ENCODING = 'ieee-p1363'; // RFC 7518 requires this encoding; X.509 uses DER

/** The key that signs service account tokens (ES256). It is generated or read from its file on first use. */
export class TokenKey {
  readonly algorithm = 'ES256';
  private loaded: { readonly id: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined;

  constructor(private readonly file: string | undefined) {}

  get id(): string {
    return this.keys.id;
  }

  sign(text: string): string {
    return sign('sha256', Buffer.from(text), { key: this.keys.privateKey, dsaEncoding: ENCODING }).toString(
      'base64url',
    );
  }

  isGenuine(text: string, signature: string): boolean {
    const key = { key: this.keys.publicKey, dsaEncoding: ENCODING } as const;
    return verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  }

  /** The public key for verifying tokens. */
  get jwk(): JsonObject {
    const { kty, crv, x, y } = this.keys.publicKey.export({ format: 'jwk' });
    return { use: 'sig', kty, kid: this.id, crv, alg: this.algorithm, x, y };
  }

  private get keys() {
    return (this.loaded ??= pairOf(this.read() ?? this.make()));
  }

  private read(): KeyObject | undefined {
    return this.file !== undefined && existsSync(this.file) ? createPrivateKey(readFileSync(this.file)) : undefined;
  }

  private make(): KeyObject {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    if (this.file !== undefined) writeAtomically(this.file, privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600);
    return privateKey;
  }
}

function pairOf(privateKey: KeyObject) {
  const publicKey = createPublicKey(privateKey);
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { id, privateKey, publicKey };
}
