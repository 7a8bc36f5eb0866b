import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

const KINDS = [
  { kind: 'ReplicaSet', root: '/apis/apps/v1', apiVersion: 'apps/v1', selector: { matchLabels: { app: 'a' } } },
  { kind: 'ReplicationController', root: '/api/v1', apiVersion: 'v1', selector: { app: 'a' } },
] as const;

let suite: AdmissionSuite;
let namespace: string;
let core: string;

beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());
beforeEach(async () => {
  namespace = await suite.namespace();
  core = `/api/v1/namespaces/${namespace}`;
});

const TEMPLATE = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const items = ({ body }: Reply): Json[] => (body.items ?? []) as unknown as Json[];
const pods = (): Promise<Reply> => suite.send('GET', `${core}/pods`);
const once = (path: string, isWanted: (object: Json) => boolean): Promise<Reply> =>
  suite.until(
    () => suite.send('GET', path),
    ({ body }) => isWanted(body),
  );
/** The fields of an event that are equal on both servers. */
const told = ({ reason, message, type, source }: Json): unknown => ({ reason, message, type, source });
const eventsOf = async (name: string, reason: string): Promise<Json[]> => {
  const query = encodeURIComponent(`involvedObject.name=${name},reason=${reason}`);
  const reply = await suite.until(
    () => suite.send('GET', `${core}/events?fieldSelector=${query}`),
    (found) => items(found).length > 0,
  );
  return items(reply);
};

describe.each(KINDS)('a $kind', ({ kind, root, apiVersion, selector }) => {
  const collection = (): string => `${root}/namespaces/${namespace}/${kind.toLowerCase()}s`;
  const create = (name: string, spec: object = {}): Promise<Json> =>
    suite.must('POST', collection(), {
      apiVersion,
      kind,
      metadata: { name },
      spec: { replicas: 2, selector, template: TEMPLATE, ...spec },
    });
  const podsOnce = async (isWanted: (found: Json[]) => boolean): Promise<Json[]> =>
    items(await suite.until(pods, (reply) => isWanted(items(reply))));

  test(`a ${kind} creates its replicas and reports them in its status`, async () => {
    await create('set');
    const isReady = ({ status }: Json): boolean => Number(status?.availableReplicas) === 2;
    const { status } = (await once(`${collection()}/set`, isReady)).body;
    expect(status).toEqual({
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      observedGeneration: 1,
      ...(kind === 'ReplicaSet' && { terminatingReplicas: 0 }),
    });
    const owners = (await podsOnce((found) => found.length === 2)).map(({ metadata }) => metadata!.ownerReferences);
    const reference = { apiVersion, kind, name: 'set', controller: true, blockOwnerDeletion: true };
    expect(owners).toEqual(Array(2).fill([{ ...reference, uid: expect.any(String) }]));
  });

  test(`a ${kind} is scaled by its scale subresource`, async () => {
    await create('set', { replicas: 3 });
    await podsOnce((found) => found.length === 3);
    const path = `${collection()}/set/scale`;
    const { body } = await suite.send('PATCH', path, { spec: { replicas: 1 } }, 'application/merge-patch+json');
    expect([body.kind, body.spec, body.status!.selector]).toEqual(['Scale', { replicas: 1 }, 'app=a']);
    const left = (found: Json[]): Json[] => found.filter(({ metadata }) => !metadata!.deletionTimestamp);
    expect(left(await podsOnce((found) => left(found).length === 1))).toHaveLength(1);
    const [event] = await eventsOf('set', 'SuccessfulDelete');
    expect(told(event!)).toMatchObject({
      type: 'Normal',
      source: { component: kind === 'ReplicaSet' ? 'replicaset-controller' : 'replication-controller' },
    });
  });

  test(`a ${kind} deletes pods that are not ready first, then those with the lowest deletion cost`, async () => {
    await create('set', { replicas: 3 });
    const isReady = ({ status }: Json): boolean => Number(status?.availableReplicas) === 3;
    await once(`${collection()}/set`, isReady);
    const names = items(await pods()).map(({ metadata }) => text(metadata!.name));
    const merge = (path: string, change: object): Promise<Json> =>
      suite.must('PATCH', path, change, 'application/merge-patch+json');
    for (const [index, name] of names.entries()) {
      const annotations = { 'controller.kubernetes.io/pod-deletion-cost': String(-index) };
      await merge(`${core}/pods/${name}`, { metadata: { annotations } });
    }
    const conditions = [{ type: 'Ready', status: 'False' }];
    await suite.must(
      'PATCH',
      `${core}/pods/${names[0]}/status`,
      { status: { conditions } },
      'application/strategic-merge-patch+json',
    );
    await once(`${collection()}/set`, ({ status }) => Number(status?.availableReplicas) === 2);
    const left = (found: Json[]): string[] =>
      found.filter(({ metadata }) => !metadata!.deletionTimestamp).map(({ metadata }) => text(metadata!.name));
    for (const kept of [[names[1], names[2]], [names[1]]]) {
      await merge(`${collection()}/set`, { spec: { replicas: kept.length } });
      expect(left(await podsOnce((found) => left(found).length === kept.length))).toEqual(kept);
    }
  });

  test(`a ${kind} adopts a matching pod without a controller`, async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'mine', labels: { app: 'a' } },
      spec: TEMPLATE.spec,
    };
    await suite.must('POST', `${core}/pods`, pod);
    // A set that knew nothing of the pod would make one of its own first.
    await once(`${core}/pods/mine`, ({ status }) => text(status?.phase) === 'Running');
    await create('set', { replicas: 1 });
    await once(`${core}/pods/mine`, ({ metadata }) => metadata?.ownerReferences !== undefined);
    expect(items(await pods())).toHaveLength(1);
  });

  test(`a ${kind} releases a pod with labels that no longer match, and creates another`, async () => {
    await create('set', { replicas: 1 });
    const [pod] = await podsOnce((found) => found.length === 1);
    const path = `${core}/pods/${text(pod!.metadata!.name)}`;
    await suite.must('PATCH', path, { metadata: { labels: { app: 'b' } } }, 'application/merge-patch+json');
    const { body } = await once(path, ({ metadata }) => metadata?.ownerReferences === undefined);
    expect(body.metadata!.labels).toEqual({ app: 'b' });
    await podsOnce((found) => found.length === 2);
  });

  test(`a ${kind} reports why its pods cannot be created until they can`, async () => {
    await suite.quota(namespace, 'none', { hard: { pods: '0' } });
    await create('set', { replicas: 1 });
    const { status } = (await once(`${collection()}/set`, (set) => set.status?.conditions !== undefined)).body;
    const message = expect.stringMatching(
      /^pods "set-[a-z0-9]{5}" is forbidden: exceeded quota: none, requested: pods=1, used: pods=0, limited: pods=0$/,
    );
    const lastTransitionTime = expect.any(String);
    expect(status!.conditions).toEqual([
      { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message, lastTransitionTime },
    ]);
    const [event] = await eventsOf('set', 'FailedCreate');
    expect(told(event!)).toMatchObject({
      type: 'Warning',
      message: expect.stringMatching(/^Error creating: pods "set-[a-z0-9]{5}" is forbidden: exceeded quota/),
    });
    await suite.must('DELETE', `${core}/resourcequotas/none`);
    await podsOnce((found) => found.length === 1);
    await once(`${collection()}/set`, (set) => set.status?.conditions === undefined);
  });
});

