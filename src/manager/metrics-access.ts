import { SubjectAccessReview, TokenReview } from '../api/kinds.js';
import type { Clock } from '../base/clock.js';
import type { Client } from '../client/client.js';
import type { Answer } from './http-endpoint.js';

const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 100;

/**
 * Authenticates and authorizes requests for metrics: a TokenReview returns the user of the bearer token, a
 * SubjectAccessReview decides whether that user may get the path.
 *
 * Permission is cached for a minute, like in controller-runtime's WithAuthenticationAndAuthorization.
 */
export class MetricsAccess {
  private readonly allowedUntil = new Map<string, number>();

  constructor(
    private readonly client: Client,
    private readonly clock: Clock,
  ) {}

  /** Returns the response that rejects the request; undefined if it is permitted. */
  async refusal(authorization: string | undefined, path: string): Promise<Answer | undefined> {
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return UNAUTHORIZED;
    const key = `${path} ${token}`;
    if ((this.allowedUntil.get(key) ?? 0) > this.clock.monotonic()) return undefined;
    const user = await this.userOf(token);
    if (!user) return UNAUTHORIZED;
    if (!(await this.isAllowed(user, path))) return FORBIDDEN;
    if (this.allowedUntil.size >= MOST_REMEMBERED) this.allowedUntil.clear();
    this.allowedUntil.set(key, this.clock.monotonic() + REMEMBERED_MS);
    return undefined;
  }

  private async userOf(token: string): Promise<User | undefined> {
    const { status } = await this.client.create(TokenReview, { spec: { token } } as TokenReview);
    return status?.authenticated === true ? status.user : undefined;
  }

  private async isAllowed({ username, groups, uid, extra }: User, path: string): Promise<boolean> {
    const spec = {
      user: username,
      groups,
      uid,
      extra,
      nonResourceAttributes: { path, verb: 'get' },
    };
    const { status } = await this.client.create(SubjectAccessReview, { spec } as SubjectAccessReview);
    return status?.allowed === true;
  }
}

type User = NonNullable<NonNullable<TokenReview['status']>['user']>;

const UNAUTHORIZED: Answer = { status: 401, text: 'a bearer token is needed\n' };
const FORBIDDEN: Answer = { status: 403, text: 'the user of the token may not read this\n' };
