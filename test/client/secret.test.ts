import { expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { Secret } from '../../src/client/secret.js';

test('no text made from an object that holds a secret contains the secret', () => {
  const holder = { token: new Secret('s3cret') };
  const texts = [inspect(holder, { depth: null, showHidden: true }), JSON.stringify(holder)];
  expect(texts.join()).not.toContain('s3cret');
  expect(holder.token.reveal()).toBe('s3cret');
});
