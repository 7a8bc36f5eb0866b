import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { UserInfo } from '../objects/user-info.js';

/** The user a client's certificate names, if the server's client authority signed it. RFC 5280 names: CN is the user, O the groups. */
export function certificateUser(socket: Socket): UserInfo | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  // The types know a name once only; Node gives a list when it stands there more often.
  const { subject } = socket.getPeerCertificate() as { subject?: { CN?: string; O?: string | string[] } };
  if (subject?.CN === undefined) return undefined;
  const groups = subject.O === undefined ? [] : [subject.O].flat();
  return { name: subject.CN, groups: [...groups, 'system:authenticated'] };
}

/** Whether a client gave a certificate that no authority signed for such a use. */
export function isCertificateRefused(socket: Socket): boolean {
  return socket instanceof TLSSocket && !socket.authorized && socket.getPeerX509Certificate() !== undefined;
}
