import { badRequest } from '../errors/status-error.js';

/** Where a paged list goes on: after which key, at which revision. */
export interface ContinueToken {
  readonly revision: number;
  readonly after: string;
}

/** The opaque token of the `continue` parameter, laid out as the real server's. */
export function encodeContinue({ revision, after }: ContinueToken): string {
  const token = { v: 'meta.k8s.io/v1', rv: revision, start: `/${after}\0` };
  const json = JSON.stringify(token).replaceAll('\0', '\\u0000');
  return Buffer.from(json).toString('base64url');
}

export function decodeContinue(text: string): ContinueToken {
  let token: { v?: unknown; rv?: unknown; start?: unknown };
  try {
    token = JSON.parse(Buffer.from(text, 'base64url').toString()) as typeof token;
  } catch {
    const first = Buffer.from(text, 'base64url').toString().charAt(0);
    throw invalidToken(`continue key is not valid: invalid character '${first}' looking for beginning of value`);
  }
  if (token.v !== 'meta.k8s.io/v1')
    throw invalidToken('continue key is not valid: server does not recognize this encoded version');
  if (typeof token.start !== 'string' || token.start === '')
    throw invalidToken('continue key is not valid: encoded start key empty');
  return { revision: Number(token.rv), after: token.start.replace(/^\//, '').replace(/\0$/, '') };
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: ${why}`);
}
