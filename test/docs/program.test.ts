import { expect, jest, test } from '@jest/globals';
import { Deployment, Lease } from 'kindwright';
import { eventually, startCluster } from 'kindwright/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PodSet } from '../../docs/examples/pod-set.js';
import { printManifests } from '../../docs/examples/print-manifests.js';
import { main } from '../../docs/examples/program.js';
import { modulesOf } from './doc-files.js';

test('docs/program.md shows the examples', () => {
  const examples = ['program.ts', 'print-manifests.ts'].map((name) =>
    readFileSync(join(import.meta.dirname, '../../docs/examples', name), 'utf8'),
  );
  expect(modulesOf('docs/program.md')).toEqual(examples);
});

test('the program installs its kind, reconciles as the leader, and ends with its signal', async () => {
  await using cluster = await startCluster({ server: 'embedded' });
  const stop = new AbortController();
  const running = main(stop.signal, cluster.kubeconfig);
  const namespace = 'default';
  await eventually(async () => {
    await cluster.client.create(PodSet, { metadata: { name: 'web', namespace }, spec: { size: 2 } });
  });
  await eventually(async () => {
    expect((await cluster.client.get(Deployment, 'web', { namespace })).spec?.replicas).toBe(2);
  });
  expect((await cluster.client.get(Lease, 'podset', { namespace })).spec?.holderIdentity).not.toBe('');
  stop.abort();
  await running;
});

test('definitions and manifests are data', async () => {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  await printManifests();
  expect(log.mock.calls.flat()).toEqual(
    expect.arrayContaining([
      'podsets.docs.example.com',
      'docs.example.com_podsets.yaml',
      expect.stringMatching(/deployment[.]yaml$/),
    ]),
  );
});
