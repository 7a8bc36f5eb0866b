import { hash } from 'node:crypto';
import { SubjectAccessReview, TokenReview } from '../api/kinds.js';
import type { Clock } from '../base/clock.js';
import type { Client } from '../client/client.js';
import { LruMap } from '../controller/lru-map.js';
import type { Answer } from './http-endpoint.js';

const ALLOWED_MS = 60_000;
const REFUSED_MS = 10_000;
const MOST_REMEMBERED = 100;
const MOST_AT_ONCE = 10;
/** Refused reviews within REFUSED_MS after which unknown tokens are rejected without a review. */
const MOST_REFUSED = 20;

/**
 * Authenticates and authorizes requests for metrics: a TokenReview returns the user of the bearer token, a
 * SubjectAccessReview decides whether that user may get the path.
 *
 * Permission is cached for a minute, like in controller-runtime's WithAuthenticationAndAuthorization, and a refusal for
 * 10 s. Made-up tokens cannot load the API server: concurrent requests with one token share a review, at most 10 reviews
 * run at the same time, and after 20 refusals within 10 s other tokens that were never permitted are answered with
 * status 429.
 */
export class MetricsAccess {
  /** By hash of path and token, so that no token stays in memory: the time until which permission is cached. */
  private readonly allowedUntil = new LruMap<number>(MOST_REMEMBERED);
  private readonly refused = new LruMap<{ readonly answer: Answer; readonly untilMs: number }>(MOST_REMEMBERED);
  private readonly running = new Map<string, Promise<Answer | undefined>>();
  private refusals = { count: 0, untilMs: 0 };

  constructor(
    private readonly client: Pick<Client, 'create'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Returns the response that rejects the request; undefined if it is permitted. */
  async refusal(authorization: string | undefined, path: string): Promise<Answer | undefined> {
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return UNAUTHORIZED;
    const key = hash('sha256', `${path} ${token}`, 'base64');
    const known = this.remembered(key);
    return known ? known.answer : this.reviewOnce(key, token, path);
  }

  /** The cached result; undefined if the server must be asked. */
  private remembered(key: string): { readonly answer: Answer | undefined } | undefined {
    const now = this.clock.monotonic();
    if ((this.allowedUntil.get(key) ?? 0) > now) return { answer: undefined };
    const refused = this.refused.get(key);
    return refused && refused.untilMs > now ? refused : undefined;
  }

  private async reviewOnce(key: string, token: string, path: string): Promise<Answer | undefined> {
    const running = this.running.get(key);
    if (running) return running;
    if (this.running.size >= MOST_AT_ONCE || this.isOverloaded(key)) return TOO_MANY;
    const review = this.review(key, token, path).finally(() => this.running.delete(key));
    this.running.set(key, review);
    return review;
  }

  /** Tokens that were permitted before are reviewed even during a flood of others. */
  private isOverloaded(key: string): boolean {
    const { count, untilMs } = this.refusals;
    return count >= MOST_REFUSED && untilMs > this.clock.monotonic() && this.allowedUntil.get(key) === undefined;
  }

  private async review(key: string, token: string, path: string): Promise<Answer | undefined> {
    const user = await this.userOf(token);
    const answer = user ? ((await this.isAllowed(user, path)) ? undefined : FORBIDDEN) : UNAUTHORIZED;
    const now = this.clock.monotonic();
    if (!answer) {
      this.allowedUntil.set(key, now + ALLOWED_MS);
      return undefined;
    }
    this.refused.set(key, { answer, untilMs: now + REFUSED_MS });
    if (this.refusals.untilMs <= now) this.refusals = { count: 0, untilMs: now + REFUSED_MS };
    this.refusals.count += 1;
    return answer;
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

const UNAUTHORIZED: Answer = { status: 401, text: 'a bearer token is required\n' };
const FORBIDDEN: Answer = { status: 403, text: 'the user of the token has no permission to read this\n' };
const TOO_MANY: Answer = { status: 429, text: 'too many unauthorized requests\n' };
