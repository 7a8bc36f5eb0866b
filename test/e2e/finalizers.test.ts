import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  ConfigMap,
  Controller,
  CustomResource,
  Field,
  Finalizer,
  Kind,
  labelsChanged,
  loadClusterConfig,
  NotFoundError,
  ObjectController,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
const GROUP = 'finalizers.example.com';
let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager | undefined;
let name: string;
const cleaned: string[] = [];

class LedgerSpec {
  @Field() value!: string;
}

@Kind({ group: GROUP, version: 'v1' })
class Ledger extends CustomResource {
  @Field() spec!: LedgerSpec;

  reconcile(): void {
    // Nothing to reconcile.
  }
}

@Kind({ group: GROUP, version: 'v1', kind: 'Ledger' })
@Controller({ formerFinalizers: [`${GROUP}/former`] })
class LaterLedger extends Ledger {}

@Controller({ for: ConfigMap, predicate: labelsChanged })
class FilteredMaps extends ObjectController<ConfigMap> {
  reconcile(): void {
    // Nothing to reconcile.
  }

  @Finalizer(`${GROUP}/filtered`)
  cleanup(): void {
    cleaned.push(this.object.metadata.name);
  }
}

@Controller({ for: ConfigMap, predicate: () => false })
class IgnoredMaps extends FilteredMaps {}

@Controller({ for: ConfigMap, cache: { labelSelector: 'finalized=true' } })
class SelectedMaps extends ObjectController<ConfigMap> {
  reconcile(): void {
    // Nothing to reconcile.
  }

