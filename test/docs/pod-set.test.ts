import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { PodSet } from '../../docs/examples/pod-set.js';
import { lineCount, moduleWith } from './doc-files.js';

const source = (name: string) =>
  readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'examples', `${name}.ts`), 'utf8');
const lines = (name: string) => lineCount(source(name));

test('an operator with both kinds of webhook methods has at most 60 lines, one with two versions 120', () => {
  expect(lines('pod-set')).toBeLessThanOrEqual(60);
  expect(lines('replicated-cache')).toBeLessThanOrEqual(60);
  expect(lines('scheduled-task')).toBeLessThanOrEqual(120);
});

test('the guide to webhooks shows the whole operator', () => {
  expect(moduleWith('docs/webhooks.md', 'class PodSet extends')).toBe(source('pod-set'));
});

describe('the operator with both kinds of webhook methods', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
    await cluster.run(PodSet);
  });
  afterAll(() => cluster.stop());

  const create = (name: string, size: number) =>
    cluster.create(PodSet, { metadata: { name, namespace: 'default' }, spec: { size } });

  test('a set is stored with its creator, and is reconciled', async () => {
    const { metadata } = await create('a', 2);
    expect(metadata.annotations).toEqual({ 'docs.example.com/creator': 'kubernetes-admin' });
    const deployment = await eventually(() => cluster.client.get(Deployment, 'a', { namespace: 'default' }));
    expect(deployment.spec?.replicas).toBe(2);
    await eventually(async () => {
      const { status } = await cluster.client.get(PodSet, 'a', { namespace: 'default' });
      expect(status?.pods).toHaveLength(2);
    });
  });

  test('the sets of a namespace share a limit', async () => {
    await create('b', 50);
    await eventually(async () => {
      await expect(create('c', 51)).rejects.toThrow(/spec\.size: \d+ pods in the namespace, 100 are allowed/);
    });
  });
});
