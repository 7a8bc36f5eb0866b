import { expect, test } from '@jest/globals';
import { untilInitialized } from './until-initialized.js';

const replies = (...all: readonly (readonly [number, string])[]) => {
  const left = all.map(([code, message]) => ({ code, body: { message } }));
  return () => Promise.resolve(left.shift()!);
};

test('a request is sent again while the API server fills the cache of its kind', async () => {
  const initializing = [429, 'storage is (re)initializing'] as const;
  expect(await untilInitialized(replies(initializing, initializing, [200, '']))).toMatchObject({ code: 200 });
});

test('any other response is returned as it is', async () => {
  const evicted = [429, 'Cannot evict pod'] as const;
  expect(await untilInitialized(replies(evicted, [200, '']))).toMatchObject({ code: 429 });
});
