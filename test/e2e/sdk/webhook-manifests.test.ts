import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateManifests } from '../../../src/manifests/generate.js';
import { writeManifests } from '../../../src/manifests/output/write.js';
import { load } from '../../manifests/operator-models.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

const out = mkdtempSync(join(tmpdir(), 'kindwright-webhooks-'));
let cluster: SuiteControlPlane;
beforeAll(async () => {
  const sources = await load('docs/examples/replicated-cache.ts');
  writeManifests(generateManifests(sources, { certificates: 'files', watchNamespaces: ['team-a'] }), out);
  cluster = await startSuiteControlPlane();
}, 600_000);
afterAll(async () => {
  await cluster.stop();
  rmSync(out, { recursive: true });
});

test('the manifests of webhooks are valid for the API server, without a warning', async () => {
  const folder = join(out, 'replicatedcache');
  for (const name of ['replicatedcache-system', 'team-a']) await cluster.kubectl(['create', 'namespace', name]);
  const files = ['06-webhook-service', '07-deployment', '08-webhooks'].flatMap((file) => [
    '-f',
    join(folder, `${file}.yaml`),
  ]);
  files.unshift('-f', join(out, 'docs.example.com_replicatedcaches.yaml'));
  const lines = await cluster.kubectl(['apply', '--dry-run=server', '--warnings-as-errors', ...files]);
  expect(lines.trim().split('\n')).toEqual([
    'customresourcedefinition.apiextensions.k8s.io/replicatedcaches.docs.example.com created (server dry run)',
    'service/replicatedcache-webhook-service created (server dry run)',
    'deployment.apps/replicatedcache-controller-manager created (server dry run)',
    'poddisruptionbudget.policy/replicatedcache-controller-manager created (server dry run)',
    'mutatingwebhookconfiguration.admissionregistration.k8s.io/replicatedcache-replicatedcache-system-mutating-webhook-configuration created (server dry run)',
    'validatingwebhookconfiguration.admissionregistration.k8s.io/replicatedcache-replicatedcache-system-validating-webhook-configuration created (server dry run)',
  ]);
});
