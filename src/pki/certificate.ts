import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
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

/** The content of a certificate to sign. */
export interface CertificateContent {
  /** In DER. */
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extensions: readonly Buffer[];
}

const AUTHORITY = name('kindwright-ca');

/** Creates an authority and a certificate for `localhost`, 127.0.0.1 and ::1. RFC 5280, ECDSA P-256. */
export function createServingIdentity(nowMs: number): ServingIdentity {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serving = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const validity = { notBeforeMs: nowMs - 3600_000, notAfterMs: nowMs + 10 * YEAR_MS };
  const caPem = signedCertificate(authority.privateKey, {
    subject: AUTHORITY,
    publicKey: infoOf(authority.publicKey),
    ...validity,
    extensions: [
      extension('2.5.29.19', true, sequence(boolean(true))),
      extension('2.5.29.15', true, bitString(Buffer.from([0x06]), 1)),
      extension('2.5.29.14', false, octetString(keyIdentifier(authority.publicKey))),
    ],
  });
  const certPem = signedCertificate(authority.privateKey, {
    subject: name('kindwright-apiserver'),
    publicKey: infoOf(serving.publicKey),
    ...validity,
    extensions: [
      extension('2.5.29.15', true, bitString(Buffer.from([0x80]), 7)),
      extension('2.5.29.37', false, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
      authorityExtension(authority.publicKey),
      extension('2.5.29.17', false, alternativeNames()),
    ],
  });
  const keyPem = serving.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { caPem, certPem, keyPem, caKey: authority.privateKey };
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

function alternativeNames(): Buffer {
  const ipv6Loopback = Buffer.alloc(16);
  ipv6Loopback[15] = 1;
  return sequence(
    implicit(2, Buffer.from('localhost')),
    implicit(2, Buffer.from('kubernetes.default.svc')),
    implicit(7, Buffer.from([127, 0, 0, 1])),
    implicit(7, ipv6Loopback),
  );
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