  @Finalizer(`${GROUP}/selected`)
  cleanup(): void {
    cleaned.push(this.object.metadata.name);
  }
}

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Ledger]);
});
afterEach(async () => {
  await manager?.stop();
  manager = undefined;
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

async function run(target: new () => object): Promise<RunningManager> {
  manager = await RunningManager.start(client, [target]);
  return manager;
}

const live = () => client.get(ConfigMap, name, { namespace });
const isDeleted = () => eventually(() => expect(live()).rejects.toThrow(NotFoundError));
const createMap = (finalizers: string[] = [], labels = {}) => {
  name = `map-${randomUUID().slice(0, 8)}`;
  return client.create(ConfigMap, { metadata: { name, namespace, labels, finalizers } });
};

test('a deletion that the predicate of the class drops runs the finalizer', async () => {
  await run(FilteredMaps);
  await createMap();
  await eventually(async () => expect((await live()).metadata.finalizers).toEqual([`${GROUP}/filtered`]));
  await client.delete(ConfigMap, name, { namespace });
  await isDeleted();
  expect(cleaned).toContain(name);
});

test('an object whose deletion began before the start is finalized although the predicate drops it', async () => {
  await createMap([`${GROUP}/filtered`]);
  await client.delete(ConfigMap, name, { namespace });
  await run(IgnoredMaps);
  await isDeleted();
  expect(cleaned).toContain(name);
});

test('an object that no longer matches the selector loses the finalizer, without a call of its method', async () => {
  await run(SelectedMaps);
  await createMap([], { finalized: 'true' });
  await eventually(async () => expect((await live()).metadata.finalizers).toEqual([`${GROUP}/selected`]));
  await client.patch(ConfigMap, name, { metadata: { labels: { finalized: 'false' } } }, { namespace });
  await eventually(async () => expect((await live()).metadata.finalizers).toBeUndefined());
  expect(cleaned).not.toContain(name);
});

test('an object that no longer matches the selector while it is deleted is finalized', async () => {
  await createMap([`${GROUP}/selected`, 'example.org/other'], { finalized: 'true' });
  await run(SelectedMaps);
  const change = { metadata: { labels: { finalized: 'false' } } };
  await Promise.all([
    client.delete(ConfigMap, name, { namespace }),
    client.patch(ConfigMap, name, change, { namespace }),
  ]);
  await eventually(async () => expect((await live()).metadata.finalizers).toEqual(['example.org/other']));
  await client.patch(ConfigMap, name, { metadata: { finalizers: [] } }, { namespace });
});

test('the finalizer of dependents that an earlier release has added is removed', async () => {
  name = `ledger-${randomUUID().slice(0, 8)}`;
  const finalizers = [`${GROUP}/dependents`, 'example.org/other'];
  await client.create(Ledger, { metadata: { name, namespace, finalizers }, spec: { value: 'a' } });
  await run(Ledger);
  const ledger = () => client.get(Ledger, name, { namespace });
  await eventually(async () => expect((await ledger()).metadata.finalizers).toEqual(['example.org/other']));
  await client.patch(Ledger, name, { metadata: { finalizers: [] } }, { namespace });
});

test('a finalizer that the class names as former is removed from objects, also from those that are being deleted', async () => {
  const finalizers = [`${GROUP}/former`, 'example.org/other'];
  const names = ['kept', 'deleted'].map((prefix) => `${prefix}-${randomUUID().slice(0, 8)}`);
  for (const each of names)
    await client.create(Ledger, { metadata: { name: each, namespace, finalizers }, spec: { value: 'a' } });
  await client.delete(Ledger, names[1]!, { namespace });
  await run(LaterLedger);
  for (const each of names) {
    await eventually(async () => {
      const { metadata } = await client.get(Ledger, each, { namespace });
      expect(metadata.finalizers).toEqual(['example.org/other']);
    });
    await client.patch(Ledger, each, { metadata: { finalizers: [] } }, { namespace });
  }
});

test('a finalizer of the group that the class does not declare is reported once, with a command', async () => {
  name = `ledger-${randomUUID().slice(0, 8)}`;
  const finalizers = [`${GROUP}/former`, 'example.org/other'];
  await client.create(Ledger, { metadata: { name, namespace, finalizers }, spec: { value: 'a' } });
  const running = await run(Ledger);
  await client.delete(Ledger, name, { namespace });
  const line = await running.logged(/does not declare/);
  expect(line.fields['hint']).toBe(
    `if an earlier release added them: @Controller({ formerFinalizers: ['${GROUP}/former'] }) removes them from all objects; from this one: kubectl patch ledgers.${GROUP} ${name} --namespace ${namespace} --type merge --patch '{"metadata":{"finalizers":["example.org/other"]}}'`,
  );
  const label = { metadata: { labels: { a: 'b' } } };
  await client.patch(Ledger, name, label, { namespace });
  await client.patch(Ledger, name, { metadata: { finalizers: [] } }, { namespace });
  expect(running.logger.messages().filter((text) => text.includes('does not declare'))).toHaveLength(1);
});

const POLICIES = '/apis/admissionregistration.k8s.io/v1';

/** Creates a policy that removes the finalizers of all writes of ConfigMaps; returns a function that deletes it. */
async function stripFinalizers(): Promise<() => Promise<void>> {
  const policies = `${POLICIES}/mutatingadmissionpolicies`;
  const bindings = `${POLICIES}/mutatingadmissionpolicybindings`;
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] };
  const mutation = {
    patchType: 'JSONPatch',
    jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/metadata/finalizers"}]' },
  };
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    matchConditions: [{ name: 'has-finalizers', expression: 'has(object.metadata.finalizers)' }],
    mutations: [mutation],
    reinvocationPolicy: 'Never',
    failurePolicy: 'Fail',
  };
  const metadata = { name: 'strip' };
  await client.request({ method: 'POST', path: policies, body: { metadata, spec } });
  await client.request({ method: 'POST', path: bindings, body: { metadata, spec: { policyName: 'strip' } } });
  // The API server reads policies a moment later.
  await eventually(async () => {
    const probe = { metadata: { name: 'probe', namespace, finalizers: [`${GROUP}/probe`] } };
    expect((await client.create(ConfigMap, probe, { dryRun: true })).metadata.finalizers ?? []).toEqual([]);
  });
  return async () => {
    await client.request({ method: 'DELETE', path: `${bindings}/strip` });
    await client.request({ method: 'DELETE', path: `${policies}/strip` });
  };
}

test('an object whose finalizer a policy removes is not reconciled before the policy is deleted', async () => {
  const restore = await stripFinalizers();
  const { logger } = await run(FilteredMaps);
  await createMap();
  await eventually(() => {
    const errors = logger.lines.filter(({ fields }) => fields.name === name).map(({ fields }) => fields.err);
    expect(errors).toContainEqual(expect.objectContaining({ code: 'E_FINALIZERS' }));
  });
  await restore();
  await eventually(async () => expect((await live()).metadata.finalizers).toEqual([`${GROUP}/filtered`]), {
    timeout: '30s',
  });
});
