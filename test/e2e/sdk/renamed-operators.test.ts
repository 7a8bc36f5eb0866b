import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  EndpointSlice,
  loadClusterConfig,
  Service,
  ValidatingWebhookConfiguration,
  type UnstructuredObject,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { TemporaryProject } from '../../cli/temporary-project.js';
import { startSuiteCluster, type SuiteCluster } from '../suite-cluster.js';

const FORMER = 'former-validating-webhook-configuration';
const MANAGED = { 'app.kubernetes.io/managed-by': 'kindwright' };

/** An operator with the given name, of one kind. */
function operator(name: string): string {
  return `
import { Controller, CustomResource, Field, Kind, Validate } from 'kindwright';

@Kind({ group: 'renames.example.com', version: 'v1' })
@Controller({ name: '${name}' })
export class Dial extends CustomResource {
  @Field({ optional: true, format: 'int32' }) size?: number;
  @Validate() check(): void {}
  reconcile(): void {}
}
`;
}

let cluster: SuiteCluster;
let client: Client;
let project: TemporaryProject;
beforeAll(async () => {
  cluster = await startSuiteCluster();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  project = new TemporaryProject();
});
afterAll(async () => {
  client.close();
  project.remove();
  await cluster.stop();
});

/** Deploys an operator, and returns its warnings. */
async function deploy(name: string): Promise<string> {
  project.write({ 'operators/dial.ts': operator(name) });
  const args = ['deploy', '--image', 'dials:1', '--kubeconfig', cluster.kubeconfig];
  const { exitCode, stderr } = await project.run('kindwright', args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(/^(warning: .*\n)*$/) });
  return stderr;
}

/** Creates a configuration whose Service does not exist. */
async function createUnserved(name: string, resource: string, failurePolicy: 'Fail' | 'Ignore', labels = {}) {
  const webhook = {
    name: `${name}.example.com`,
    clientConfig: { service: { name, namespace: 'default' } },
    rules: [{ apiGroups: ['renames.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] }],
    failurePolicy,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
  };
  const object = { metadata: { name, labels }, webhooks: [webhook] } as unknown as UnstructuredObject;
  await client.create(ValidatingWebhookConfiguration, object);
}

test('deploy warns about the configuration of a former name once its Service has no ready endpoints', async () => {
  expect(await deploy('former')).toBe('');
  const endpoints = async () => {
    const slices = await client.list(EndpointSlice, {
      namespace: 'former-system',
      labelSelector: 'kubernetes.io/service-name=former-webhook-service',
    });
    return slices.items.flatMap((slice) => slice.endpoints ?? []);
  };
  await eventually(
    async () => expect(await endpoints()).toContainEqual(expect.objectContaining({ addresses: [expect.any(String)] })),
    { timeoutMs: 30_000 },
  );
  expect(await deploy('latter')).toBe('');

  await client.delete(Service, 'former-webhook-service', { namespace: 'former-system' });
  expect(await deploy('latter')).toBe(
    `warning: ValidatingWebhookConfiguration ${FORMER} rejects writes of dials.renames.example.com, because ` +
      'Service former-system/former-webhook-service has no ready endpoints; if operator former was renamed or ' +
      `deleted, run kubectl delete validatingwebhookconfiguration ${FORMER}\n`,
  );
  const { webhooks } = await client.get(ValidatingWebhookConfiguration, FORMER);
  expect(webhooks).toHaveLength(1);
  await client.delete(ValidatingWebhookConfiguration, FORMER);
});

test('deploy does not warn about configurations of other kinds, of other tools, or that do not reject writes', async () => {
  await createUnserved('knobs', 'knobs', 'Fail', MANAGED);
  await createUnserved('ignored', 'dials', 'Ignore', MANAGED);
  await createUnserved('foreign', 'dials', 'Fail');
  expect(await deploy('latter')).toBe('');
});