test('a Deployment reports why its pods cannot be created', async () => {
  await suite.quota(namespace, 'none', { hard: { pods: '0' } });
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const spec = { selector: { matchLabels: { app: 'a' } }, template: TEMPLATE };
  await suite.must('POST', deployments, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });
  const failureOf = ({ status }: Json): Json | undefined =>
    ((status?.conditions ?? []) as unknown as Json[]).find(({ type }) => text(type) === 'ReplicaFailure');
  const { body } = await once(`${deployments}/web`, (found) => failureOf(found) !== undefined);
  expect(failureOf(body)).toMatchObject({ status: 'True', reason: 'FailedCreate' });
});

test('scaling down a Deployment deletes pods that share a node first', async () => {
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const spread = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' };
  const topologySpreadConstraints = [{ ...spread, labelSelector: { matchLabels: { app: 'a' } } }];
  const template = { ...TEMPLATE, spec: { ...TEMPLATE.spec, topologySpreadConstraints } };
  const spec = { replicas: 3, selector: { matchLabels: { app: 'a' } }, template };
  await suite.must('POST', deployments, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });
  await once(`${deployments}/web`, ({ status }) => Number(status?.availableReplicas) === 3);
  const scaled = { spec: { replicas: 2 } };
  await suite.must('PATCH', `${deployments}/web`, scaled, 'application/merge-patch+json');
  const left = (reply: Reply): Json[] => items(reply).filter(({ metadata }) => !metadata!.deletionTimestamp);
  const kept = left(await suite.until(pods, (reply) => left(reply).length === 2));
  expect(new Set(kept.map((pod) => text(pod.spec!.nodeName))).size).toBe(2);
});
