import { expect, test } from '@jest/globals';
import { explore } from '../explore.js';
import { LeaseModel, type LeaseModelOptions } from './lease-model.js';

/**
 * A takeover needs four ticks: a lease expires after three. Two faults lead to no violation either, but to 50,000 states,
 * which take 20 s: too long for each run. `leader-election-rounds.test.ts` has several faults, chosen at random.
 */
const SCOPE = { ticks: 6, faults: 1 };

function exploration(options: Partial<LeaseModelOptions> = {}) {
  const led = new Set<number>();
  const fence: LeaseModelOptions['fence'] = ({ isLeading }) => isLeading;
  const onEnd = (leaders: number): void => {
    led.add(leaders);
  };
  return { led, explored: explore(() => new LeaseModel({ ...SCOPE, fence, onEnd, ...options })) };
}

test('no two processes may write at the same time, in every interleaving of requests, time and a fault', async () => {
  const { led, explored } = exploration();
  const { states } = await explored;
  expect(states).toBeGreaterThan(1000);
  // There are interleavings with one leader, and with a takeover.
  expect([...led].sort()).toEqual([1, 2]);
}, 60_000);

test.each<[string, Partial<LeaseModelOptions>]>([
  ['a fence that ignores the expiry', { fence: (elector) => Reflect.get(elector, 'renewed') !== undefined }],
  ['a server that stores updates of old versions', { ignoresVersions: true }],
])(
  'the exploration finds two writers with %s',
  async (_, options) => {
    await expect(exploration(options).explored).rejects.toThrow(/after .*: two processes may write/);
  },
  60_000,
);
