import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  utcTime,
  utf8String,
} from './der.js';

const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const YEAR_MS = 365 * 24 * 3600 * 1000;

/** A private key and its certificate, in PEM. */
export interface KeyCertificate {
  readonly keyPem: string;
  readonly certPem: string;
}

/** A certificate authority with the lifetime of its server, and a serving certificate signed by it. */
export interface ServingIdentity extends KeyCertificate {
  readonly caPem: string;
  /** The private key of the authority; without it, no further certificates can be signed. */
  readonly caKey?: KeyObject;
}

/** A certificate authority that can sign certificates. */
export interface Authority {
  readonly certPem: string;
  readonly key: KeyObject;
}

/** The time in which a certificate is valid, in milliseconds since the epoch; certificates hold full seconds. */
export interface Validity {
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** The content of the certificate of a server. */
export interface ServingContent extends Validity {
  readonly commonName: string;
  /** Subject alternative names in DER, see `dnsName`. */
  readonly names: readonly Buffer[];
}

/** The content of a certificate to sign. */
export interface CertificateContent extends Validity {
  /** In DER. */
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  readonly extensions: readonly Buffer[];
}

const AUTHORITY = name('kindwright-ca');

/**
 * Creates an authority and a certificate for `localhost`, 127.0.0.1, ::1 and other hosts, which are DNS names or IPv4
 * addresses. RFC 5280, ECDSA P-256.
 */
export function createServingIdentity(nowMs: number, hosts: readonly string[] = []): ServingIdentity {
  const validity = { notBeforeMs: nowMs - 3600_000, notAfterMs: nowMs + 10 * YEAR_MS };
  const { certPem: caPem, key: caKey } = createAuthority(validity);
  const names = [...loopbackNames(), ...hosts.map(subjectName)];
  return {
    caPem,
    ...createServingCertificate(caKey, { commonName: 'kindwright-apiserver', names, ...validity }),
    caKey,
  };
}

/** Creates an authority: a private key, and its certificate, signed by itself. */
export function createAuthority(validity: Validity): Authority {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certPem = signedCertificate(key, {
    subject: AUTHORITY,
    publicKey: infoOf(publicKey),
    ...validity,
    extensions: [
      extension('2.5.29.19', true, sequence(boolean(true))),
      extension('2.5.29.15', true, bitString(Buffer.from([0x06]), 1)),
      extension('2.5.29.14', false, octetString(keyIdentifier(publicKey))),
    ],
  });
  return { certPem, key };
}

/** Creates a private key and a certificate for a server with the given names, signed by an authority. */
export function createServingCertificate(authorityKey: KeyObject, content: ServingContent): KeyCertificate {
  const { commonName, names, notBeforeMs, notAfterMs } = content;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certPem = signedCertificate(authorityKey, {
    subject: name(commonName),
    publicKey: infoOf(publicKey),
    notBeforeMs,
    notAfterMs,
    extensions: [
      extension('2.5.29.15', true, bitString(Buffer.from([0x80]), 7)),
      extension('2.5.29.37', false, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
      authorityExtension(createPublicKey(authorityKey)),
      extension('2.5.29.17', false, sequence(...names)),
    ],
  });
  return { keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, certPem };
}

/** Creates a private key and a client certificate with the given name. */
export function createClientCertificate(authorityKey: KeyObject, commonName: string, nowMs: number): KeyCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certPem = signedCertificate(authorityKey, {
    subject: name(commonName),
    publicKey: infoOf(publicKey),
    notBeforeMs: nowMs - 3600_000,
    notAfterMs: nowMs + 10 * YEAR_MS,
    extensions: [
      extension('2.5.29.15', true, bitString(Buffer.from([0x80]), 7)),
      extension('2.5.29.37', false, sequence(objectIdentifier('1.3.6.1.5.5.7.3.2'))),
    ],
  });
  return { keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, certPem };
}

/** Returns the authority key identifier extension. */
export function authorityExtension(key: KeyObject): Buffer {
  return extension('2.5.29.35', false, sequence(implicit(0, keyIdentifier(key))));
}

function loopbackNames(): Buffer[] {
  const ipv6Loopback = Buffer.alloc(16);
  ipv6Loopback[15] = 1;
  return [
    ...['localhost', 'kubernetes.default.svc'].map(dnsName),
    implicit(7, Buffer.from([127, 0, 0, 1])),
    implicit(7, ipv6Loopback),
  ];
}

function subjectName(host: string): Buffer {
  return isIPv4(host) ? implicit(7, Buffer.from(host.split('.').map(Number))) : dnsName(host);
}

/** Encodes a DNS name as a subject alternative name. */
export function dnsName(host: string): Buffer {
  return implicit(2, Buffer.from(host));
}

/** Returns a certificate signed by the authority, in PEM. */
export function signedCertificate(authorityKey: KeyObject, content: CertificateContent): string {
  const { subject, publicKey, notBeforeMs, notAfterMs, extensions } = content;
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40; // positive, without a leading zero
  const tbs = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_WITH_SHA256,
    AUTHORITY,
    sequence(utcTime(notBeforeMs), utcTime(notAfterMs)),
    subject,
    publicKey,
    explicit(3, sequence(...extensions)),
  );
  const der = sequence(tbs, ECDSA_WITH_SHA256, bitString(sign('sha256', tbs, authorityKey)));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function name(commonName: string): Buffer {
  return sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))));
}

export function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1').update(infoOf(key)).digest();
}

function infoOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}
