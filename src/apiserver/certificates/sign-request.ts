import { ownMember } from '../../base/own-member.js';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { authorityExtension, extension, signedCertificate } from '../../pki/certificate.js';
import { bitString, objectIdentifier, sequence } from '../../pki/der.js';
import type { CertificateRequest } from './certificate-request.js';

const BACKDATE_MS = 5 * 60_000;
/** Certificates with a shorter lifetime are not shortened by the backdating. */
const SHORT_MS = 8 * 3600_000;

/** Bits of KeyUsage, the most significant first: RFC 5280. */
const KEY_USAGES: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
};
const PURPOSES: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
};

/** The signer, the signing time and the lifetime of a certificate. */
export interface Signing {
  readonly key: KeyObject;
  readonly nowMs: number;
  readonly lifetimeMs: number;
}

/** Returns the signed certificate in PEM: PermissiveSigningPolicy of kube-controller-manager. */
export function signRequest(
  request: CertificateRequest,
  usages: readonly string[],
  { key, nowMs, lifetimeMs }: Signing,
): string {
  const { subject, publicKey, alternativeNames } = request;
  const bits = usages.map((usage) => ownMember(KEY_USAGES, usage)).filter((bit) => bit !== undefined);
  const purposes = [
    ...new Set(usages.map((usage) => ownMember(PURPOSES, usage)).filter((id) => id !== undefined)),
  ].sort();
  return signedCertificate(key, {
    subject,
    publicKey,
    notBeforeMs: nowMs - BACKDATE_MS,
    notAfterMs: nowMs + lifetimeMs - (lifetimeMs < SHORT_MS ? 0 : BACKDATE_MS),
    extensions: [
      ...(bits.length > 0 ? [extension('2.5.29.15', true, usageBits(bits))] : []),
      ...(purposes.length > 0 ? [extension('2.5.29.37', false, sequence(...purposes.map(objectIdentifier)))] : []),
      extension('2.5.29.19', true, sequence()),
      authorityExtension(createPublicKey(key)),
      ...(alternativeNames ? [extension('2.5.29.17', false, alternativeNames)] : []),
    ],
  });
}

function usageBits(bits: readonly number[]): Buffer {
  const byte = bits.reduce((sum, bit) => sum | (0x80 >>> bit), 0);
  return bitString(Buffer.from([byte]), 7 - Math.max(...bits));
}
