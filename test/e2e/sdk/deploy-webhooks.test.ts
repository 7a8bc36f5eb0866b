import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, loadClusterConfig, NotFoundError, Secret, ValidatingWebhookConfiguration } from 'kindwright';
import { TemporaryProject } from '../../cli/temporary-project.js';
import { startSuiteCluster, type SuiteCluster } from '../suite-cluster.js';

const root = join(import.meta.dirname, '..', '..', '..');
const NAMESPACE = 'replicatedcache-system';
const CONFIGURATION = 'replicatedcache-validating-webhook-configuration';

let cluster: SuiteCluster;
let client: Client;
let project: TemporaryProject;
beforeAll(async () => {
  cluster = await startSuiteCluster();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  const example = readFileSync(join(root, 'docs', 'examples', 'replicated-cache.ts'), 'utf8');
  project = new TemporaryProject({
    'operators/replicated-cache.ts': example,
    'package.json': JSON.stringify({ name: 'caches' }),
  });
});
afterAll(async () => {
  client.close();
  project.remove();
  await cluster.stop();
});

const kindwright = (...args: string[]) => project.run('kindwright', [...args, '--kubeconfig', cluster.kubeconfig]);

test('deploy applies webhook configurations after the rollout, and undeploy deletes them first (part of W19)', async () => {
  const { exitCode, stdout } = await kindwright('deploy', '--image', 'caches:1');
  expect({ exitCode, last: stdout.trim().split('\n').slice(-3) }).toEqual({
    exitCode: 0,
    last: [
      `Deployment ${NAMESPACE}/replicatedcache-controller-manager runs caches:1`,
      'applied MutatingWebhookConfiguration replicatedcache-mutating-webhook-configuration',
      `applied ValidatingWebhookConfiguration ${CONFIGURATION}`,
    ],
  });
  expect((await client.get(ValidatingWebhookConfiguration, CONFIGURATION)).webhooks).toHaveLength(1);
  const secret = () => client.get(Secret, 'replicatedcache-webhook-ca', { namespace: NAMESPACE });
  expect(await secret()).toMatchObject({ type: 'Opaque' });
  const undeployed = await kindwright('undeploy', '--crds', '--yes');
  expect(undeployed.exitCode).toBe(0);
  expect(undeployed.stdout.split('\n').slice(0, 3)).toEqual([
    'deleted MutatingWebhookConfiguration replicatedcache-mutating-webhook-configuration',
    `deleted ValidatingWebhookConfiguration ${CONFIGURATION}`,
    'deleted CustomResourceDefinition replicatedcaches.docs.example.com',
  ]);
  expect(undeployed.stdout).toContain(`deleted Secret ${NAMESPACE}/replicatedcache-webhook-ca`);
  await expect(secret()).rejects.toThrow(NotFoundError);
});
