import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AdmissionSuite, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

let suite: AdmissionSuite;
let namespace: string;
let core: string;
const made: string[] = [];

beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());
beforeEach(async () => {
  for (const path of made.splice(0)) await suite.must('DELETE', path);
  namespace = await suite.namespace();
  core = `/api/v1/namespaces/${namespace}`;
});

const newPod = (name: string, spec: object = {}): Promise<Reply> =>
  suite.send('POST', `${core}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });
const newClaim = (name: string, spec: object = {}): Promise<Reply> =>
  suite.send('POST', `${core}/persistentvolumeclaims`, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });

/** Creates a cluster-scoped object that is deleted before the next test. */
async function make(groupVersion: string, plural: string, kind: string, name: string, rest: object): Promise<void> {
  const path = `/apis/${groupVersion}/${plural}`;
  await suite.must('POST', path, { apiVersion: groupVersion, kind, metadata: { name }, ...rest });
  made.push(`${path}/${name}`);
}

/** Sends requests with new names until the caches of the server contain the objects of the test. */
const once = (send: (name: string) => Promise<Reply>, isWanted: (reply: Reply) => boolean): Promise<Reply> => {
  let count = 0;
  return suite.until(() => send(`try-${count++}`), isWanted);
};

describe('the priority of a pod', () => {
  const priorityClass = (name: string, rest: object): Promise<void> =>
    make('scheduling.k8s.io/v1', 'priorityclasses', 'PriorityClass', name, rest);

  test('the priority of a pod without a class is zero, and a system class has its fixed priority', async () => {
    const [plain, critical] = [
      await newPod('plain'),
      await newPod('p', { priorityClassName: 'system-cluster-critical' }),
    ];
    expect([plain.body.spec!.priority, plain.body.spec!.preemptionPolicy, critical.body.spec!.priority]).toEqual([
      0,
      'PreemptLowerPriority',
      2_000_000_000,
    ]);
  });

  test('the priority of a pod is that of its class, or of the default class', async () => {
    await priorityClass('urgent', { value: 5, preemptionPolicy: 'Never' });
    const { body } = await once(
      (name) => newPod(name, { priorityClassName: 'urgent' }),
      ({ code }) => code === 201,
    );
    expect([body.spec!.priority, body.spec!.preemptionPolicy]).toEqual([5, 'Never']);
    await priorityClass('normal', { value: 3, globalDefault: true });
    const { spec } = (await once(newPod, (reply) => reply.body.spec?.priorityClassName !== undefined)).body;
    expect([spec!.priorityClassName, spec!.priority]).toEqual(['normal', 3]);
    const second = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'second' },
      value: 1,
    };
    const { code, body: refused } = await suite.send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
      ...second,
      globalDefault: true,
    });
    expect([code, refused.message]).toEqual([
      403,
      'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass normal is already marked as default. Only one default can exist',
    ]);
  });

  test.each<[object, string]>([
    [{ priorityClassName: 'missing' }, 'no PriorityClass with name missing was found'],
    [
      { priority: 7 },
      'the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
    [
      { preemptionPolicy: 'Never' },
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    ],
  ])('a pod cannot set its own priority: %j', async (spec, message) => {
    const { code, body } = await newPod('p', spec);
    expect([code, body.message]).toEqual([403, `pods "p" is forbidden: ${message}`]);
  });
});

describe('the tolerations of a pod', () => {
  const outage = (key: string): object => ({
    key: `node.kubernetes.io/${key}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  });

  test('a pod tolerates short outages of its node unless it sets its own tolerations', async () => {
    expect((await newPod('plain')).body.spec!.tolerations).toEqual([outage('not-ready'), outage('unreachable')]);
    const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
    const { spec } = (await newPod('own', { tolerations: [own] })).body;
    expect(spec!.tolerations).toEqual([own, outage('unreachable')]);
    expect((await newPod('all', { tolerations: [{ operator: 'Exists' }] })).body.spec!.tolerations).toEqual([
      { operator: 'Exists' },
    ]);
  });
});

