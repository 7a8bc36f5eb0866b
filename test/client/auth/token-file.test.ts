import { describe, expect, test } from '@jest/globals';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { TokenFile } from '../../../src/client/auth/token-file.js';
import { Secret } from '../../../src/client/secret.js';
import { tempFolder } from '../temp-folder.js';

function setUp(content: string) {
  const file = join(tempFolder({ token: content }), 'token');
  const clock = new FakeClock();
  return { file, clock, token: new TokenFile(file, clock) };
}

describe('TokenFile', () => {
  test('gives the token of the file, without its line end', () => {
    expect(setUp('one\n').token.authorization()).toBe('Bearer one');
  });

  test('takes a new one up within a minute', async () => {
    const { file, clock, token } = setUp('one');
    token.authorization();
    writeFileSync(file, 'two');
    await clock.advance(59_999);
    expect(token.authorization()).toBe('Bearer one');
    await clock.advance(1);
    expect(token.authorization()).toBe('Bearer two');
  });

  test('takes a new one up at once when the old one is refused', () => {
    const { file, token } = setUp('one');
    token.authorization();
    writeFileSync(file, 'two');
    expect(token.reject('Bearer one')).toBe(true);
    expect(token.authorization()).toBe('Bearer two');
  });

  test('has nothing better when the file still holds what was refused', () => {
    const { token } = setUp('one');
    token.authorization();
    expect(token.reject('Bearer one')).toBe(false);
  });

  test.each(['', '\n', undefined])('keeps the last one while the file holds %j', async (content) => {
    const { file, clock, token } = setUp('one');
    token.authorization();
    if (content === undefined) rmSync(file);
    else writeFileSync(file, content);
    await clock.advance(60_000);
    expect(token.authorization()).toBe('Bearer one');
  });

  test('never gives an empty token', () => {
    const { file, token } = setUp('');
    expect(() => token.authorization()).toThrow(`${file}: the token file is missing, unreadable or empty`);
  });

  test('uses the token of the kubeconfig while the file is missing', () => {
    const token = new TokenFile('/nonexistent', new FakeClock(), new Secret('other'));
    expect(token.authorization()).toBe('Bearer other');
  });

  test('refuses one that would break the header, without showing it', () => {
    const act = () => setUp('s3cret\r\nX: y').token.authorization();
    expect(act).toThrow('the token contains characters that are not allowed in a header');
    expect(act).not.toThrow('s3cret');
  });
});
