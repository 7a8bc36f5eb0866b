import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, Secret } from '../../../src/api/kinds/kinds.js';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import type { Client } from '../../../src/client/client.js';
import type { ReviewedVisibility } from '../../../src/console/access/review-visibility.js';
import type { ConsoleParts } from '../../../src/console/console-parts.js';
import { ClusterAccess } from '../../../src/console/server/cluster-access.js';
import type { ConsoleRequest } from '../../../src/console/server/server-access.js';

interface Attributes {
  readonly group?: string;
  readonly resource?: string;
  readonly namespace?: string;
}

let clock: FakeClock;
let access: ClusterAccess;
/** What users may list: `resource`, or `resource in namespace`. */
let permitted: Set<string>;
let isTokenValid: boolean;
let reviews: string[];
let views: ReviewedVisibility[];

beforeEach(() => {
  clock = new FakeClock();
  permitted = new Set();
  isTokenValid = true;
  reviews = [];
  views = [];
  const create = ({ kind }: KindRef, { spec }: { spec: { resourceAttributes?: Attributes } }) => {
    if (kind === 'TokenReview') return Promise.resolve({ status: { authenticated: isTokenValid, user: {} } });
    if (!spec.resourceAttributes) return Promise.resolve({ status: { allowed: true } });
    const { resource = '', namespace } = spec.resourceAttributes;
    const name = namespace === undefined ? resource : `${resource} in ${namespace}`;
    reviews.push(name);
    return Promise.resolve({ status: { allowed: permitted.has(name) } });
  };
  access = new ClusterAccess({
    client: { create } as unknown as Client,
    clock,
    logger: silentLogger,
    scope: () => ({ kinds: [ConfigMap, Secret], namespaces: ['a', 'b'] }),
    viewsOf: (visibility) => {
      views.push(visibility);
      const streams = { open: () => (response: Ended) => response.ended, close: () => undefined };
      return { mode: 'read-only', streams } as unknown as ConsoleParts;
    },
  });
});

/** A response that a client reads until it is ended. */
class Ended {
  isEnded = false;
  private resolve: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => (this.resolve = resolve));
  end(): void {
    this.isEnded = true;
    this.resolve();
  }
}

const REQUEST = { headers: { authorization: 'Bearer x' }, socket: {} } as unknown as IncomingMessage;

async function openStream(): Promise<Ended> {
  const admission = await access.admit(REQUEST);
  if ('refusal' in admission) throw new Error(admission.refusal.error);
  const asked: ConsoleRequest = {
    method: 'GET',
    path: ['stream'],
    query: new URLSearchParams(),
    headers: {},
    body: '',
  };
  const answer = await admission.answer(asked);
  const response = new Ended();
  if ('stream' in answer) void answer.stream(response as unknown as ServerResponse);
  return response;
}

describe('ClusterAccess', () => {
  test('reviews kinds in all namespaces, then in each, and a user who may list everything once', async () => {
    permitted = new Set(['configmaps', 'secrets in a']);
    await access.admit(REQUEST);
    expect(reviews.sort()).toEqual(['*', 'configmaps', 'secrets', 'secrets in a', 'secrets in b']);
    const [visibility] = views;
    const sees = (kind: string, namespace: string, cluster?: string) => visibility!.sees({ kind, namespace, cluster });
    expect([sees('ConfigMap', 'c'), sees('Secret', 'a'), sees('Secret', 'b')]).toEqual([true, true, false]);
    expect([sees('Pod', 'a'), sees('ConfigMap', 'a', 'other cluster')]).toEqual([false, false]);
    reviews = [];
    permitted = new Set(['*']);
    await clock.advance(60_001);
    await access.admit(REQUEST);
    expect(reviews).toEqual(['*']);
    expect(views.at(-1)?.sees({ kind: 'Pod', namespace: 'b', cluster: 'other cluster' })).toBe(true);
  });

  test('shares the reviews of concurrent requests, and remembers them for a minute', async () => {
    await Promise.all([access.admit(REQUEST), access.admit(REQUEST), access.admit(REQUEST)]);
    const { length } = reviews;
    await clock.advance(59_000);
    await access.admit(REQUEST);
    expect([reviews.length, views.length]).toEqual([length, 1]);
  });

  test('ends a stream when the permissions of its user have changed', async () => {
    permitted = new Set(['secrets in a']);
    const stream = await openStream();
    await clock.advance(60_001);
    expect(stream.isEnded).toBe(false);
    permitted = new Set(['configmaps']);
    await clock.advance(61_000);
    expect(stream.isEnded).toBe(true);
    expect(views).toHaveLength(2);
  });

  test('ends a stream when its token is no longer valid, and all streams when it is closed', async () => {
    const stream = await openStream();
    isTokenValid = false;
    await clock.advance(121_000);
    expect(stream.isEnded).toBe(true);
    isTokenValid = true;
    await clock.advance(11_000);
    const other = await openStream();
    access.close();
    expect(other.isEnded).toBe(true);
  });
});
