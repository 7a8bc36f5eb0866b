import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Client,
  loadClusterConfig,
  Manager,
  Namespace,
  Node,
  Pod,
  toKindRef,
  type CustomResource,
  type UnstructuredObject,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { HelloApp } from '../../../operators/helloapp.js';
import { Mydemo } from '../../../operators/mydemo.js';
import { NodePool } from '../../../operators/nodepool.js';
import { PodBugger } from '../../../operators/podbugger.js';
import { PodSet } from '../../../operators/podset.js';
import { operatorRoles } from '../../../src/manifests/access/operator-roles.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { installModels } from '../../../src/manager/install/install-models.js';
import { silentLogger } from '../../../src/base/logger.js';
import { SystemClock } from '../../../src/base/system-clock.js';
import { RestrictedOperator, type Right } from './restricted-operator.js';

interface Scenario {
  readonly kind: abstract new () => CustomResource;
  readonly spec: object;
  readonly change: object;
  /** Rights that this scenario does not show, by why. */
  readonly unshown: Readonly<Record<string, readonly string[]>>;
}

const BLOCKING = 'checked within other requests, by OwnerReferencesPermissionEnforcement alone';
const SPECIFIED = 'beyond what the class needs, stated by @Rbac or @Owns as its users know them';
const TROUBLE = 'recorded only when something goes wrong';
const REPEATED = 'events that repeat themselves, as those of Mydemo do';

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  podset: {
    kind: PodSet,
    spec: { size: 2 },
    change: { size: 1 },
    unshown: {
      [BLOCKING]: ['update podsets/finalizers'],
      [SPECIFIED]: [
        ...['create', 'update', 'patch', 'delete'].map((verb) => `${verb} podsets`),
        ...['get', 'update'].map((verb) => `${verb} podsets/status`),
        ...['update', 'delete'].map((verb) => `${verb} deployments`),
      ],
      [TROUBLE]: ['create events', 'patch events'],
    },
  },
  helloapp: {
    kind: HelloApp,
    spec: { image: 'nginx', size: 1 },
    change: { size: 2 },
    unshown: {
      [BLOCKING]: ['update helloapps/finalizers'],
      [SPECIFIED]: [
        ...['create', 'update', 'patch', 'delete'].map((verb) => `${verb} helloapps`),
        ...['get', 'update'].map((verb) => `${verb} helloapps/status`),
        ...['update', 'delete'].map((verb) => `${verb} deployments`),
      ],
      [TROUBLE]: ['create events', 'patch events'],
    },
  },
  mydemo: { kind: Mydemo, spec: { ip: '127.0.0.1', port: 80 }, change: { port: 81 }, unshown: {} },
  nodepool: {
    kind: NodePool,
    spec: { handler: 'runc', labels: { 'example.com/pool': 'yes' } },
    change: { handler: 'kata' },
    unshown: { [BLOCKING]: ['update nodepools/finalizers'], [REPEATED]: ['patch events'] },
  },
  podbugger: {
    kind: PodBugger,
    spec: { selector: { matchLabels: { app: 'web' } }, image: 'busybox' },
    change: { image: 'alpine' },
    unshown: { [REPEATED]: ['patch events'] },
  },
};

let cluster: SuiteControlPlane;
let admin: Client;
let serial = 0;
beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  admin = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  const models = buildResourceModels(Object.values(SCENARIOS).map(({ kind }) => kind));
  const { signal } = new AbortController();
  await installModels(admin, models, { logger: silentLogger, clock: new SystemClock(), signal });
});
afterAll(async () => {
  admin.close();
  await cluster.stop();
});

