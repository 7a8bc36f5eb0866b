import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { objectAt, stringAt, type ApiObject } from '../objects/api-object.js';

interface PemBlock {
  readonly type: string;
  readonly der: Buffer;
}

const BLOCK = /-----BEGIN ([^\n]*?)-----\r?\n((?:[^\n]*: [^\n]*\n)*)([A-Za-z0-9+/=\s]*?)-----END \1-----/g;
const KEY = /(^| )PRIVATE KEY$/;
const KEY_TYPES = ['rsa', 'ec', 'ed25519'];

/** Returns a warning if key and certificate of a kubernetes.io/tls Secret do not match: tls.X509KeyPair of Go. */
export function secretWarnings(secret: ApiObject): string[] {
  if (secret.type !== 'kubernetes.io/tls') return [];
  const data = objectAt(secret, 'data');
  const [certificates, keys] = ['tls.crt', 'tls.key'].map((name) =>
    pemBlocks(Buffer.from(stringAt(data, name), 'base64').toString('latin1')),
  ) as [PemBlock[], PemBlock[]];
  const problem = pairProblem(certificates, keys);
  return problem === undefined ? [] : [problem];
}

function pairProblem(certificates: readonly PemBlock[], keys: readonly PemBlock[]): string | undefined {
  const certificate = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (!certificate) return noCertificate(certificates.map(({ type }) => type));
  const key = keys.find(({ type }) => KEY.test(type));
  if (!key) return noKey(keys.map(({ type }) => type));
  const parsed = parseCertificate(certificate.der);
  if (!parsed) return 'x509: malformed certificate';
  const parsedKey = parseKey(key.der);
  if (!parsedKey) return 'tls: failed to parse private key';
  const type = parsed.publicKey.asymmetricKeyType ?? '';
  if (!KEY_TYPES.includes(type)) return 'tls: unknown public key algorithm';
  if (type !== parsedKey.asymmetricKeyType) return 'tls: private key type does not match public key type';
  return parsed.checkPrivateKey(parsedKey) ? undefined : 'tls: private key does not match public key';
}

function noCertificate(types: readonly string[]): string {
  const [first = ''] = types;
  if (types.length === 0) return 'tls: failed to find any PEM data in certificate input';
  return types.length === 1 && first.endsWith('PRIVATE KEY')
    ? 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
    : `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function noKey(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in key input';
  return types.length === 1 && types[0] === 'CERTIFICATE'
    ? 'tls: found a certificate rather than a key in the PEM for the private key'
    : `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function pemBlocks(text: string): PemBlock[] {
  return Array.from(text.matchAll(BLOCK), ([, type = '', , body = '']) => ({ type, der: Buffer.from(body, 'base64') }));
}

function parseCertificate(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

function parseKey(der: Buffer): KeyObject | undefined {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: der, format: 'der', type });
    } catch {
      // Try the next format.
    }
  }
  return undefined;
}
