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

/** The audience of tokens that do not contain one. */
export const DEFAULT_AUDIENCE = ISSUER;

/** The result of checking a token. */
export type TokenVerdict =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  /** The reason for rejection; empty when the token is just invalid. */
  | { readonly problem: string };

/** The user of requests without credentials. */
export const ANONYMOUS: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Authenticates requests by client certificate, static token or service account token, and applies impersonation. */
export class Authenticator {
  /** Users by the digest of their token; digests prevent timing attacks. */
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

  /** Authenticates by token. Requests without credentials are anonymous; invalid credentials are rejected. */
  private bearer(message: IncomingMessage): UserInfo {
    const token = /^Bearer (.+)$/i.exec(message.headers.authorization ?? '')?.[1] ?? webSocketToken(message);
    const user = token === undefined ? undefined : this.userOf(token);
    if (user) return user;
    if (token !== undefined || isCertificateRefused(message.socket)) throw unauthorized();
    return ANONYMOUS;
  }

  /** Returns the user of a token; undefined if it is invalid. */
  userOf(token: string): UserInfo | undefined {
    const verdict = this.check(token, [DEFAULT_AUDIENCE]);
    return 'user' in verdict ? verdict.user : undefined;
  }

  /** Returns the user of a token and the audiences it is valid for, or why it is rejected. */
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

/**
 * Returns the user of a client certificate signed by the server's client CA: CN is the user, O the groups (RFC 5280).
 */
function certificateUser(socket: Socket): UserInfo | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  // The types declare a single value; Node returns an array for repeated attributes.
  const { subject } = socket.getPeerCertificate() as { subject?: { CN?: string; O?: string | string[] } };
  if (subject?.CN === undefined) return undefined;
  const groups = subject.O === undefined ? [] : [subject.O].flat();
  return { name: subject.CN, groups: [...groups, 'system:authenticated'] };
}

/** Returns whether the client sent a certificate that is not trusted for client authentication. */
function isCertificateRefused(socket: Socket): boolean {
  return socket instanceof TLSSocket && !socket.authorized && socket.getPeerX509Certificate() !== undefined;
}

const PREFIX = 'base64url.bearer.authorization.k8s.io.';

/**
 * Returns the bearer token that browsers, which cannot set headers for a WebSocket, send as a subprotocol. Removes it
 * from the offered subprotocols.
 */
function webSocketToken(message: IncomingMessage): string | undefined {
  if (!isWebSocketRequest(message)) return undefined;
  const offered = subprotocolsOf(message);
  const [encoded, ...more] = offered.filter((name) => name.startsWith(PREFIX));
  if (encoded === undefined) return undefined;
  const others = offered.filter((name) => !name.startsWith(PREFIX));
  const token = Buffer.from(encoded.slice(PREFIX.length), 'base64url').toString();
  // The response must select one of the other subprotocols.
  if (more.length > 0 || others.length === 0) throw unauthorized();
  message.headers['sec-websocket-protocol'] = others.join(',');
  return token;
}
