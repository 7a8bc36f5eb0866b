import { beforeEach, expect, test } from '@jest/globals';
import {
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
  type UnstructuredObject,
} from 'kindwright';
import { inject, injectionTargetsOf, readTarget } from '../../../src/manager/webhooks/certificates/injection-target.js';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import { ProjectSuite } from './project-suite.js';

const CONFIGURATION = 'dial-validating-webhook-configuration';
const POLICY = 'dials.releases.example.com';

/** An operator of one kind with the given methods, and policies before its class. */
function dial(methods = '', policies = ''): string {
  return `
import { CustomResource, Field, Kind, Mutate, Policy, Validate } from 'kindwright';

@Kind({ group: 'releases.example.com', version: 'v1' })
${policies}
export class Dial extends CustomResource {
  @Field({ optional: true, format: 'int32' }) size?: number;
  reconcile(): void {}
  ${methods}
}
void [Mutate, Policy, Validate];
`;
}

const FIRST_RELEASE = dial(
  `@Validate() check(): void {}
  @Mutate() fill(): void {}`,
  `@Policy('!has(object.size) || object.size != 7', 'must not be 7')`,
);

const UNCONVERTED_VERSION = `
@Kind({ group: 'releases.example.com', version: 'v1beta1', kind: 'Dial' })
export abstract class DialV1Beta1 extends CustomResource {
  @Field({ optional: true, format: 'int32' }) size?: number;
}
`;

/** With a second version, and a webhook of its own for large objects. */
const CONVERTED = `
import { ConvertsTo } from 'kindwright';
${FIRST_RELEASE.replace('reconcile', "@Validate({ match: 'object.size > 5' }) checkLarge(): void {}\n  reconcile")}
${UNCONVERTED_VERSION.replace('export', '@ConvertsTo(Dial, [])\nexport')}
`;

const suite = new ProjectSuite();
beforeEach(async () => {
  await release(FIRST_RELEASE);
});

const release = (source: string) => suite.deploy({ 'operators/dial.ts': source });

async function namesOf(kind: unknown): Promise<string[]> {
  const { items } = await suite.client.list(kind as KindRef<UnstructuredObject>);
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('dial'));
}

async function admissionObjects(): Promise<string[]> {
  const kinds = [MutatingWebhookConfiguration, ValidatingWebhookConfiguration, ValidatingAdmissionPolicy];
  return (await Promise.all([...kinds, ValidatingAdmissionPolicyBinding].map(namesOf))).flat();
}

test('a release without webhooks and policies deletes those of the former release before its rollout', async () => {
  expect(await admissionObjects()).toHaveLength(4);
  const other = { 'app.kubernetes.io/managed-by': 'kindwright', 'app.kubernetes.io/name': 'dial' };
  const webhook = {
    name: 'check.other.example.com',
    clientConfig: { service: { name: 'dial-webhook-service', namespace: 'another-installation' } },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None' as const,
  };
  const metadata = { name: 'dial-another-installation-validating-webhook-configuration', labels: other };
  await suite.client.create(ValidatingWebhookConfiguration, { metadata, webhooks: [webhook] });
  const dryRun = await suite.deploy({ 'operators/dial.ts': dial() }, '--dry-run=server');
  expect(dryRun).toContain(`would delete ValidatingWebhookConfiguration ${CONFIGURATION}`);
  expect(await admissionObjects()).toHaveLength(5);

  const lines = await release(dial());
  expect(lines.slice(1, 5)).toEqual([
    'deleted MutatingWebhookConfiguration dial-mutating-webhook-configuration',
    `deleted ValidatingWebhookConfiguration ${CONFIGURATION}`,
    `deleted ValidatingAdmissionPolicyBinding ${POLICY}`,
    `deleted ValidatingAdmissionPolicy ${POLICY}`,
  ]);
  expect(await admissionObjects()).toEqual([metadata.name]);
  await suite.client.delete(ValidatingWebhookConfiguration, metadata.name);
});

test('undeploy deletes the webhook configurations of a former release', async () => {
  suite.project.write({ 'operators/dial.ts': dial() });
  const { exitCode, stdout } = await suite.kindwright('undeploy', '--yes');
  expect({ exitCode, first: stdout.split('\n')[2] }).toEqual({
    exitCode: 0,
    first: 'deleted MutatingWebhookConfiguration dial-mutating-webhook-configuration',
  });
  expect(await admissionObjects()).toEqual([]);
});

test('after a caBundle was set, a release can remove a webhook and end the conversion, and keeps the other caBundle', async () => {
  const { signal } = new AbortController();
  const { caPem } = createServingIdentity(Date.now());
  const targets = injectionTargetsOf({ mutating: [], validating: [CONFIGURATION], definitions: [POLICY] });
  await release(CONVERTED);
  for (const target of targets) {
    const read = await readTarget(suite.client, target, signal);
    await inject(suite.client, read!, caPem, signal);
    expect((await readTarget(suite.client, target, signal))?.bundles.every((bundle) => bundle === caPem)).toBe(true);
  }
  expect((await suite.client.get(ValidatingWebhookConfiguration, CONFIGURATION)).webhooks).toHaveLength(2);

  await release(`${FIRST_RELEASE}${UNCONVERTED_VERSION}`);
  const [webhook, ...others] = (await suite.client.get(ValidatingWebhookConfiguration, CONFIGURATION)).webhooks ?? [];
  expect(Buffer.from(webhook?.clientConfig.caBundle ?? '', 'base64').toString()).toBe(caPem);
  expect(others).toEqual([]);
  const { spec } = await suite.client.get(CustomResourceDefinition, POLICY);
  expect(spec.conversion).toEqual({ strategy: 'None' });
});
