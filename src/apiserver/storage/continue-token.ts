import { posix } from 'node:path';
import { badRequest } from '../errors/status-error.js';
import { jsonSyntaxProblem } from '../schema/json-syntax-problem.js';

const VERSION = 'meta.k8s.io/v1';
/** Represents the newest revision. */
export const NEWEST = -1;

/** The position of a paged list: the last returned key and the revision. */
export interface ContinueToken {
  readonly revision: number;
  readonly after: string;
}

/** Returns the opaque token of the `continue` parameter, in the real server's format. */
export function encodeContinue({ revision, after }: ContinueToken): string {
  const token = { v: VERSION, rv: revision, start: `/${after}\0` };
  const json = JSON.stringify(token).replaceAll('\0', '\\u0000');
  return Buffer.from(json).toString('base64url');
}

export function decodeContinue(text: string): ContinueToken {
  const { v = '', rv = 0, start = '' } = parse(text);
  if (v !== VERSION) throw invalidToken(`: server does not recognize this encoded version ${String(v)}`);
  if (!Number.isInteger(rv) || rv === 0)
    throw invalidToken(`: incorrect encoded start resourceVersion (version ${VERSION})`);
  if (typeof start !== 'string' || start === '') throw invalidToken(`: encoded start key empty (version ${VERSION})`);
  return { revision: Number(rv), after: keyAt(start) };
}

function parse(text: string): { v?: unknown; rv?: unknown; start?: unknown } {
  const wrong = /[^\w-]/.exec(text)?.index ?? (text.length % 4 === 1 ? text.length - 1 : undefined);
  if (wrong !== undefined) throw invalidToken(`: illegal base64 data at input byte ${wrong}`);
  const bytes = Buffer.from(text, 'base64url');
  try {
    return JSON.parse(bytes.toString()) as object;
  } catch {
    throw invalidToken(`: ${jsonSyntaxProblem(bytes) ?? 'unexpected end of JSON input'}`);
  }
}

/** Returns the storage key of a start key, which must be a normalized path inside the listed prefix. */
function keyAt(start: string): string {
  const key = start.startsWith('/') ? start : `/${start}`;
  if (posix.normalize(key) !== key) throw invalidToken(`: ${start}`);
  return key.slice(1).replace(/\0$/, '');
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}
