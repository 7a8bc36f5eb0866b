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

/** A key with its certificate, in PEM. */
export interface KeyCertificate {
  readonly keyPem: string;
  readonly certPem: string;
}

/** A certificate authority that lives as long as its server, and a serving certificate it signed. */
export interface ServingIdentity extends KeyCertificate {
  readonly caPem: string;
}

interface Subject {
  readonly commonName: string;
  readonly publicKey: KeyObject;
}

/** Makes an authority and a certificate for `localhost`, 127.0.0.1 and ::1. RFC 5280, ECDSA P-256. */
export function createServingIdentity(nowMs: number): ServingIdentity {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serving = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ca: Subject = { commonName: 'kindwright-ca', publicKey: authority.publicKey };
  const leaf: Subject = { commonName: 'kindwright-apiserver', publicKey: serving.publicKey };
  const caPem = certificate(ca, ca, authority.privateKey, nowMs, [
    extension('2.5.29.19', true, sequence(boolean(true))),
    extension('2.5.29.15', true, bitString(Buffer.from([0x06]), 1)),
    extension('2.5.29.14', false, octetString(keyIdentifier(ca.publicKey))),
  ]);
  const certPem = certificate(leaf, ca, authority.privateKey, nowMs, [
    extension('2.5.29.15', true, bitString(Buffer.from([0x80]), 7)),
    extension('2.5.29.37', false, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.35', false, sequence(implicit(0, keyIdentifier(ca.publicKey)))),
    extension('2.5.29.17', false, alternativeNames()),
  ]);
  return { caPem, certPem, keyPem: serving.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
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

function certificate(
  subject: Subject,
  issuer: Subject,
  issuerKey: KeyObject,
  nowMs: number,
  extensions: Buffer[],
): string {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40; // positive, and no leading zero
  const tbs = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_WITH_SHA256,
    name(issuer.commonName),
    sequence(utcTime(nowMs - 3600_000), utcTime(nowMs + 10 * YEAR_MS)),
    name(subject.commonName),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions)),
  );
  const der = sequence(tbs, ECDSA_WITH_SHA256, bitString(sign('sha256', tbs, issuerKey)));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function name(commonName: string): Buffer {
  return sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}
