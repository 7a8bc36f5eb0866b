import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ClusterSuite } from './cluster-suite.js';

const ROOT = '/apis/storage.k8s.io/v1/volumeattributesclasses';

let suite: ClusterSuite;
let path: string;

beforeAll(async () => {
  suite = await ClusterSuite.start();
});
afterAll(() => suite.stop());
beforeEach(async () => {
  await suite.begin();
  const name = suite.namespace; // the class is cluster-wide, and the test's own
  path = `${ROOT}/${name}`;
  await suite.createGlobal(ROOT, 'VolumeAttributesClass', name, {
    driverName: 'a.example.com',
    parameters: { a: 'b' },
  });
});

const isGone = (): Promise<unknown> =>
  suite.requests.until(
    () => suite.get(path),
    ({ code }) => code === 404,
  );

test('an unused VolumeAttributesClass is deleted at once', async () => {
  expect((await suite.get(path)).body.metadata?.finalizers).toEqual(['kubernetes.io/vac-protection']);
  await suite.requests.must('DELETE', path);
  await isGone();
});

test('a VolumeAttributesClass is kept while a claim uses it', async () => {
  const spec = {
    ...{ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'none' },
    volumeAttributesClassName: suite.namespace,
  };
  await suite.create('persistentvolumeclaims', 'PersistentVolumeClaim', 'c', { spec });
  await suite.event('c', 'ProvisioningFailed'); // so that the shared caches of the controllers contain it
  await suite.requests.must('DELETE', path);
  // The removal of the object that was deleted later shows that the first one was checked.
  await suite.createGlobal(ROOT, 'VolumeAttributesClass', `${suite.namespace}-unused`, {
    ...{ driverName: 'a.example.com', parameters: { a: 'b' } },
  });
  await suite.requests.must('DELETE', `${path}-unused`);
  await suite.requests.until(
    () => suite.get(`${path}-unused`),
    ({ code }) => code === 404,
  );
  expect((await suite.get(path)).code).toBe(200);

  await suite.requests.must('DELETE', suite.path('persistentvolumeclaims', 'c'));
  await isGone();
});
