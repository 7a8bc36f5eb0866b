import { beforeEach, describe, expect, test } from '@jest/globals';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import type { Client } from '../../../src/client/client.js';
import { TokenAccess } from '../../../src/manager/metrics/token-access.js';

let clock: FakeClock;
let access: TokenAccess;
/** The kinds of the reviews that were sent. */
let reviews: string[];
/** Set to delay the reviews. */
let ready: Promise<void>;

beforeEach(() => {
  clock = new FakeClock();
  reviews = [];
  ready = Promise.resolve();
  const create = async ({ kind }: KindRef, { spec }: { spec: { token?: string; user?: string } }) => {
    reviews.push(kind);
    await ready;
    if (kind !== 'TokenReview') return { status: { allowed: spec.user === 'reader' } };
    const username = spec.token?.split('-')[0];
    return { status: { authenticated: username !== 'made', user: { username } } };
  };
  access = new TokenAccess({ create } as unknown as Client, clock);
});

const ask = async (token: string, peer = '10.0.0.1') => {
  const admission = await access.admit({ authorization: `Bearer ${token}`, path: '/metrics', peer });
  return 'refusal' in admission ? admission.refusal.status : 200;
};

describe('TokenAccess', () => {
  test('a user with permission to read metrics is accepted, and reviewed again after a minute', async () => {
    expect([await ask('reader-1'), await ask('reader-1')]).toEqual([200, 200]);
    expect(reviews).toEqual(['TokenReview', 'SubjectAccessReview']);
    await clock.advance(60_001);
    expect(await ask('reader-1')).toBe(200);
    expect(reviews).toHaveLength(4);
  });

  test.each([
    ['made-up', 401, 1],
    ['stranger-1', 403, 2],
  ])('the token %s is rejected with %d, and reviewed again only after ten seconds', async (token, status, count) => {
    for (let index = 0; index < 100; index++) expect(await ask(token)).toBe(status);
    expect(reviews).toHaveLength(count);
    await clock.advance(10_001);
    expect(await ask(token)).toBe(status);
    expect(reviews).toHaveLength(2 * count);
  });

  test('simultaneous requests with one token lead to one review', async () => {
    expect(await Promise.all(Array.from({ length: 50 }, () => ask('reader-1')))).toEqual(Array(50).fill(200));
    expect(reviews).toHaveLength(2);
  });

  test('unknown tokens of one address do not affect a new token of another', async () => {
    for (let index = 0; index < 1000; index++) await ask(`made-${String(index)}`);
    expect(await ask('reader-rotated', '10.0.0.2')).toBe(200);
  });

  test('slow reviews for one address do not affect other addresses', async () => {
    let open = (): void => undefined;
    ready = new Promise((resolve) => (open = resolve));
    const flood = Array.from({ length: 15 }, (_, index) => ask(`made-${String(index)}`));
    const other = ask('reader-1', '10.0.0.2');
    open();
    expect((await Promise.all(flood)).filter((status) => status === 401)).toHaveLength(3);
    expect(await other).toBe(200);
  });

  test('unknown tokens of one address lead to at most 20 reviews in ten seconds', async () => {
    for (let index = 0; index < 1000; index++) await ask(`made-${String(index)}`);
    expect(reviews).toHaveLength(20);
    expect(await ask('made-1001')).toBe(429);
    await clock.advance(10_001);
    expect(await ask('made-1002')).toBe(401);
  });

  test('a known user is accepted while unknown tokens arrive', async () => {
    expect(await ask('reader-1')).toBe(200);
    await clock.advance(60_001);
    for (let index = 0; index < 1000; index++) await ask(`made-${String(index)}`);
    expect(await ask('reader-1')).toBe(200);
  });

  test('at most ten reviews are sent at the same time', async () => {
    let open = (): void => undefined;
    ready = new Promise((resolve) => (open = resolve));
    const statuses = Array.from({ length: 15 }, (_, index) =>
      ask(`reader-${String(index)}`, `10.0.0.${String(index)}`),
    );
    expect(reviews).toHaveLength(10);
    open();
    expect((await Promise.all(statuses)).sort()).toEqual([
      ...Array<number>(10).fill(200),
      ...Array<number>(5).fill(429),
    ]);
  });

  test('a failed review is not remembered', async () => {
    ready = Promise.reject(new Error('no server'));
    await expect(ask('reader-1')).rejects.toThrow('no server');
    ready = Promise.resolve();
    expect(await ask('reader-1')).toBe(200);
  });
});
