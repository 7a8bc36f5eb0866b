import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite } from '../../e2e/admission/admission-suite.js';

const VOLUMES = '/api/v1/persistentvolumes';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const volume = (claimRef: object): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'granular' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'none',
    hostPath: { path: '/none' },
    claimRef,
  },
});

test("fields of a volume's claimRef have owners of their own, unlike those of other references", async () => {
  await suite.must('POST', `${VOLUMES}?fieldManager=binder`, volume({ name: 'a', namespace: 'default', uid: 'u' }));
  const applied = await suite.send(
    'PATCH',
    `${VOLUMES}/granular?fieldManager=author`,
    volume({ name: 'a', namespace: 'default' }),
    'application/apply-patch+yaml',
  );
  expect(applied.code).toBe(200);
  expect(applied.body.spec?.claimRef).toMatchObject({ name: 'a', uid: 'u' });
  const [author] = applied.body.metadata?.managedFields as unknown as { fieldsV1: { 'f:spec': object } }[];
  expect(author?.fieldsV1['f:spec']).toMatchObject({ 'f:claimRef': { 'f:name': {}, 'f:namespace': {} } });
});
