import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiError, Client, CustomResource, Deployment, Field, Kind, loadClusterConfig, PodTemplate } from 'kindwright';
import { isRejectedRequest } from '../../src/controller/run/retry-rules.js';
import { installKinds } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';

class LedgerSpec {
  @Field({ items: String, listType: 'set', optional: true }) books?: string[];
}

@Kind({ group: 'rejected.example.com', version: 'v1' })
class Ledger extends CustomResource {
  @Field() spec!: LedgerSpec;

  reconcile(): void {
    // Only its definition is used.
  }
}

let cluster: SuiteControlPlane;
let client: Client;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }), { fieldManager: 'test' });
  await installKinds(client, [Ledger]);
  await client.apply(Deployment, deployment({}));
  await client.create(Ledger, { metadata: { name: 'main', namespace }, spec: {} });
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

/** A Deployment whose container has the given fields, which may be invalid. */
function deployment(container: object, spec: object = {}) {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web', ...container }] } };
  return { metadata: { name: 'web', namespace }, spec: { selector: { matchLabels: labels }, template, ...spec } };
}

const patchLedger = (patch: unknown, type: 'merge' | 'strategic') =>
  client.patch(Ledger, 'main', patch, { namespace, type });
const applyLedger = (spec: object) => client.apply(Ledger, { metadata: { name: 'main', namespace }, spec });
const storeArgument = (length: number) => {
  const containers = [{ name: 'web', image: 'web', args: ['x'.repeat(length)] }];
  return client.create(PodTemplate, { metadata: { name: 'large', namespace }, template: { spec: { containers } } });
};

const TWICE = [
  { name: 'A', value: '1' },
  { name: 'A', value: '2' },
];

test.each<[string, () => Promise<unknown>, number, string | undefined]>([
  ['an apply with two items of one key', () => client.apply(Deployment, deployment({ env: TWICE })), 500, undefined],
  ['an apply with two equal items of a set', () => applyLedger({ books: ['a', 'a'] }), 500, undefined],
  ['an apply of an unknown field', () => client.apply(Deployment, deployment({ envs: [] })), 500, undefined],
  ['an apply of another type', () => applyLedger({ books: 'a' }), 500, undefined],
  [
    'a strategic patch without the key of an item',
    () =>
      client.patch(
        Deployment,
        'web',
        { spec: { template: { spec: { containers: [{ image: 'other' }] } } } },
        { namespace, type: 'strategic' },
      ),
    500,
    undefined,
  ],
  ['an object that is too large for etcd', () => storeArgument(1_700_000), 500, 'ConfigMaps or other objects'],
  [
    'an object that is too large for a message to etcd',
    () => storeArgument(2_500_000),
    500,
    'ConfigMaps or other objects',
  ],
  [
    'an object that is too large for the API server',
    () => storeArgument(3_200_000),
    413,
    'ConfigMaps or other objects',
  ],
  ['a strategic patch of a custom resource', () => patchLedger({ spec: {} }, 'strategic'), 415, "type: 'merge'"],
])('%s is a rejected request, which a quick retry cannot change', async (_, send, status, hint) => {
  const error = (await send().catch((thrown: unknown) => thrown)) as ApiError;
  expect(error).toBeInstanceOf(ApiError);
  expect(error.status).toBe(status);
  expect(isRejectedRequest(error)).toBe(true);
  if (hint === undefined) expect(error.hint).toBeUndefined();
  else expect(error.hint).toContain(hint);
});
