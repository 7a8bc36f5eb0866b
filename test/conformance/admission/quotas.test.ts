import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AdmissionSuite, configMap, text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

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

const container = (name: string, requests?: object, limits?: object): object => ({
  name,
  image: 'i',
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
});
const pod = (name: string, containers: object[], spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers, ...spec },
});
const newPod = (name: string, containers: object[], spec: object = {}): Promise<Reply> =>
  suite.send('POST', `${core}/pods`, pod(name, containers, spec));

const quota = (name: string, spec: object): Promise<void> => suite.quota(namespace, name, spec);

async function usedOnce(name: string, isWanted: (used: Json | undefined) => boolean): Promise<Json> {
  const { body } = await suite.until(
    () => suite.send('GET', `${core}/resourcequotas/${name}`),
    (reply) => isWanted(reply.body.status?.used),
  );
  return body.status!;
}

async function limitRange(...limits: object[]): Promise<Json> {
  const object = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'limits' }, spec: { limits } };
  return suite.must('POST', `${core}/limitranges`, object);
}

/** Sends until a LimitRange, of which the server learns a little later, has its effect. */
const refusal = async (send: (name: string) => Promise<Reply>): Promise<[number, string]> => {
  let count = 0;
  const { code, body } = await suite.until(
    () => send(`try-${count++}`),
    (reply) => reply.code !== 201,
  );
  return [code, text(body.message).replace(/try-\d+/g, 'NAME')];
};

