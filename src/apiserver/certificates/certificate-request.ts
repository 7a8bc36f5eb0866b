import { ownMember } from '../../base/own-member.js';
import { createPublicKey, verify } from 'node:crypto';
import { identifierOf, membersOf, readDer, type DerValue } from '../../pki/der-reader.js';

const [COMMON_NAME, ORGANIZATION] = ['2.5.4.3', '2.5.4.10'];
const [EXTENSIONS, ALTERNATIVE_NAMES] = ['1.2.840.113549.1.9.14', '2.5.29.17'];
/** Hash by signature algorithm; Ed25519 needs none. */
const HASHES: Readonly<Record<string, string | null>> = {
  '1.2.840.10045.4.1': 'sha1',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.3.101.112': null,
};
/** Tags of the types of alternative names. */
export const NAME_KINDS = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const;

/** A certificate signing request: PKCS #10, RFC 2986. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** DER. */
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  /** GeneralNames in DER. */
  readonly alternativeNames: Buffer | undefined;
  /** True if the request is signed with its own key. */
  readonly isGenuine: boolean;
}

/** @throws Error when the PEM text is not a valid request */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const body = /-----BEGIN CERTIFICATE REQUEST-----\s([\s\S]*?)-----END CERTIFICATE REQUEST-----/.exec(pem)?.[1];
  if (body === undefined) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  const [info, algorithm, signature] = whole(membersOf(readDer(Buffer.from(body, 'base64'))), 3);
  const [, subject, publicKey, attributes] = whole(membersOf(info), 3);
  const names = attributesOf(subject);
  return {
    commonName: names.find(({ id }) => id === COMMON_NAME)?.text ?? '',
    organizations: names.filter(({ id }) => id === ORGANIZATION).map(({ text }) => text),
    subject: subject.whole,
    publicKey: publicKey.whole,
    alternativeNames: attributes && alternativeNamesIn(attributes),
    isGenuine: isSigned(info.whole, publicKey.whole, algorithm, signature),
  };
}

type Three = [DerValue, DerValue, DerValue, DerValue?];

function whole(members: DerValue[], count: number): Three {
  if (members.length < count) throw new Error('x509: malformed certificate request');
  return members as Three;
}

/** Returns the number of alternative names of a type. */
export function countNames({ alternativeNames }: CertificateRequest, kind: keyof typeof NAME_KINDS): number {
  if (!alternativeNames) return 0;
  return membersOf(readDer(alternativeNames)).filter(({ tag }) => tag === NAME_KINDS[kind]).length;
}

function attributesOf(name: DerValue): { id: string; text: string }[] {
  return membersOf(name)
    .flatMap(membersOf)
    .map((attribute) => {
      const [id, value] = membersOf(attribute);
      return { id: id ? identifierOf(id) : '', text: value?.content.toString() ?? '' };
    });
}

/** Returns the alternative names in the requested extensions. */
function alternativeNamesIn(attributes: DerValue): Buffer | undefined {
  const asked = membersOf(attributes).map(membersOf);
  const [, values] = asked.find(([id]) => id && identifierOf(id) === EXTENSIONS) ?? [];
  const extensions = values ? membersOf(values).flatMap(membersOf).map(membersOf) : [];
  return extensions.find(([id]) => id && identifierOf(id) === ALTERNATIVE_NAMES)?.at(-1)?.content;
}

function isSigned(info: Buffer, publicKey: Buffer, algorithm: DerValue, { content }: DerValue): boolean {
  const [id] = membersOf(algorithm);
  const hash = ownMember(HASHES, id ? identifierOf(id) : '');
  if (hash === undefined) return false;
  const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  return verify(hash, info, key, content.subarray(1)); // without the leading count of unused bits
}
