import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { text, type Json, type Reply } from '../api-client.js';
import { ClusterTest } from './cluster-test.js';

const PODS = '/api/v1/namespaces/default/pods';
const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

let cluster: ClusterTest;
beforeAll(async () => {
  cluster = await ClusterTest.start();
});
afterAll(() => cluster.stop());

const newPod = (spec: object = {}): Promise<Reply> =>
  cluster.api.send('POST', PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: 'p-' },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });
const newAccount = (name: string, fields: object): Promise<Reply> =>
  cluster.api.send('POST', '/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name },
    ...fields,
  });
const mounts = ({ body }: Reply): unknown[] =>
  (body.spec!.containers as unknown as Json[]).map((container) => container.volumeMounts);

describe('a new pod', () => {
  test('a new pod gets the default service account', async () => {
    const { spec } = (await newPod()).body;
    expect([spec!.serviceAccountName, spec!.serviceAccount]).toEqual(['default', 'default']);
  });

  test('a new pod gets a mount with a token, the root certificate and its namespace', async () => {
    const reply = await newPod();
    const [volume] = reply.body.spec!.volumes as unknown as Json[];
    const sources = (volume!.projected!.sources as unknown as object[]).flatMap((source) => Object.keys(source));
    expect(sources).toEqual(['serviceAccountToken', 'configMap', 'downwardAPI']);
    expect(mounts(reply)).toEqual([[{ name: volume!.name, mountPath: MOUNT, readOnly: true }]]);
  });

  test('a pod with automountServiceAccountToken false has no token', async () => {
    expect((await newPod({ automountServiceAccountToken: false })).body.spec!.volumes).toBeUndefined();
  });

  test('a pod of an account with automountServiceAccountToken false has no token unless it requests one', async () => {
    await newAccount('quiet', { automountServiceAccountToken: false });
    const [quiet, loud] = [
      await newPod({ serviceAccountName: 'quiet' }),
      await newPod({
        serviceAccountName: 'quiet',
        automountServiceAccountToken: true,
      }),
    ];
    expect([quiet.body.spec!.volumes === undefined, loud.body.spec!.volumes === undefined]).toEqual([true, false]);
  });

  test('a pod keeps its own mount at the path of the token', async () => {
    const container = { name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: MOUNT }] };
    const reply = await newPod({ containers: [container], volumes: [{ name: 'v', emptyDir: {} }] });
    expect(mounts(reply)).toEqual([[{ name: 'v', mountPath: MOUNT }]]);
  });

  test('a pod gets the image pull secrets of its service account', async () => {
    await newAccount('puller', { imagePullSecrets: [{ name: 'registry' }] });
    const { spec } = (await newPod({ serviceAccountName: 'puller' })).body;
    expect(spec!.imagePullSecrets).toEqual([{ name: 'registry' }]);
  });

  test('a pod with a missing service account is rejected', async () => {
    const { code, body } = await newPod({ serviceAccountName: 'nope' });
    expect([code, text(body.message)]).toEqual([
      403,
      expect.stringContaining('error looking up service account default/nope: serviceaccount "nope" not found'),
    ]);
  });
});

test('a namespace has the certificate authority of the server', async () => {
  const { body } = await cluster.api.send('GET', '/api/v1/namespaces/default/configmaps/kube-root-ca.crt');
  expect(text(body.data!['ca.crt'])).toBe(cluster.api.server.caPem);
});

test('pods are accepted without a service account when the plugin is disabled', async () => {
  const other = await ClusterTest.start({ disableAdmissionPlugins: ['ServiceAccount'] });
  const path = await other.create('v1', 'pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  const { body } = await other.api.send('GET', path);
  await other.stop();
  expect(body.spec!.serviceAccountName).toBeUndefined();
});
