import { expect, test } from '@jest/globals';
import { EndpointSlice, Service, ValidatingWebhookConfiguration, type UnstructuredObject } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { ProjectSuite } from './project-suite.js';

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

const suite = new ProjectSuite();

/** Deploys an operator, and returns its warnings. */
async function deploy(name: string): Promise<string> {
  suite.project.write({ 'operators/dial.ts': operator(name) });
  const { exitCode, stderr } = await suite.kindwright('deploy', '--image', 'dials:1');
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
  await suite.client.create(ValidatingWebhookConfiguration, object);
}

test('deploy warns about the configuration of a former name once its Service has no ready endpoints', async () => {
  expect(await deploy('former')).toBe('');
  const endpoints = async () => {
    const slices = await suite.client.list(EndpointSlice, {
      namespace: 'former-system',
      labelSelector: 'kubernetes.io/service-name=former-webhook-service',
    });
    return slices.items.flatMap((slice) => slice.endpoints ?? []);
  };
  await eventually(
    async () => expect(await endpoints()).toContainEqual(expect.objectContaining({ addresses: [expect.any(String)] })),
    { timeout: '30s' },
  );
  expect(await deploy('latter')).toBe('');

  await suite.client.delete(Service, 'former-webhook-service', { namespace: 'former-system' });
  expect(await deploy('latter')).toBe(
    `warning: ValidatingWebhookConfiguration ${FORMER} rejects writes of dials.renames.example.com, because ` +
      'Service former-system/former-webhook-service has no ready endpoints; if operator former was renamed or ' +
      `deleted, run kubectl delete validatingwebhookconfiguration ${FORMER}\n`,
  );
  const { webhooks } = await suite.client.get(ValidatingWebhookConfiguration, FORMER);
  expect(webhooks).toHaveLength(1);
  await suite.client.delete(ValidatingWebhookConfiguration, FORMER);
});

test('deploy does not warn about configurations of other kinds, of other tools, or that do not reject writes', async () => {
  await createUnserved('knobs', 'knobs', 'Fail', MANAGED);
  await createUnserved('ignored', 'dials', 'Ignore', MANAGED);
  await createUnserved('foreign', 'dials', 'Fail');
  expect(await deploy('latter')).toBe('');
});
