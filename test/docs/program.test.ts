import { expect, jest, test } from '@jest/globals';
import { ConfigMap, Lease } from 'kindwright';
import { eventually, startCluster } from 'kindwright/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main, Note, printManifests } from '../../docs/examples/program.js';
import { modulesOf } from './doc-files.js';

test('docs/program.md shows the example', () => {
  const example = readFileSync(join(import.meta.dirname, '../../docs/examples/program.ts'), 'utf8');
  expect(modulesOf('docs/program.md')).toEqual([example]);
});

test('the program installs its kind, reconciles as the leader, and ends with its signal', async () => {
  await using cluster = await startCluster({ server: 'embedded' });
  const stop = new AbortController();
  const running = main(stop.signal, cluster.kubeconfig);
  const namespace = 'default';
  await eventually(async () => {
    await cluster.client.create(Note, { metadata: { name: 'web', namespace }, spec: { text: 'a' } });
  });
  await eventually(async () => {
    expect((await cluster.client.get(ConfigMap, 'web', { namespace })).data).toEqual({ text: 'a' });
  });
  expect((await cluster.client.get(Lease, 'notes', { namespace })).spec?.holderIdentity).not.toBe('');
  stop.abort();
  await running;
});

test('definitions and manifests are data', async () => {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  await printManifests();
  expect(log.mock.calls.flat()).toEqual(
    expect.arrayContaining([
      'notes.docs.example.com',
      'docs.example.com_notes.yaml',
      expect.stringMatching(/deployment[.]yaml$/),
    ]),
  );
});
