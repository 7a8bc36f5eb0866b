import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CustomResourceDefinition,
  Namespace,
  Node,
  NotFoundError,
  Secret,
  ValidatingWebhookConfiguration,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { once } from 'node:events';
import { ScheduledTask, ScheduledTaskV2 } from '../../../docs/examples/scheduled-task.js';
import { ReplicatedCache } from '../../../docs/examples/replicated-cache.js';
import { silentLogger } from '../../../src/base/logger.js';
import { SystemClock } from '../../../src/base/system-clock.js';
import { startIssuer } from '../../../src/manager/webhooks/certificates/start-issuer.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { TemporaryProject } from '../../cli/temporary-project.js';
import { ProjectSuite } from '../sdk/project-suite.js';
import { installKinds } from '../sdk/running-manager.js';

const root = join(import.meta.dirname, '..', '..', '..');
const NAMESPACE = 'replicatedcache-system';
const MUTATING = 'replicatedcache-mutating-webhook-configuration';
const CONFIGURATION = 'replicatedcache-validating-webhook-configuration';

const example = readFileSync(join(root, 'docs', 'examples', 'replicated-cache.ts'), 'utf8');
const suite = new ProjectSuite({
  'operators/replicated-cache.ts': example,
  'package.json': JSON.stringify({ name: 'caches' }),
});

test('deploy applies webhook configurations after the rollout, and undeploy deletes them first (W19)', async () => {
  const { exitCode, stdout } = await suite.kindwright('deploy', '--image', 'caches:1');
  expect({ exitCode, last: stdout.trim().split('\n').slice(-4) }).toEqual({
    exitCode: 0,
    last: [
      `Deployment ${NAMESPACE}/replicatedcache-controller-manager runs caches:1`,
      `applied MutatingWebhookConfiguration ${MUTATING}`,
      `applied ValidatingWebhookConfiguration ${CONFIGURATION}`,
      `not waiting for the caBundle of MutatingWebhookConfiguration ${MUTATING}, ValidatingWebhookConfiguration ${CONFIGURATION}: its pods are on simulated nodes, where no process runs`,
    ],
  });
  expect((await suite.client.get(ValidatingWebhookConfiguration, CONFIGURATION)).webhooks).toHaveLength(1);
  const secret = () => suite.client.get(Secret, 'replicatedcache-webhook-ca', { namespace: NAMESPACE });
  expect(await secret()).toMatchObject({ type: 'Opaque' });
  const undeployed = await suite.kindwright('undeploy', '--crds', '--yes');
  expect(undeployed.exitCode).toBe(0);
  expect(undeployed.stdout.split('\n').slice(2, 5)).toEqual([
    `deleted MutatingWebhookConfiguration ${MUTATING}`,
    `deleted ValidatingWebhookConfiguration ${CONFIGURATION}`,
    'deleted CustomResourceDefinition replicatedcaches.docs.example.com',
  ]);
  expect(undeployed.stdout).toContain(`deleted Secret ${NAMESPACE}/replicatedcache-webhook-ca`);
  await expect(secret()).rejects.toThrow(NotFoundError);
});