describe('a resource quota', () => {
  test('a resource quota counts existing objects, and rejects those above the limit', async () => {
    await quota('counts', { hard: { 'count/configmaps': '2', secrets: 1, 'count/deployments.apps': '0' } });
    const status = await usedOnce('counts', (used) => text(used?.['count/configmaps']) === '1');
    expect(status).toEqual({
      hard: { 'count/configmaps': '2', secrets: '1', 'count/deployments.apps': '0' },
      used: { 'count/configmaps': '1', secrets: '0', 'count/deployments.apps': '0' },
    });
    await suite.must('POST', `${core}/configmaps`, configMap('one'));
    const { code, body } = await suite.send('POST', `${core}/configmaps`, configMap('two'));
    expect({ code, body }).toEqual({
      code: 403,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message:
          'configmaps "two" is forbidden: exceeded quota: counts, requested: count/configmaps=1, used: count/configmaps=2, limited: count/configmaps=2',
        reason: 'Forbidden',
        details: { name: 'two', kind: 'configmaps' },
        code: 403,
      },
    });
    await suite.must('DELETE', `${core}/configmaps/one`);
    await usedOnce('counts', (used) => text(used?.['count/configmaps']) === '1');
    await suite.until(
      () => suite.send('POST', `${core}/configmaps`, configMap('two')),
      (reply) => reply.code === 201,
    );
  });

  test('dry runs do not count for a resource quota', async () => {
    await quota('dry', { hard: { secrets: '1' } });
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };
    await suite.must('POST', `${core}/secrets?dryRun=All`, secret);
    await suite.must('POST', `${core}/secrets`, secret);
    const other = { ...secret, metadata: { name: 'other' } };
    expect((await suite.send('POST', `${core}/secrets?dryRun=All`, other)).code).toBe(403);
  });

  test('a resource quota sums the requests and limits of pods', async () => {
    await quota('compute', {
      hard: { pods: '3', 'requests.cpu': '1', 'requests.memory': '1Gi', 'limits.cpu': '2', cpu: '1' },
    });
    const small = { cpu: '250m', memory: '128Mi' };
    const limits = { cpu: '500m', memory: '256Mi' };
    const init = { initContainers: [container('i', { cpu: '600m', memory: '64Mi' }, { cpu: 1, memory: '64Mi' })] };
    expect((await newPod('a', [container('c', small, limits), container('d', small, limits)], init)).code).toBe(201);
    expect(await usedOnce('compute', (used) => text(used?.pods) === '1')).toMatchObject({
      used: { pods: '1', 'requests.cpu': '600m', 'requests.memory': '256Mi', 'limits.cpu': '1', cpu: '600m' },
    });
    const refused = await newPod('b', [container('c', { cpu: '0.5', memory: '1Mi' }, { cpu: '600m' })]);
    expect([refused.code, refused.body.message]).toEqual([
      403,
      'pods "b" is forbidden: exceeded quota: compute, requested: cpu=500m,requests.cpu=500m, used: cpu=600m,requests.cpu=600m, limited: cpu=1,requests.cpu=1',
    ]);
  });

  test('a quota of CPU or memory requires requests or limits of every container', async () => {
    await quota('strict', { hard: { 'requests.cpu': '1', 'limits.memory': '1Gi' } });
    const { code, body } = await newPod('p', [container('b'), container('a', { cpu: '1m' })]);
    expect([code, body.message]).toEqual([
      403,
      'pods "p" is forbidden: failed quota: strict: must specify limits.memory for: a,b; requests.cpu for: b',
    ]);
  });

  test('a resource quota with scopes counts pods that match all of them', async () => {
    await quota('besteffort', { hard: { pods: '0' }, scopes: ['BestEffort', 'NotTerminating'] });
    expect((await newPod('asking', [container('c', { cpu: '1m' })])).code).toBe(201);
    expect((await newPod('short', [container('c')], { activeDeadlineSeconds: 60 })).code).toBe(201);
    const { code, body } = await newPod('p', [container('c')]);
    expect([code, body.message]).toEqual([
      403,
      'pods "p" is forbidden: exceeded quota: besteffort, requested: pods=1, used: pods=0, limited: pods=0',
    ]);
  });

  test('a resource quota can count pods of some priority classes', async () => {
    const selector = { scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical'] };
    await quota('critical', { hard: { pods: '0' }, scopeSelector: { matchExpressions: [selector] } });
    expect((await newPod('plain', [container('c')])).code).toBe(201);
    const { code } = await newPod('p', [container('c')], { priorityClassName: 'system-node-critical' });
    expect(code).toBe(403);
  });

  test('a resource quota can count claims of some volume attributes classes', async () => {
    const selector = { scopeName: 'VolumeAttributesClass', operator: 'In', values: ['gold'] };
    await quota('gold', { hard: { persistentvolumeclaims: '0' }, scopeSelector: { matchExpressions: [selector] } });
    const claim = async (name: string, spec: object): Promise<number> => {
      const resources = { requests: { storage: '1Gi' } };
      const body = {
        ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name } },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources, ...spec },
      };
      return (await suite.send('POST', `${core}/persistentvolumeclaims`, body)).code;
    };
    expect(await claim('plain', {})).toBe(201);
    expect(await claim('bright', { volumeAttributesClassName: 'gold' })).toBe(403);
  });

  test('a resource quota counts services by type', async () => {
    await quota('services', { hard: { services: '2', 'services.nodeports': '1', 'services.loadbalancers': '0' } });
    const service = (name: string, spec: object): Promise<Reply> =>
      suite.send('POST', `${core}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
    const ports = [{ port: 80 }];
    expect((await service('a', { type: 'NodePort', ports })).code).toBe(201);
    const { body } = await service('b', { type: 'LoadBalancer', ports });
    expect(body.message).toBe(
      'services "b" is forbidden: exceeded quota: services, requested: services.loadbalancers=1,services.nodeports=1, used: services.loadbalancers=0,services.nodeports=1, limited: services.loadbalancers=0,services.nodeports=1',
    );
  });

  test('a resource quota counts claims by number and size, in total and by storage class', async () => {
    const gold = 'gold.storageclass.storage.k8s.io/requests.storage';
    await quota('claims', { hard: { persistentvolumeclaims: '5', 'requests.storage': '10Gi', [gold]: '2Gi' } });
    const claim = (name: string, storage: string, spec: object = {}): Promise<Reply> =>
      suite.send('POST', `${core}/persistentvolumeclaims`, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
      });
    expect((await claim('a', '5Gi')).code).toBe(201);
    const [large, golden] = [await claim('b', '6Gi'), await claim('c', '3Gi', { storageClassName: 'gold' })];
    expect([large.body.message, golden.body.message]).toEqual([
      'persistentvolumeclaims "b" is forbidden: exceeded quota: claims, requested: requests.storage=6Gi, used: requests.storage=5Gi, limited: requests.storage=10Gi',
      `persistentvolumeclaims "c" is forbidden: exceeded quota: claims, requested: ${gold}=3Gi, used: ${gold}=0, limited: ${gold}=2Gi`,
    ]);
  });

  test('a resource quota keeps controllers from creating more pods', async () => {
    await quota('two', { hard: { pods: '2' } });
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [container('c')] } };
    const replicaSets = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
    await suite.must('POST', replicaSets, {
      ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'rs' } },
      spec: { replicas: 4, selector: { matchLabels: { app: 'a' } }, template },
    });
    // The quota counts a pod before the pod is stored, so wait for the count of the controller.
    const { body } = await suite.until(
      () => suite.send('GET', `${replicaSets}/rs`),
      (reply) => (reply.body.status?.replicas as unknown) === 2 && reply.body.status?.conditions !== undefined,
    );
    expect(body.status?.conditions).toMatchObject([{ type: 'ReplicaFailure', reason: 'FailedCreate' }]);
    expect((await suite.must('GET', `${core}/pods`)).items).toHaveLength(2);
  });
});

describe('a limit range', () => {
  test('a limit range derives its defaults from its minimum and maximum', async () => {
    const { spec } = await limitRange({ type: 'Container', max: { cpu: '2' }, min: { memory: '4Mi' } });
    expect(spec).toEqual({
      limits: [
        {
          type: 'Container',
          max: { cpu: '2' },
          min: { memory: '4Mi' },
          default: { cpu: '2' },
          defaultRequest: { cpu: '2', memory: '4Mi' },
        },
      ],
    });
  });

  test('a limit range sets default requests and limits, and notes the containers in an annotation', async () => {
    await limitRange({ type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m' } });
    let count = 0;
    const { body } = await suite.until(
      () => newPod(`try-${count++}`, [container('a'), container('b', { cpu: '200m' }, { memory: '2Gi' })]),
      (reply) => reply.body.metadata?.annotations !== undefined,
    );
    const containers = body.spec!.containers as unknown as Json[];
    expect(containers.map(({ resources }) => resources)).toEqual([
      { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m', memory: '1Gi' } },
      { limits: { cpu: '1', memory: '2Gi' }, requests: { cpu: '200m', memory: '2Gi' } },
    ]);
    expect([body.metadata!.annotations, body.status!.qosClass]).toEqual([
      {
        'kubernetes.io/limit-ranger':
          'LimitRanger plugin set: cpu, memory request for container a; cpu, memory limit for container a; cpu limit for container b',
      },
      'Burstable',
    ]);
  });

  test.each<[string, object, object, string]>([
    [
      'less than the least',
      { type: 'Container', min: { cpu: '100m' } },
      container('c', { cpu: '50m' }),
      'minimum cpu usage per Container is 100m, but request is 50m',
    ],
    [
      'more than the most',
      { type: 'Container', max: { memory: '1Gi' } },
      container('c', { memory: '2Gi' }, { memory: '2Gi' }),
      'maximum memory usage per Container is 1Gi, but limit is 2Gi',
    ],
    [
      'a limit too far above the request',
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      container('c', { cpu: '100m' }, { cpu: '500m' }),
      'cpu max limit to request ratio per Container is 2, but provided ratio is 5.000000',
    ],
    [
      'nothing in a pod that needs a bound',
      { type: 'Pod', max: { cpu: '1' } },
      container('c'),
      'maximum cpu usage per Pod is 1.  No limit is specified',
    ],
    [
      'several things',
      { type: 'Pod', max: { cpu: '1', memory: '1Mi' } },
      container('c', {}, { cpu: '3', memory: '2Mi' }),
      '[maximum cpu usage per Pod is 1, but limit is 3, maximum memory usage per Pod is 1Mi, but limit is 2Mi]',
    ],
  ])('a limit range rejects %s', async (_what, limit, given, message) => {
    await limitRange(limit);
    const [code, refused] = await refusal((name) => newPod(name, [given]));
    // Kubernetes reports several bounds in random order.
    const sorted = (sentence: string): string[] => sentence.split(/, (?=m)|[[\]]/).sort();
    expect([code, sorted(refused)]).toEqual([403, sorted(`pods "NAME" is forbidden: ${message}`)]);
  });

  test('a limit range restricts the size of claims', async () => {
    await limitRange({ type: 'PersistentVolumeClaim', max: { storage: '2Gi' }, min: { storage: '1Gi' } });
    const claim = (storage: string) => (name: string) =>
      suite.send('POST', `${core}/persistentvolumeclaims`, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
      });
    expect(await refusal(claim('3Gi'))).toEqual([
      403,
      'persistentvolumeclaims "NAME" is forbidden: maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi',
    ]);
    expect(await refusal(claim('512Mi'))).toEqual([
      403,
      'persistentvolumeclaims "NAME" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 512Mi',
    ]);
  });
});
