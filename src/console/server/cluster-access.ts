import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { RequestError } from '../../base/http-server/request-error.js';
import type { Logger } from '../../base/logger.js';
import { thrownError } from '../../base/thrown-error.js';
import type { Client } from '../../client/client.js';
import { LruMap } from '../../controller/run/lru-map.js';
import { TokenAccess, type User } from '../../manager/metrics/token-access.js';
import { reviewVisibility, type ReviewedVisibility, type ReviewScope } from '../access/review-visibility.js';
import { ConsoleApi } from '../api.js';
import type { ConsoleParts } from '../console-parts.js';
import type { Answerer, ApiAnswer, Refusal, ServerAccess } from './server-access.js';

/** The path that a user needs permission to get. */
const PATH = '/console';
/** The time after which permissions are reviewed again. */
const REVIEWED_MS = 60_000;
const MOST_USERS = 100;
/** Namespaces in which the permissions of a user are reviewed. */
const MOST_NAMESPACES = 500;
const HINT = 'use kindwright console, which connects to the pod and serves the page';

export interface ClusterAccessOptions {
  readonly client: Pick<Client, 'create'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns the kinds and namespaces of which permissions are reviewed. */
  readonly scope: () => ReviewScope;
  readonly viewsOf: (visibility: ReviewedVisibility) => ConsoleParts;
}

/** A user and what the user may see. */
interface Session {
  readonly visibility: ReviewedVisibility;
  readonly parts: ConsoleParts;
  readonly api: ConsoleApi;
  reviewedMs: number;
}

/**
 * Answers users of the cluster: a TokenReview authenticates them, and SubjectAccessReviews decide what they see. An event
 * stream ends when the permissions have changed, or the token is no longer valid; the client then opens another one.
 */
export class ClusterAccess implements ServerAccess {
  private readonly tokens: TokenAccess;
  private readonly sessions = new LruMap<Session>(MOST_USERS);
  private readonly reviews = new Map<string, Promise<Session>>();
  private readonly streams = new Set<ServerResponse>();
  private hasWarned = false;

  constructor(private readonly options: ClusterAccessOptions) {
    this.tokens = new TokenAccess(options.client, options.clock);
  }

  /** Ends all event streams. */
  close(): void {
    for (const response of this.streams) response.end();
  }

  /** Browsers cannot verify the certificate, and must not send tokens of the cluster. */
  refuseForeign({ headers, method = '' }: IncomingMessage): Refusal | undefined {
    const { origin, 'sec-fetch-site': site } = headers;
    if (origin !== undefined || site !== undefined)
      return { status: 403, error: 'browsers are not served', hint: HINT };
    return method === 'GET' || method === 'HEAD'
      ? undefined
      : { status: 405, error: 'this console is read-only: the operator runs on a cluster' };
  }

  async admit(request: IncomingMessage): Promise<{ readonly answer: Answerer } | { readonly refusal: Refusal }> {
    const found = await this.sessionOf(request);
    if ('refusal' in found) return found;
    const { session } = found;
    return {
      answer: async (asked) => {
        const answer = await session.api.answer(asked);
        return 'stream' in answer
          ? { stream: (response) => this.stream(answer, response, { request, session }) }
          : answer;
      },
    };
  }

  private async sessionOf(
    request: IncomingMessage,
  ): Promise<{ readonly session: Session } | { readonly refusal: Refusal }> {
    const { headers, socket } = request;
    const { authorization } = headers;
    try {
      const admission = await this.tokens.admit({ authorization, path: PATH, peer: socket.remoteAddress ?? '' });
      if ('user' in admission) return { session: await this.sessionFor(admission.user) };
      const { status, text } = admission.refusal;
      const hint = status === 403 ? `a role must permit to get ${PATH}` : undefined;
      return {
        refusal: { status: status as Refusal['status'], error: text.trim(), ...(hint !== undefined && { hint }) },
      };
    } catch (error) {
      this.options.logger.warn('The console cannot review the permissions of a user', { err: thrownError(error) });
      throw new RequestError(503, 'the API server did not review the permissions; see the log of the operator');
    }
  }

  /** Concurrent requests of a user share a review. */
  private async sessionFor(user: User): Promise<Session> {
    const key = JSON.stringify([user.username, user.uid, user.groups, user.extra]);
    const present = this.sessions.get(key);
    if (present && this.options.clock.monotonic() - present.reviewedMs < REVIEWED_MS) return present;
    const running = this.reviews.get(key);
    if (running) return running;
    const review = this.review(key, user, present).finally(() => this.reviews.delete(key));
    this.reviews.set(key, review);
    return review;
  }

  private async review(key: string, user: User, present: Session | undefined): Promise<Session> {
    const { client, clock, scope, viewsOf } = this.options;
    const { kinds, namespaces } = scope();
    const visibility = await reviewVisibility(client, user, {
      kinds,
      namespaces: namespaces.slice(0, MOST_NAMESPACES),
    });
    if (namespaces.length > MOST_NAMESPACES && !visibility.isComplete) this.warnOfNamespaces(namespaces.length);
    const reviewedMs = clock.monotonic();
    if (present?.visibility.isEqualTo(visibility)) {
      present.reviewedMs = reviewedMs;
      return present;
    }
    present?.parts.streams.close('the permissions have changed');
    const parts = viewsOf(visibility);
    const session = { visibility, parts, api: new ConsoleApi(parts), reviewedMs };
    this.sessions.set(key, session);
    return session;
  }

  private warnOfNamespaces(count: number): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.options.logger.warn(
      `The console shows users only the objects of ${MOST_NAMESPACES} of ${count} namespaces: permissions for more are not reviewed`,
      { hint: 'grant permission to list the kinds in all namespaces' },
    );
  }

  private async stream(
    { stream }: Extract<ApiAnswer, { readonly stream: unknown }>,
    response: ServerResponse,
    opened: { readonly request: IncomingMessage; readonly session: Session },
  ): Promise<void> {
    const { clock } = this.options;
    const again = (): void => {
      cancel = clock.schedule(REVIEWED_MS, again);
      void this.isStillPermitted(opened).then((isPermitted) => {
        if (!isPermitted) response.end();
      });
    };
    let cancel = clock.schedule(REVIEWED_MS, again);
    this.streams.add(response);
    try {
      await stream(response);
    } finally {
      cancel();
      this.streams.delete(response);
    }
  }

  private async isStillPermitted({
    request,
    session,
  }: {
    readonly request: IncomingMessage;
    readonly session: Session;
  }): Promise<boolean> {
    try {
      const found = await this.sessionOf(request);
      return 'session' in found && found.session === session;
    } catch {
      return false;
    }
  }
}