describe('a runtime class', () => {
  beforeEach(async () => {
    const rest = {
      handler: 'h',
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: { nodeSelector: { runtime: 'special' }, tolerations: [{ key: 'special', operator: 'Exists' }] },
    };
    await make('node.k8s.io/v1', 'runtimeclasses', 'RuntimeClass', 'special', rest);
  });
  const special = { runtimeClassName: 'special' };

  test('a RuntimeClass sets the overhead, node selector and tolerations of its pods', async () => {
    const { spec } = (
      await once(
        (name) => newPod(name, { ...special, nodeSelector: { a: 'b' } }),
        ({ code }) => code === 201,
      )
    ).body;
    expect([spec!.overhead, spec!.nodeSelector]).toEqual([{ cpu: '100m' }, { a: 'b', runtime: 'special' }]);
    expect(spec!.tolerations).toContainEqual({ key: 'special', operator: 'Exists' });
  });

  test.each<[object, string]>([
    [{ runtimeClassName: 'missing' }, 'pod rejected: RuntimeClass "missing" not found'],
    [
      { ...special, overhead: { cpu: '1' } },
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [{ overhead: { cpu: '1' } }, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'],
    [
      { ...special, nodeSelector: { runtime: 'other' } },
      'conflict: runtimeClass.scheduling.nodeSelector[runtime] = special; pod.spec.nodeSelector[runtime] = other',
    ],
  ])('a RuntimeClass rejects a pod with %j', async (spec, message) => {
    await once(
      (name) => newPod(name, special),
      ({ code }) => code === 201,
    );
    const { code, body } = await newPod('p', spec);
    expect([code, body.message]).toEqual([403, `pods "p" is forbidden: ${message}`]);
  });
});

describe('claims and volumes', () => {
  const storageClass = (name: string, rest: object = {}): Promise<void> =>
    make('storage.k8s.io/v1', 'storageclasses', 'StorageClass', name, { provisioner: 'example.com/none', ...rest });

  test('claims and volumes without a class get the default storage class', async () => {
    const path = '/apis/storage.k8s.io/v1/storageclasses';
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    const metadata = { name: 'usual', annotations };
    const provisioner = 'example.com/none';
    await suite.must('POST', path, { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata, provisioner });
    made.push(`${path}/usual`);
    const { body } = await once(newClaim, (reply) => reply.body.spec?.storageClassName !== undefined);
    expect(body.spec!.storageClassName).toBe('usual');
    expect((await newClaim('none', { storageClassName: '' })).body.spec!.storageClassName).toBe('');
  });

  test('claims are not deleted while a pod uses them', async () => {
    const { body } = await newClaim('used');
    expect(body.metadata!.finalizers).toEqual(['kubernetes.io/pvc-protection']);
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }];
    expect((await newPod('user', { volumes, nodeName: 'node-1' })).code).toBe(201);
    const { metadata } = await suite.must('DELETE', `${core}/persistentvolumeclaims/used`);
    expect(metadata!.deletionTimestamp).toBeDefined();
    await newClaim('free');
    await suite.must('DELETE', `${core}/persistentvolumeclaims/free`);
    const gone = (name: string) =>
      suite.until(
        () => suite.send('GET', `${core}/persistentvolumeclaims/${name}`),
        ({ code }) => code === 404,
      );
    await gone('free');
    expect((await suite.send('GET', `${core}/persistentvolumeclaims/used`)).code).toBe(200);
    await suite.must('DELETE', `${core}/pods/user?gracePeriodSeconds=0`);
    await gone('used');
  });

  test('claims can grow only if their class allows it', async () => {
    await storageClass('fixed');
    await newClaim('c', { storageClassName: 'fixed' });
    const patch = (sub: string, body: object): Promise<Reply> =>
      suite.send('PATCH', `${core}/persistentvolumeclaims/c${sub}`, body, 'application/merge-patch+json');
    const grow = { spec: { resources: { requests: { storage: '2Gi' } } } };
    // The real controller takes a claim that it has not bound for one that waits.
    const attempt = async (): Promise<Reply> => {
      await patch('/status', { status: { phase: 'Bound' } });
      return patch('', grow);
    };
    const { code, body } = await suite.until(attempt, (reply) => reply.code !== 422);
    expect([code, body.message]).toEqual([
      403,
      'persistentvolumeclaims "c" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    ]);
  });
});

describe('an ingress', () => {
  test('an ingress without a class gets the default class', async () => {
    const path = '/apis/networking.k8s.io/v1';
    const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
    await suite.must('POST', `${path}/ingressclasses`, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'usual', annotations },
      spec: { controller: 'example.com/none' },
    });
    made.push(`${path}/ingressclasses/usual`);
    const backend: Json | object = { defaultBackend: { service: { name: 's', port: { number: 80 } } } };
    const { body } = await once(
      (name) =>
        suite.send('POST', `${path}/namespaces/${namespace}/ingresses`, {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: { name },
          spec: backend,
        }),
      (reply) => reply.body.spec?.ingressClassName !== undefined,
    );
    expect(body.spec!.ingressClassName).toBe('usual');
  });
});
