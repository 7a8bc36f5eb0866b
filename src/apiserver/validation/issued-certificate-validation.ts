import { goQuoted } from '../../base/go-quoted.js';
import { X509Certificate } from 'node:crypto';
import { invalidValue, type FieldError } from '../../api/field-error.js';

const FIELD = 'status.certificate';
const BLOCK = /-----BEGIN ([^-\n]+)-----\r?\n([\s\S]*?)-----END \1-----/g;

/** Problems of the certificates, in base64, that a signer hands back. */
export function validateIssuedCertificate(certificate: string): FieldError[] {
  const problem = certificate === '' ? undefined : pemProblem(Buffer.from(certificate, 'base64').toString());
  return problem === undefined ? [] : [invalidValue(FIELD, '<certificate data>', problem)];
}

function pemProblem(text: string): string | undefined {
  const blocks = [...text.matchAll(BLOCK)];
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  for (const [block, type = '', body = ''] of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuoted(type)}`;
    if (body.includes(':')) return 'no PEM block headers are permitted';
    if (!isCertificate(block)) return 'x509: malformed certificate';
  }
  return undefined;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
