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
  test('the token of a file is sent without its line end', () => {
    expect(setUp('one\n').token.authorization()).toBe('Bearer one');
  });

  test('a new token in the file is used within a minute', async () => {
    const { file, clock, token } = setUp('one');
    token.authorization();
    writeFileSync(file, 'two');
    await clock.advance(59_999);
    expect(token.authorization()).toBe('Bearer one');
    await clock.advance(1);
    expect(token.authorization()).toBe('Bearer two');
  });

  test('a new token in the file is used immediately when the old one is refused', () => {
    const { file, token } = setUp('one');
    token.authorization();
    writeFileSync(file, 'two');
    expect(token.reject('Bearer one')).toBe(true);
    expect(token.authorization()).toBe('Bearer two');
  });

  test('a refused token is not renewed while its file still contains it', () => {
    const { token } = setUp('one');
    token.authorization();
    expect(token.reject('Bearer one')).toBe(false);
  });

  test.each(['', '\n', undefined])('the last token stays in use while its file contains %j', async (content) => {
    const { file, clock, token } = setUp('one');
    token.authorization();
    if (content === undefined) rmSync(file);
    else writeFileSync(file, content);
    await clock.advance(60_000);
    expect(token.authorization()).toBe('Bearer one');
  });

  test('an empty token file never yields an empty token', () => {
    const { file, token } = setUp('');
    expect(() => token.authorization()).toThrow(`${file}: the token file is missing, unreadable or empty`);
  });

  test('the token of the kubeconfig is used while the token file is missing', () => {
    const token = new TokenFile('/nonexistent', new FakeClock(), new Secret('other'));
    expect(token.authorization()).toBe('Bearer other');
  });

  test('a token file whose token would break the header is refused, and the error does not contain it', () => {
    const act = () => setUp('s3cret\r\nX: y').token.authorization();
    expect(act).toThrow('the token contains characters that are not allowed in a header');
    expect(act).not.toThrow('s3cret');
  });
});
