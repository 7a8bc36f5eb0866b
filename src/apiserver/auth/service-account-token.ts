import { randomUUID } from 'node:crypto';
import { parseJson } from '../../base/json.js';
import { arrayAt, isJsonObject, numberAt, objectAt, stringAt, type JsonObject } from '../objects/api-object.js';
import type { TokenKey } from './token-key.js';

/** A reference to an API object in a token's claims. */
export interface TokenReference {
  readonly name: string;
  readonly uid: string;
}

export interface TokenClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  /** Seconds since the epoch; absent for tokens of Secrets. */
  readonly expires?: number;
  /** Absent for tokens of Secrets. */
  readonly id?: string;
  /** The pod that the token is bound to; the token becomes invalid when it is deleted. */
  readonly pod?: TokenReference | undefined;
  readonly node?: TokenReference | undefined;
  readonly secret?: TokenReference | undefined;
}

export const ISSUER = 'https://kubernetes.default.svc';
const FORMER_ISSUER = 'kubernetes/serviceaccount';
const FORMER_CLAIM = `${FORMER_ISSUER.replace('kubernetes', 'kubernetes.io')}/`;

const JWT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** Issues and verifies service account tokens: JWTs, RFC 7519. */
export class ServiceAccountTokens {
  constructor(readonly key: TokenKey) {}

  issue({ namespace, name, uid, audiences, expires, pod, node, secret }: TokenClaims, nowMs: number): string {
    const now = Math.floor(nowMs / 1000);
    const bound = Object.fromEntries(Object.entries({ node, pod, secret }).filter(([, value]) => value !== undefined));
    return this.signed({
      aud: audiences,
      exp: expires,
      iat: now,
      iss: ISSUER,
      jti: randomUUID(),
      'kubernetes.io': { namespace, ...bound, serviceaccount: { name, uid } },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    });
  }

  /** Issues a token for a Secret; it never expires. */
  issueForSecret({ namespace, name, uid }: Omit<TokenClaims, 'audiences'>, secret: string): string {
    return this.signed({
      iss: FORMER_ISSUER,
      [`${FORMER_CLAIM}namespace`]: namespace,
      [`${FORMER_CLAIM}secret.name`]: secret,
      [`${FORMER_CLAIM}service-account.name`]: name,
      [`${FORMER_CLAIM}service-account.uid`]: uid,
      sub: `system:serviceaccount:${namespace}:${name}`,
    });
  }

  /** Returns the claims of a token; undefined if its signature is invalid or it has expired. */
  verify(token: string, nowMs: number): TokenClaims | undefined {
    const claims = this.payloadOf(token);
    if (!claims) return undefined;
    if (claims.iss === FORMER_ISSUER) return formerClaims(claims);
    const expires = numberAt(claims, 'exp') ?? 0;
    return claims.iss === ISSUER && expires * 1000 > nowMs ? claimsOf(claims, expires) : undefined;
  }

  /** Returns the payload of a token with a valid signature. */
  private payloadOf(token: string): JsonObject | undefined {
    const [, header = '', payload = '', signature = ''] = JWT.exec(token) ?? [];
    const isGenuine =
      decoded(header)?.alg === this.key.algorithm && this.key.isGenuine(`${header}.${payload}`, signature);
    return isGenuine ? decoded(payload) : undefined;
  }

  private signed(payload: JsonObject): string {
    const body = `${encoded({ alg: this.key.algorithm, kid: this.key.id })}.${encoded(payload)}`;
    return `${body}.${this.key.sign(body)}`;
  }
}

function claimsOf(claims: JsonObject, expires: number): TokenClaims {
  const { namespace, serviceaccount, pod, node, secret } = objectAt(claims, 'kubernetes.io');
  return {
    namespace: String(namespace),
    name: stringAt(serviceaccount, 'name'),
    uid: stringAt(serviceaccount, 'uid'),
    audiences: arrayAt(claims, 'aud') as string[],
    expires,
    id: stringAt(claims, 'jti'),
    pod: pod as TokenReference | undefined,
    node: node as TokenReference | undefined,
    secret: secret as TokenReference | undefined,
  };
}

function formerClaims(claims: JsonObject): TokenClaims {
  const claim = (name: string): string => stringAt(claims, `${FORMER_CLAIM}${name}`);
  return {
    namespace: claim('namespace'),
    name: claim('service-account.name'),
    uid: claim('service-account.uid'),
    audiences: [ISSUER],
    secret: { name: claim('secret.name'), uid: '' },
  };
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded(part: string): JsonObject | undefined {
  try {
    const value = parseJson(Buffer.from(part, 'base64url').toString());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
