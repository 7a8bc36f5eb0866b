import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConfigMap, Secret } from 'kindwright';
import { Redactor } from '../../../src/api/access/redaction.js';

const account = { group: 'example.com', kind: 'Account' };

describe('a redactor', () => {
  test('replaces the data of Secrets by hashes, equal for equal values', () => {
    const redactor = new Redactor();
    const { data } = redactor.redact(Secret, { data: { a: 'c2VjcmV0', b: 'c2VjcmV0', c: 'b3RoZXI=' } }) as {
      data: Record<string, string>;
    };
    expect(data['a']).toMatch(/^‹redacted [0-9a-f]{8}›$/);
    expect(data['b']).toBe(data['a']);
    expect(data['c']).not.toBe(data['a']);
  });

  test('has another key in each process, so that secrets cannot be guessed from the hashes', () => {
    const redact = () => JSON.stringify(new Redactor().redact(Secret, { stringData: { a: 'guess' } }));
    expect(redact()).not.toBe(redact());
  });

  test('leaves other values as they are', () => {
    const object = { metadata: { name: 'a' }, data: { a: '1' }, n: 1, b: true, none: null, list: [1, { a: 'x' }] };
    expect(new Redactor().redact(ConfigMap, object)).toEqual(object);
  });

  test('does not redact twice', () => {
    const redactor = new Redactor();
    const once = redactor.redact(Secret, { data: { a: 'x' } });
    expect(redactor.redact(Secret, once)).toEqual(once);
  });

  test('replaces the value of a changed field by its path', () => {
    const redactor = new Redactor();
    redactor.addKind(account, [['spec', 'users', '*', 'password']]);
    expect(redactor.redact(account, 'pw', ['spec', 'users', 3, 'password'])).toMatch(/^‹redacted/);
    expect(redactor.redact(account, [{ name: 'a', password: 'pw' }], ['spec', 'users'])).toEqual([
      { name: 'a', password: expect.stringMatching(/^‹redacted/) },
    ]);
  });

  test('no planted secret remains, wherever it stands', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9]{16,40}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 20, maxLength: 20 }), fc.string(), (secrets, noise) => {
        const redactor = new Redactor();
        redactor.addKind(account, [
          ['spec', 'password'],
          ['spec', 'keys', '*'],
        ]);
        const texts = secrets.map((secret, index) => planted(redactor, secret, noise, index));
        for (const [index, text] of texts.entries()) expect(text).not.toContain(secrets[index]);
      }),
    );
  });
});

/** Ten ways in which a secret reaches an object or a text, as the console would print it. */
function planted(redactor: Redactor, secret: string, noise: string, index: number): string {
  const ways = [
    () => redactor.redact(Secret, { data: { [`k${noise}`]: secret } }),
    () => redactor.redact(Secret, { stringData: { a: `${noise} ${secret}` } }),
    () =>
      redactor.redact(Secret, {
        metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"data":{"a":"${secret}"}}` } },
      }),
    () => redactor.redact(account, { spec: { password: secret, name: noise } }),
    () => redactor.redact(account, { spec: { keys: [secret, { deep: secret }] } }),
    () => redactor.redact(account, { spec: { password: { deep: [secret] } } }),
    () => redactor.text(`${noise} Authorization: Bearer ${secret}`),
    () => redactor.redact(ConfigMap, { data: { key: `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n` } }),
    () => redactor.text(`connect to postgres://user:${secret}@db/x`),
    () => redactor.redact(ConfigMap, { data: { a: [`token eyJhbGciOi.${secret}.${secret}`] } }),
  ];
  return JSON.stringify(ways[index % ways.length]?.());
}
