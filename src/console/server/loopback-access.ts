import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/clock.js';
import type { Answerer, Refusal, ServerAccess } from './server-access.js';

const TOKEN_BYTES = 32;
/** Wrong tokens in a second before requests with other ones get status 429. */
const WRONG_TOKENS = 10;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const OWN_SITES: ReadonlySet<unknown> = new Set(['same-origin', 'none']);

/**
 * Decides which requests are answered. Web pages that a browser on this machine shows, and other users of it, must reach
 * nothing: the host must be that of the server (DNS rebinding), the origin its own, and the API needs the token of this start.
 */
export class LoopbackAccess implements ServerAccess {
  readonly token = randomBytes(TOKEN_BYTES).toString('base64url');
  private readonly digest = digestOf(this.token);
  private secondMs = 0;
  private wrongTokens = 0;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly answer: Answerer,
  ) {}

  refuseForeign(request: IncomingMessage, port: number): Refusal | undefined {
    const { headers, headersDistinct, method = '' } = request;
    const isOwn = headersDistinct['host']?.length === 1 && isOwnHost(headers.host, port);
    if (!isOwn)
      return {
        status: 421,
        error: 'the Host header is not that of the console',
        hint: `open http://127.0.0.1:${port}/`,
      };
    const { origin } = headers;
    if (origin !== undefined && !isOwnOrigin(origin, port))
      return { status: 403, error: 'the Origin is not that of the console' };
    if (isOfOtherSite(request)) return { status: 403, error: 'the request comes from another site' };
    return METHODS.has(method) ? undefined : { status: 405, error: `method ${method.slice(0, 20)} is not supported` };
  }

  admit(request: IncomingMessage): Promise<{ readonly answer: Answerer } | { readonly refusal: Refusal }> {
    const refusal = this.refuseToken(request);
    return Promise.resolve(refusal ? { refusal } : { answer: this.answer });
  }

  private refuseToken({ headers }: IncomingMessage): Refusal | undefined {
    const [, token = ''] = /^Bearer ([\w-]{1,200})$/i.exec(headers.authorization ?? '') ?? [];
    if (timingSafeEqual(digestOf(token), this.digest)) return undefined;
    const nowMs = this.clock.monotonic();
    if (nowMs - this.secondMs >= 1000) {
      this.secondMs = nowMs;
      this.wrongTokens = 0;
    }
    this.wrongTokens += 1;
    if (this.wrongTokens > WRONG_TOKENS) return { status: 429, error: 'too many requests with a wrong token' };
    return {
      status: 401,
      error: 'the token is missing or wrong',
      hint: 'open the URL that the operator printed at its start',
    };
  }
}

/**
 * Returns whether a browser sends the request for another site. The page itself may be opened in a tab from a link or a file: it
 * has no data without the token, and cannot be in a frame.
 */
function isOfOtherSite({ url, method, headers }: IncomingMessage): boolean {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  const isVisit = url === '/' && method === 'GET' && mode === 'navigate' && destination === 'document';
  return !OWN_SITES.has(site) && !isVisit;
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function isOwnOrigin(origin: string, port: number): boolean {
  return isOwnHost(/^http:\/\/(.*)$/.exec(origin)?.[1], port);
}

function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}` || host === `[::1]:${port}`;
}