describe('deploy on nodes that run processes', () => {
  const setRuntime = async (containerRuntimeVersion: string): Promise<void> => {
    const status = { nodeInfo: { containerRuntimeVersion } };
    for (const { metadata } of (await suite.client.list(Node)).items)
      await suite.client.patch(Node, metadata.name, { status }, { subresource: 'status' });
  };
  beforeAll(() => setRuntime('containerd://2.1.0'));
  afterAll(() => setRuntime('simulated'));

  test('deploy fails when the operator does not set the caBundle, and names what lacks it (W12)', async () => {
    const { exitCode, stderr } = await suite.kindwright('deploy', '--image', 'caches:1', '--timeout', '15s');
    expect(stderr).toContain(
      `timed out waiting for the caBundle of MutatingWebhookConfiguration ${MUTATING}, ValidatingWebhookConfiguration ${CONFIGURATION}`,
    );
    expect(stderr).toContain(`kubectl -n ${NAMESPACE} logs deployment/replicatedcache-controller-manager`);
    expect(exitCode).toBe(1);
  });

  test('deploy waits for the caBundle, and webhooks that a release adds have it from the start (W12, W20)', async () => {
    const ended = new AbortController();
    const issuer = startIssuer(
      { client: suite.client, operator: 'replicatedcache', namespace: NAMESPACE },
      {
        models: buildResourceModels([ReplicatedCache]),
        watchNamespaces: [],
        clock: new SystemClock(),
        logger: silentLogger,
        metrics: undefined,
        signal: ended.signal,
        onCertificate: () => undefined,
      },
    );
    expect(await suite.kindwright('deploy', '--image', 'caches:1')).toMatchObject({ exitCode: 0, stderr: '' });
    const bundles: (string | undefined)[] = [];
    const seen = suite.client.streamWatch(
      ValidatingWebhookConfiguration,
      { fieldSelector: `metadata.name=${CONFIGURATION}`, signal: ended.signal },
      (_type, object) => {
        const { webhooks = [] } = object as ValidatingWebhookConfiguration;
        bundles.push(...webhooks.map(({ clientConfig }) => clientConfig.caBundle));
      },
    );
    const added = example.replace('@Validate() async check', '@Validate({ timeoutSeconds: 4 }) async check');
    suite.project.write({ 'operators/replicated-cache.ts': added });
    expect(await suite.kindwright('deploy', '--image', 'caches:2')).toMatchObject({ exitCode: 0, stderr: '' });
    const { webhooks } = await suite.client.get(ValidatingWebhookConfiguration, CONFIGURATION);
    expect(webhooks?.map(({ name }) => name)).toEqual([
      'timeout.validate.replicatedcaches.docs.example.com',
      'validate.replicatedcaches.docs.example.com',
    ]);
    await eventually(() => expect(bundles.length).toBeGreaterThan(2));
    expect(bundles.filter((bundle) => !bundle)).toEqual([]);
    suite.project.write({ 'operators/replicated-cache.ts': example });
    ended.abort();
    await issuer.close();
    await seen.catch(() => undefined);
    expect((await suite.kindwright('undeploy', '--crds', '--yes')).exitCode).toBe(0);
  });
});

test('undeploy that is killed and repeated ends the conversion, so that nothing waits for the operator (W19)', async () => {
  const tasks = new TemporaryProject({
    'operators/scheduled-task.ts': readFileSync(join(root, 'docs', 'examples', 'scheduled-task.ts'), 'utf8'),
    'package.json': JSON.stringify({ name: 'tasks' }),
  });
  const command = (...args: string[]) => [...args, '--kubeconfig', suite.cluster.kubeconfig];
  const definition = () => suite.client.get(CustomResourceDefinition, 'scheduledtasks.docs.example.com');
  const namespace = 'tasks';
  const pod = { containers: [{ name: 'task', image: 'busybox' }] };
  const task = (name: string) => ({ metadata: { name, namespace }, spec: { schedule: '0 3 * * *', pod } });
  await suite.client.create(Namespace, { metadata: { name: namespace } });
  await installKinds(suite.client, [ScheduledTask, ScheduledTaskV2]);
  await suite.client.create(ScheduledTask, task('a'));
  const deploy = () => tasks.run('kindwright', command('deploy', '--image', 'tasks:1'));
  expect(await deploy()).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await definition()).spec.conversion?.strategy).toBe('Webhook');
  await expect(suite.client.create(ScheduledTask, task('b'))).rejects.toThrow(/failed calling webhook/);

  const killed = tasks.start('kindwright', command('undeploy', '--yes'));
  await once(killed.stdout!, 'data'); // the first deletion
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const undeployed = await tasks.run('kindwright', command('undeploy', '--yes'));
  expect(undeployed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(undeployed.stdout).toContain('scheduledtasks.docs.example.com serves only its stored version');
  const { spec } = await definition();
  expect(spec.conversion).toEqual({ strategy: 'None' });
  expect(spec.versions.map(({ name, served }) => [name, served])).toEqual([
    ['v1', true],
    ['v2', false],
  ]);
  await suite.client.create(ScheduledTask, task('b'));
  expect((await suite.client.get(ScheduledTask, 'a', { namespace })).spec.schedule).toBe('0 3 * * *');

  expect(await deploy()).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await definition()).spec).toMatchObject({
    conversion: { strategy: 'Webhook' },
    versions: [{}, { served: true }],
  });
  expect((await tasks.run('kindwright', command('undeploy', '--yes'))).exitCode).toBe(0);
  await suite.client.delete(Namespace, namespace);
  expect((await tasks.run('kindwright', command('undeploy', '--crds', '--yes'))).exitCode).toBe(0);
  await expect(definition()).rejects.toThrow(NotFoundError);
  await eventually(() => expect(suite.client.get(Namespace, namespace)).rejects.toThrow(NotFoundError), {
    timeout: '50s',
  });
  tasks.remove();
});
