import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface TokenClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  /** Seconds since the epoch. */
  readonly expires: number;
}

const ISSUER = 'https://kubernetes.default.svc';

/** Issues and checks service account tokens, with a key that lives as long as the server. */
export class ServiceAccountTokens {
  private readonly key = randomBytes(32);

  issue(claims: TokenClaims, nowMs: number): string {
    const now = Math.floor(nowMs / 1000);
    const payload = {
      aud: claims.audiences,
      exp: claims.expires,
      iat: now,
      iss: ISSUER,
      'kubernetes.io': { namespace: claims.namespace, serviceaccount: { name: claims.name, uid: claims.uid } },
      nbf: now,
      sub: `system:serviceaccount:${claims.namespace}:${claims.name}`,
    };
    const body = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`;
    return `${body}.${this.sign(body)}`;
  }

  /** The claims of a token that is genuine and not expired. */
  verify(token: string, nowMs: number): TokenClaims | undefined {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const expected = Buffer.from(this.sign(`${header}.${payload}`));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      aud: string[];
      exp: number;
      'kubernetes.io': { namespace: string; serviceaccount: { name: string; uid: string } };
    };
    if (claims.exp * 1000 <= nowMs) return undefined;
    const { namespace, serviceaccount } = claims['kubernetes.io'];
    return {
      namespace,
      name: serviceaccount.name,
      uid: serviceaccount.uid,
      audiences: claims.aud,
      expires: claims.exp,
    };
  }

  private sign(body: string): string {
    return createHmac('sha256', this.key).update(body).digest('base64url');
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
