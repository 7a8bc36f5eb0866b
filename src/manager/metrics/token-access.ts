import { hash } from 'node:crypto';
import { SubjectAccessReview, TokenReview } from '../../api/kinds/kinds.js';
import type { Clock } from '../../base/clock.js';
import type { Client } from '../../client/client.js';
import { LruMap } from '../../controller/run/lru-map.js';
import type { Answer } from '../http-endpoint.js';

const ALLOWED_MS = 60_000;
const REFUSED_MS = 10_000;
const MOST_REMEMBERED = 100;
const MOST_AT_ONCE = 10;
const MOST_AT_ONCE_OF_PEER = 3;
/** Refused reviews within REFUSED_MS after which unknown tokens of the peer are rejected without a review. */
const MOST_REFUSED = 20;

export interface TokenRequest {
  readonly authorization: string | undefined;
  readonly path: string;
  /** The address of the client. */
  readonly peer: string;
}

/** The user of a permitted request, or the response that rejects it. */
export type Admission = { readonly user: User } | { readonly refusal: Answer };

/**
 * Authenticates and authorizes requests for a path, such as `/metrics`: a TokenReview returns the user of the bearer token, a
 * SubjectAccessReview decides whether that user may get the path.
 *
 * Permission is cached for a minute, like in controller-runtime's WithAuthenticationAndAuthorization, and a refusal for
 * 10 s. Made-up tokens cannot load the API server: concurrent requests with one token share a review, at most 10 reviews
 * run at the same time, 3 of them for one address, and after 20 refusals of an address within 10 s its tokens that were never
 * permitted are answered with status 429. Clients with other addresses are not affected.
 */
export class TokenAccess {
  /** By hash of path and token, so that no token stays in memory: the user, and the time until which permission is cached. */
  private readonly allowed = new LruMap<{ readonly user: User; readonly untilMs: number }>(MOST_REMEMBERED);
  private readonly refused = new LruMap<{ readonly answer: Answer; readonly untilMs: number }>(MOST_REMEMBERED);
  private readonly running = new Map<string, { readonly peer: string; readonly review: Promise<Admission> }>();
  /** By peer. */
  private readonly refusals = new LruMap<{ count: number; readonly untilMs: number }>(MOST_REMEMBERED);

  constructor(
    private readonly client: Pick<Client, 'create'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Rejects if the API server cannot be asked. */
  async admit(request: TokenRequest): Promise<Admission> {
    const { authorization, path } = request;
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return { refusal: UNAUTHORIZED };
    const key = hash('sha256', `${path} ${token}`, 'base64');
    return this.remembered(key) ?? this.reviewOnce(key, token, request);
  }

  /** The cached result; undefined if the server must be asked. */
  private remembered(key: string): Admission | undefined {
    const now = this.clock.monotonic();
    const allowed = this.allowed.get(key);
    if (allowed && allowed.untilMs > now) return allowed;
    const refused = this.refused.get(key);
    return refused && refused.untilMs > now ? { refusal: refused.answer } : undefined;
  }

  private async reviewOnce(key: string, token: string, request: TokenRequest): Promise<Admission> {
    const running = this.running.get(key);
    if (running) return running.review;
    const { peer } = request;
    if (this.running.size >= MOST_AT_ONCE || this.isOverloaded(key, peer)) return { refusal: TOO_MANY };
    const review = this.review(key, token, request).finally(() => this.running.delete(key));
    this.running.set(key, { peer, review });
    return review;
  }

  /** Tokens that were permitted before are reviewed even during a flood of others. */
  private isOverloaded(key: string, peer: string): boolean {
    if (this.allowed.get(key) !== undefined) return false;
    const ofPeer = [...this.running.values()].filter((each) => each.peer === peer);
    return ofPeer.length >= MOST_AT_ONCE_OF_PEER || (this.recentRefusals(peer)?.count ?? 0) >= MOST_REFUSED;
  }

  private async review(key: string, token: string, { path, peer }: TokenRequest): Promise<Admission> {
    const user = await this.userOf(token);
    if (user && (await this.isAllowed(user, path))) {
      const allowed = { user, untilMs: this.clock.monotonic() + ALLOWED_MS };
      this.allowed.set(key, allowed);
      return allowed;
    }
    const answer = user ? FORBIDDEN : UNAUTHORIZED;
    const untilMs = this.clock.monotonic() + REFUSED_MS;
    this.refused.set(key, { answer, untilMs });
    const refusals = this.recentRefusals(peer);
    if (refusals) refusals.count += 1;
    else this.refusals.set(peer, { count: 1, untilMs });
    return { refusal: answer };
  }

  private recentRefusals(peer: string): { count: number } | undefined {
    const refusals = this.refusals.get(peer);
    return refusals && refusals.untilMs > this.clock.monotonic() ? refusals : undefined;
  }

  private async userOf(token: string): Promise<User | undefined> {
    const { status } = await this.client.create(TokenReview, { spec: { token } } as TokenReview);
    return status?.authenticated === true ? status.user : undefined;
  }

  private isAllowed(user: User, path: string): Promise<boolean> {
    return isPermitted(this.client, user, { nonResourceAttributes: { path, verb: 'get' } });
  }
}

/** The user of a token, as a TokenReview returns it. */
export type User = NonNullable<NonNullable<TokenReview['status']>['user']>;

type AccessAttributes = Pick<SubjectAccessReview['spec'], 'resourceAttributes' | 'nonResourceAttributes'>;

/** Returns whether a user has a permission, by a SubjectAccessReview. */
export async function isPermitted(
  client: Pick<Client, 'create'>,
  { username, groups, uid, extra }: User,
  attributes: AccessAttributes,
): Promise<boolean> {
  const spec = { user: username, groups, uid, extra, ...attributes };
  const { status } = await client.create(SubjectAccessReview, { spec } as SubjectAccessReview);
  return status?.allowed === true;
}

const UNAUTHORIZED: Answer = { status: 401, text: 'a bearer token is required\n' };
const FORBIDDEN: Answer = { status: 403, text: 'the user of the token has no permission to read this\n' };
const TOO_MANY: Answer = { status: 429, text: 'too many unauthorized requests\n' };
