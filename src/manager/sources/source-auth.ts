import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { OperatorError } from '../../base/operator-error.js';
import { decodeText } from '../../base/read-text.js';
import type { SecretText, SourceAuth } from '../../resource/decorators/source.js';

type HmacAuth = Extract<SourceAuth, { readonly hmac: SecretText }>;

const SIGNATURE_HEADER = 'x-hub-signature-256';

/** Returns true if a request is authentic. The body is needed for a signature only. */
export async function isAuthentic(auth: SourceAuth, headers: IncomingHttpHeaders, body: Buffer): Promise<boolean> {
  if ('bearer' in auth) {
    const token = /^Bearer +(?<token>\S+)$/i.exec(headers.authorization ?? '')?.groups?.['token'];
    return token !== undefined && isEqual(token, await secretText(auth.bearer));
  }
  const given = signatureOf(auth, headers);
  if (given === undefined) return false;
  const expected = createHmac('sha256', await secretText(auth.hmac))
    .update(body)
    .digest('hex');
  return isEqual(given, expected);
}

/** Returns the HMAC signature of a request in lower case; undefined if it is missing or malformed. */
export function signatureOf({ header = SIGNATURE_HEADER }: HmacAuth, headers: IncomingHttpHeaders): string | undefined {
  const given = headers[header.toLowerCase()];
  if (typeof given !== 'string') return undefined;
  return /^(?:sha256=)?(?<hex>[0-9a-f]{64})$/i.exec(given)?.groups?.['hex']?.toLowerCase();
}

/**
 * Reads a secret, without line breaks at its end. It is read for each request, so that a rotated Secret is used.
 *
 * @throws OperatorError when it is missing, empty or not UTF-8.
 */
export async function secretText(secret: SecretText): Promise<string> {
  const isEnv = 'env' in secret;
  const text = isEnv ? process.env[secret.env] : await fileText(secret.file);
  const trimmed = text?.replace(/[\r\n]+$/, '') ?? '';
  if (trimmed !== '') return trimmed;
  const place = isEnv ? `environment variable ${secret.env}` : `file ${secret.file}`;
  throw new OperatorError(`the secret of an HTTP source is missing: ${place} is empty or does not exist`, {
    code: 'E_SOURCE',
    hint: isEnv
      ? `set ${secret.env} in the environment of the operator`
      : 'mount the Secret into the pod of the operator',
  });
}

async function fileText(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes && decodeText(bytes, file);
}

/** Compares digests, so that neither the length nor the content can be found out by timing. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
