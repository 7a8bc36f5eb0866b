import { beforeEach, expect, test } from '@jest/globals';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration, type UnstructuredObject } from 'kindwright';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import { inject, readTarget } from '../../../src/manager/webhooks/certificates/injection-target.js';
import { createServingIdentity } from '../../../src/pki/certificate.js';
import { ProjectSuite } from './project-suite.js';

const VALIDATING = 'pair-validating-webhook-configuration';
const MUTATING = 'pair-mutating-webhook-configuration';
const OF_DIAL = 'validate.dials.releases.example.com';
const OF_KNOB = 'validate.knobs.releases.example.com';
const DEPLOYMENT = 'applied Deployment pair-system/pair-controller-manager';
const { caPem } = createServingIdentity(Date.now());
const caBundle = Buffer.from(caPem).toString('base64');

/** An operator of two kinds, each with the given methods. */
function pair(ofDial: string, ofKnob: string): string {
  const kind = (name: string, methods: string): string => `
@Kind({ group: 'releases.example.com', version: 'v1' })
export class ${name} extends CustomResource {
  @Field({ optional: true, format: 'int32' }) size?: number;
  reconcile(): void {}
  ${methods}
}`;
  return `
import { CustomResource, Field, Kind, Mutate, Validate } from 'kindwright';
${kind('Dial', ofDial)}
${kind('Knob', ofKnob)}
void [Mutate, Validate];
`;
}

const CHECK = '@Validate() check(): void {}';
const CHECK_LARGE = `@Validate({ match: 'object.size > 5' }) checkLarge(): void {}`;
const FIRST_RELEASE = pair(CHECK, CHECK);

const suite = new ProjectSuite();
beforeEach(() => release(FIRST_RELEASE));

const run = (source: string, ...args: string[]) => suite.deploy({ 'operators/pair.ts': source }, ...args);

/** Deploys the operator, sets the `caBundle` as its pods do, and returns the lines that were printed. */
async function release(source: string): Promise<string[]> {
  const lines = await run(source);
  for (const kind of [MutatingWebhookConfiguration, ValidatingWebhookConfiguration]) {
    const name = kind === ValidatingWebhookConfiguration ? VALIDATING : MUTATING;
    const { signal } = new AbortController();
    const read = await readTarget(suite.client, { kind: kind as unknown as KindRef<UnstructuredObject>, name }, signal);
    if (read) await inject(suite.client, read, caPem, signal);
  }
  return lines;
}

/** The names of the validating webhooks, each with its `caBundle`. */
async function webhooks(): Promise<(readonly [string, string | undefined])[]> {
  const { webhooks: all = [] } = await suite.client.get(ValidatingWebhookConfiguration, VALIDATING);
  return all.map(({ name, clientConfig }) => [name, clientConfig.caBundle]);
}

test('the webhook of a kind that no longer has methods is removed before the rollout, and the others stay', async () => {
  const before = await suite.client.get(ValidatingWebhookConfiguration, VALIDATING);
  const removed = `webhook ${OF_KNOB} from ValidatingWebhookConfiguration ${VALIDATING}`;
  const second = pair(CHECK, '');
  expect(await run(second, '--dry-run=server')).toContain(`would remove ${removed}`);
  expect(await webhooks()).toHaveLength(2);

  const lines = await run(second);
  expect(lines[1]).toBe(`removed ${removed}`);
  expect(lines.indexOf(DEPLOYMENT)).toBeGreaterThan(1);
  const after = await suite.client.get(ValidatingWebhookConfiguration, VALIDATING);
  expect(after.webhooks).toEqual(before.webhooks?.filter(({ name }) => name === OF_DIAL));
  expect(after.webhooks?.[0]?.clientConfig.caBundle).toBe(caBundle);
});

test('a configuration whose last webhook is removed is deleted before the rollout', async () => {
  await release(pair(`${CHECK}\n  @Mutate() fill(): void {}`, CHECK));
  const lines = await run(FIRST_RELEASE);
  expect(lines[1]).toBe(`deleted MutatingWebhookConfiguration ${MUTATING}`);
  expect(lines.indexOf(DEPLOYMENT)).toBeGreaterThan(1);
});

test('a webhook that the release replaces stays until the rollout, so that each write is reviewed', async () => {
  const lines = await run(pair(CHECK, CHECK.replace('()', '({ timeoutSeconds: 4 })')));
  expect(lines.filter((line) => line.startsWith('removed'))).toEqual([]);
  expect((await webhooks()).map(([name]) => name)).toEqual([OF_DIAL, `timeout.${OF_KNOB}`]);
});

test('a webhook whose operations move to another webhook stays until the rollout', async () => {
  const deletion = (options: string) => `${CHECK}\n  @Validate({ on: ['DELETE']${options} }) protect(): void {}`;
  await release(pair(CHECK, deletion(', timeoutSeconds: 4')));
  const lines = await run(pair(CHECK, deletion('')));
  expect(lines.filter((line) => line.startsWith('removed'))).toEqual([]);
  expect(await webhooks()).toHaveLength(2);
});

test('one of several webhooks of a kind is removed before the rollout if the others do not change', async () => {
  await release(pair(CHECK, `${CHECK}\n  ${CHECK_LARGE}`));
  const lines = await run(pair(CHECK, CHECK_LARGE));
  expect(lines[1]).toBe(`removed webhook ${OF_KNOB} from ValidatingWebhookConfiguration ${VALIDATING}`);
  expect(await webhooks()).toEqual([
    [OF_DIAL, caBundle],
    [`match.${OF_KNOB}`, caBundle],
  ]);
});

test('a webhook that replaces the only one has the caBundle of that one from the start', async () => {
  await release(pair(CHECK, ''));
  const lines = await run(pair('', CHECK));
  expect(lines[1]).toBe(`removed webhook ${OF_DIAL} from ValidatingWebhookConfiguration ${VALIDATING}`);
  expect(await webhooks()).toEqual([[OF_KNOB, caBundle]]);
});

test('webhooks of other Services in the configuration stay', async () => {
  const other = {
    name: 'check.other.example.com',
    clientConfig: { service: { name: 'other', namespace: 'other' } },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None' as const,
  };
  const change = { webhooks: [other] };
  await suite.client.patch(ValidatingWebhookConfiguration, VALIDATING, change, {
    type: 'strategic',
    fieldManager: 'other',
  });
  await run(pair(CHECK, ''));
  expect((await webhooks()).map(([name]) => name)).toEqual(expect.arrayContaining([OF_DIAL, other.name]));
  const removal = { webhooks: [{ $patch: 'delete', name: other.name }] };
  await suite.client.patch(ValidatingWebhookConfiguration, VALIDATING, removal, { type: 'strategic' });
});
