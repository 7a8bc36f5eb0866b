import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Node } from 'kindwright';
import { appliedPools, conflictsOf, correctNode, poolsOf, ROLE } from '../../operators/node-settings.js';

const pool = (name: string, labels: Record<string, string>, taints: { key: string; effect: string }[] = []) => ({
  apiVersion: 'nodes.lailin.xyz/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: { labels, taints },
});
const node = (labels: Record<string, string> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', labels },
});

test('a node belongs to the pools of its empty role labels', () => {
  expect(poolsOf(node({ [`${ROLE}a`]: '', [`${ROLE}b`]: 'x', other: '' }))).toEqual(['a']);
});

test('a node has its system labels and those of its pools', () => {
  const member = node({ 'kubernetes.io/os': 'linux', stray: '1' });
  correctNode(member, [pool('a', { tier: 'gold' }, [{ key: 'dedicated', effect: 'NoSchedule' }])]);
  expect(member.metadata.labels).toEqual({ 'kubernetes.io/os': 'linux', tier: 'gold' });
  expect(member.spec?.taints).toEqual([{ key: 'dedicated', effect: 'NoSchedule' }]);
  expect(appliedPools(member)).toEqual(['a']);
});

test('the first pool by name wins, and the other one reports the conflict', () => {
  const pools = [pool('a', { tier: 'gold' }), pool('b', { tier: 'lead' })];
  const member = node();
  correctNode(member, pools);
  expect(member.metadata.labels).toEqual({ tier: 'gold' });
  expect(conflictsOf(pools[1]!, pools)).toEqual(['label tier has another value in pool a']);
  expect(conflictsOf(pools[0]!, pools)).toEqual([]);
});

test('correcting a node twice changes nothing, and leaving all pools removes what they set', () => {
  const labels = fc.dictionary(fc.constantFrom('x', 'y', 'kubernetes.io/z'), fc.constantFrom('1', '2'));
  fc.assert(
    fc.property(labels, labels, (first, second) => {
      const pools = [pool('a', first), pool('b', second)];
      const member = node({ 'kubernetes.io/os': 'linux' });
      correctNode(member, pools);
      const corrected = structuredClone(member);
      correctNode(member, pools);
      expect(member).toEqual(corrected);
      correctNode(member, []);
      expect(member.metadata.labels).toEqual({ 'kubernetes.io/os': 'linux' });
      expect(appliedPools(member)).toEqual([]);
    }),
  );
});