/** The rights of an operator one by one; those to read a kind go together, as a watch may need each of them. */
function rightsOf({ kind }: Scenario): Right[] {
  const roles = operatorRoles({ name: 'x', watchNamespaces: [], models: buildResourceModels([kind]) });
  const rights = roles.flatMap(({ rules }) =>
    rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
      apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => ({ group, resource, verb })))),
    ),
  );
  const reads = ['get', 'list', 'watch'];
  return [...Map.groupBy(rights, ({ group, resource, verb }) => JSON.stringify([group, resource, verbName(verb)]))].map(
    ([, [first, ...others]]) => ({
      group: first!.group,
      resource: first!.resource,
      verbs: [first!, ...others].map(({ verb }) => verb),
      name: `${others.length > 0 ? 'read' : first!.verb} ${first!.resource}`,
    }),
  );

  function verbName(verb: string): string {
    return reads.includes(verb) ? 'read' : verb;
  }
}

/** An object is made, changed and deleted, each as soon as the operator has written because of the one before. */
async function live(scenario: Scenario, operator: RestrictedOperator, namespace: string): Promise<void> {
  const { kind, spec, change } = scenario;
  const { scope } = toKindRef(kind);
  const name = namespace;
  const place = scope === 'Cluster' ? {} : { namespace };
  const moved = async (writes: number): Promise<void> => {
    await eventually(() => expect(operator.refused > 0 || operator.writes > writes).toBe(true), { timeout: '30s' });
  };
  if (kind === NodePool)
    await admin.patch(Node, 'node-1', { metadata: { labels: { [`node-role.kubernetes.io/${name}`]: '' } } });
  if (kind === PodBugger) await runningPod(namespace);
  await admin.create(kind, { metadata: { name, ...place }, spec } as unknown as UnstructuredObject & CustomResource);
  await moved(0);
  await operator.settled();
  const before = operator.writes;
  await admin.patch(kind, name, { spec: change }, place);
  await moved(before);
  await operator.settled();
  await admin.delete(kind, name, place);
  if (operator.refused > 0)
    await admin.patch(kind, name, { metadata: { finalizers: null } }, place).catch(() => undefined);
  await eventually(() => expect(admin.get(kind, name, place)).rejects.toThrow(/not found/), { timeout: '30s' });
  await operator.settled();
}

async function runningPod(namespace: string): Promise<void> {
  const metadata = { name: 'web', namespace, labels: { app: 'web' } };
  await eventually(() => admin.create(Pod, { metadata, spec: { containers: [{ name: 'web', image: 'nginx' }] } }));
  await eventually(async () => {
    expect((await admin.get(Pod, 'web', { namespace })).status?.phase).toBe('Running');
  });
}

/** One life of an object under an operator with these rights. */
async function run(operatorName: string, scenario: Scenario, rights: readonly Right[]): Promise<RestrictedOperator> {
  const namespace = `${operatorName}-${String(serial++)}`;
  await admin.create(Namespace, { metadata: { name: namespace } });
  const isCluster = toKindRef(scenario.kind).scope === 'Cluster';
  const operator = await RestrictedOperator.create(admin, namespace, rights, isCluster);
  const stop = new AbortController();
  const namespaces = isCluster ? [] : [namespace];
  const manager = new Manager({ client: operator.client, namespaces, preflight: false }).add(scenario.kind);
  const running = manager.run(stop.signal);
  try {
    await live(scenario, operator, namespace);
  } finally {
    stop.abort(new Error('the scenario is over'));
    await running;
    operator.client.close();
  }
  return operator;
}

describe.each(Object.entries(SCENARIOS))('%s', (name, scenario) => {
  const rights = rightsOf(scenario);
  const unshown = Object.values(scenario.unshown).flat();

  test('the operator of the scenario has the permissions it uses, and only the documented ones besides', async () => {
    const operator = await run(name, scenario, rights);
    expect(operator.refused).toBe(0);
    const unused = rights.filter((right) => !operator.used(right)).map((right) => right.name);
    expect(unused.sort()).toEqual([...unshown].sort());
  });

  test('a request is forbidden when any used permission is removed', async () => {
    const removable = rights.filter((right) => !unshown.includes(right.name));
    const idle: string[] = [];
    for (const removed of removable) {
      const operator = await run(
        name,
        scenario,
        rights.filter((right) => right !== removed),
      );
      if (operator.refused === 0) idle.push(removed.name);
    }
    expect(idle).toEqual([]);
  });
});
