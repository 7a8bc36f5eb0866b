import { hash } from 'node:crypto';
import { SubjectAccessReview, TokenReview } from '../api/kinds.js';
import type { Clock } from '../base/clock.js';
import type { Client } from '../client/client.js';
import { LruMap } from '../controller/run/lru-map.js';
import type { Answer } from './http-endpoint.js';

const ALLOWED_MS = 60_000;
const REFUSED_MS = 10_000;
const MOST_REMEMBERED = 100;
const MOST_AT_ONCE = 10;
const MOST_AT_ONCE_OF_PEER = 3;
/** Refused reviews within REFUSED_MS after which unknown tokens of the peer are rejected without a review. */
const MOST_REFUSED = 20;

interface MetricsRequest {
  readonly authorization: string | undefined;
  readonly path: string;
  /** The address of the client. */
  readonly peer: string;
}

/**
 * Authenticates and authorizes requests for metrics: a TokenReview returns the user of the bearer token, a
 * SubjectAccessReview decides whether that user may get the path.
 *
 * Permission is cached for a minute, like in controller-runtime's WithAuthenticationAndAuthorization, and a refusal for
 * 10 s. Made-up tokens cannot load the API server: concurrent requests with one token share a review, at most 10 reviews
 * run at the same time, 3 of them for one address, and after 20 refusals of an address within 10 s its tokens that were never
 * permitted are answered with status 429. Clients with other addresses are not affected.
 */
export class MetricsAccess {
  /** By hash of path and token, so that no token stays in memory: the time until which permission is cached. */
  private readonly allowedUntil = new LruMap<number>(MOST_REMEMBERED);
  private readonly refused = new LruMap<{ readonly answer: Answer; readonly untilMs: number }>(MOST_REMEMBERED);
  private readonly running = new Map<string, { readonly peer: string; readonly review: Promise<Answer | undefined> }>();
  /** By peer. */
  private readonly refusals = new LruMap<{ count: number; readonly untilMs: number }>(MOST_REMEMBERED);

  constructor(
    private readonly client: Pick<Client, 'create'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Returns the response that rejects the request; undefined if it is permitted. */
  async refusal(request: MetricsRequest): Promise<Answer | undefined> {
    const { authorization, path } = request;
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return UNAUTHORIZED;
    const key = hash('sha256', `${path} ${token}`, 'base64');
    const known = this.remembered(key);
    return known ? known.answer : this.reviewOnce(key, token, request);
  }

  /** The cached result; undefined if the server must be asked. */
  private remembered(key: string): { readonly answer: Answer | undefined } | undefined {
    const now = this.clock.monotonic();
    if ((this.allowedUntil.get(key) ?? 0) > now) return { answer: undefined };
    const refused = this.refused.get(key);
    return refused && refused.untilMs > now ? refused : undefined;
  }

  private async reviewOnce(key: string, token: string, request: MetricsRequest): Promise<Answer | undefined> {
    const running = this.running.get(key);
    if (running) return running.review;
    const { peer } = request;
    if (this.running.size >= MOST_AT_ONCE || this.isOverloaded(key, peer)) return TOO_MANY;
    const review = this.review(key, token, request).finally(() => this.running.delete(key));
    this.running.set(key, { peer, review });
    return review;
  }

  /** Tokens that were permitted before are reviewed even during a flood of others. */
  private isOverloaded(key: string, peer: string): boolean {
    if (this.allowedUntil.get(key) !== undefined) return false;
    const ofPeer = [...this.running.values()].filter((each) => each.peer === peer);
    return ofPeer.length >= MOST_AT_ONCE_OF_PEER || (this.recentRefusals(peer)?.count ?? 0) >= MOST_REFUSED;
  }

  private async review(key: string, token: string, { path, peer }: MetricsRequest): Promise<Answer | undefined> {
    const user = await this.userOf(token);
    const answer = user ? ((await this.isAllowed(user, path)) ? undefined : FORBIDDEN) : UNAUTHORIZED;
    const untilMs = this.clock.monotonic() + REFUSED_MS;
    if (!answer) {
      this.allowedUntil.set(key, this.clock.monotonic() + ALLOWED_MS);
      return undefined;
    }
    this.refused.set(key, { answer, untilMs });
    const refusals = this.recentRefusals(peer);
    if (refusals) refusals.count += 1;
    else this.refusals.set(peer, { count: 1, untilMs });
    return answer;
  }

  private recentRefusals(peer: string): { count: number } | undefined {
    const refusals = this.refusals.get(peer);
    return refusals && refusals.untilMs > this.clock.monotonic() ? refusals : undefined;
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
