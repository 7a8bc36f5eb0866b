import { generateKeyPairSync } from 'node:crypto';
import { createServingIdentity } from '../../../src/pki/certificate.js';

const { keyPem, certPem } = createServingIdentity(Date.now());
const keyOf = (type: 'ec' | 'rsa'): string => {
  const { privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 1024 });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
};
const block = (type: string): string => `-----BEGIN ${type}-----\nYWJj\n-----END ${type}-----\n`;

/** Pairs of a certificate and a key that a Secret accepts, and their warnings. */
export const WARNED_SECRETS: readonly (readonly [what: string, cert: string, key: string, warnings: string[]])[] = [
  ['a certificate and its key', certPem, keyPem, []],
  ['a certificate behind text', `subject: x\n${certPem}`, `\n${keyPem}`, []],
  ['no certificate', 'abc', keyPem, ['tls: failed to find any PEM data in certificate input']],
  ['no key', certPem, '', ['tls: failed to find any PEM data in key input']],
  [
    'both at the place of the other',
    keyPem,
    certPem,
    [
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
  ],
  [
    'a certificate for a key',
    certPem,
    certPem,
    ['tls: found a certificate rather than a key in the PEM for the private key'],
  ],
  [
    'other things for a certificate',
    block('A') + block('B'),
    keyPem,
    [
      'tls: failed to find \\"CERTIFICATE\\" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
    ],
  ],
  [
    'other things for a key',
    certPem,
    block('A') + block('B'),
    [
      'tls: failed to find PEM block with type ending in \\"PRIVATE KEY\\" in key input after skipping PEM blocks of the following types: [A B]',
    ],
  ],
  ['no certificate in the block', block('CERTIFICATE'), keyPem, ['x509: malformed certificate']],
  ['no key in the block', certPem, block('PRIVATE KEY'), ['tls: failed to parse private key']],
  ['the key of another', certPem, keyOf('ec'), ['tls: private key does not match public key']],
  ['a key of another type', certPem, keyOf('rsa'), ['tls: private key type does not match public key type']],
];
