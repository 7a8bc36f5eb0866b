import { goQuoted } from '../../base/go-quoted.js';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { unauthorized } from '../errors/status-error.js';
import type { UserInfo } from '../objects/user-info.js';
import type { ObjectStore } from '../storage/object-store.js';
import { impersonated } from './impersonation.js';
import type { RbacAuthorizer } from './rbac-authorizer.js';
import { ISSUER, type ServiceAccountTokens } from './service-account-token.js';
import { tokenUser } from './token-user.js';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { isWebSocketRequest, subprotocolsOf } from '../transport/stream/web-socket-handshake.js';

const ADMIN: UserInfo = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** What tokens are for that do not say. */
export const DEFAULT_AUDIENCE = ISSUER;

/** What is to be made of a token. */
export type TokenVerdict =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  /** Empty when there is nothing to say but that it is no good. */
  | { readonly problem: string };

/** Who gives no credentials. */
export const ANONYMOUS: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Finds out who a request comes from: a client certificate, a token given at the start, a service account's token; and whom they act as. */
export class Authenticator {
  /** By the digest of the token, which tells those who measure time nothing. */
  private readonly known: ReadonlyMap<string, UserInfo>;

  constructor(
    adminToken: string,
    staticTokens: ReadonlyMap<string, UserInfo>,
    private readonly tokens: ServiceAccountTokens,
    private readonly store: ObjectStore,
    private readonly authorizer: RbacAuthorizer,
    private readonly clock: Clock,
  ) {
    this.known = new Map([...staticTokens, [adminToken, ADMIN] as const].map(([token, user]) => [digest(token), user]));
  }

  authenticate(message: IncomingMessage): UserInfo {
    const user = certificateUser(message.socket) ?? this.bearer(message);
    return impersonated(user, message, this.authorizer);
  }

  /** Whoever gives neither token nor certificate is anonymous; whoever gives a wrong one is refused. */
  private bearer(message: IncomingMessage): UserInfo {
    const token = /^Bearer (.+)$/i.exec(message.headers.authorization ?? '')?.[1] ?? webSocketToken(message);
    const user = token === undefined ? undefined : this.userOf(token);
    if (user) return user;
    if (token !== undefined || isCertificateRefused(message.socket)) throw unauthorized();
    return ANONYMOUS;
  }

  /** The user a token stands for. */
  userOf(token: string): UserInfo | undefined {
    const verdict = this.check(token, [DEFAULT_AUDIENCE]);
    return 'user' in verdict ? verdict.user : undefined;
  }

  /** Who a token stands for, and which of the audiences it is meant for; or what is wrong with it. */
  check(token: string, audiences: readonly string[]): TokenVerdict {
    const known = this.known.get(digest(token));
    if (known) return { user: known, audiences };
    const nowMs = this.clock.now();
    const claims = this.tokens.verify(token, nowMs);
    const shared = audiences.filter((audience) => claims?.audiences.includes(audience));
    if (claims && shared.length === 0) {
      const [own, wanted] = [claims.audiences, audiences].map((list) => list.map((each) => goQuoted(each)).join(' '));
      return { problem: `token audiences [${own}] is invalid for the target audiences [${wanted}]` };
    }
    const user = claims && tokenUser(this.store, token, claims, nowMs);
    return user ? { user, audiences: shared } : { problem: '' };
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/** The user a client's certificate names, if the server's client authority signed it. RFC 5280 names: CN is the user, O the groups. */
function certificateUser(socket: Socket): UserInfo | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  // The types know a name once only; Node gives a list when it stands there more often.
  const { subject } = socket.getPeerCertificate() as { subject?: { CN?: string; O?: string | string[] } };
  if (subject?.CN === undefined) return undefined;
  const groups = subject.O === undefined ? [] : [subject.O].flat();
  return { name: subject.CN, groups: [...groups, 'system:authenticated'] };
}

/** Whether a client gave a certificate that no authority signed for such a use. */
function isCertificateRefused(socket: Socket): boolean {
  return socket instanceof TLSSocket && !socket.authorized && socket.getPeerX509Certificate() !== undefined;
}

const PREFIX = 'base64url.bearer.authorization.k8s.io.';

/**
 * The token that browsers, which cannot set headers for a WebSocket, give as one of the subprotocols they offer. It is
 * none to agree on: the request goes on without it.
 */
function webSocketToken(message: IncomingMessage): string | undefined {
  if (!isWebSocketRequest(message)) return undefined;
  const offered = subprotocolsOf(message);
  const [encoded, ...more] = offered.filter((name) => name.startsWith(PREFIX));
  if (encoded === undefined) return undefined;
  const others = offered.filter((name) => !name.startsWith(PREFIX));
  const token = Buffer.from(encoded.slice(PREFIX.length), 'base64url').toString();
  // One has to be left to answer with.
  if (more.length > 0 || others.length === 0) throw unauthorized();
  message.headers['sec-websocket-protocol'] = others.join(',');
  return token;
}
