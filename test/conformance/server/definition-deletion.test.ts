import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from 'kindwright/testing';
import { ApiEndpoint, type ApiReply } from '../../fidelity/api-endpoint.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../../e2e/suite-control-plane.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const FOOS = '/apis/leaving.example.com/v1/namespaces/default/foos';
const DEFINITION = {
  metadata: { name: 'foos.leaving.example.com' },
  spec: {
    group: 'leaving.example.com',
    names: { plural: 'foos', kind: 'Foo' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

interface Definition {
  readonly metadata: { readonly finalizers?: readonly string[]; readonly generation: number };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly reason: string }[] };
}

let cluster: SuiteControlPlane;
let api: ApiEndpoint;
beforeAll(async () => {
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'] });
  api = new ApiEndpoint(cluster.kubeconfig);
  await api.send({ method: 'POST', path: DEFINITIONS, body: DEFINITION });
  await eventually(async () => expect((await create('held', ['example.com/held'])).code).toBe(201));
}, 60_000);
afterAll(async () => {
  api.close();
  await cluster.stop();
});

const create = (name: string, finalizers: string[] = []): Promise<ApiReply> => {
  const body = { apiVersion: 'leaving.example.com/v1', kind: 'Foo', metadata: { name, finalizers } };
  return api.send({ method: 'POST', path: FOOS, body });
};
const definition = async (method = 'GET', body?: unknown): Promise<Definition> => {
  const path = `${DEFINITIONS}/${DEFINITION.metadata.name}`;
  return (await api.send({ method, path, body, contentType: 'application/merge-patch+json' })).body as Definition;
};
const reasonOf = ({ status }: Definition): string | undefined =>
  status.conditions.find(({ type }) => type === 'Terminating')?.reason;

test('a change of the group is reported once', async () => {
  expect(await definition('PATCH', { spec: { group: 'x.y' } })).toMatchObject({
    details: { causes: [{ field: 'spec.group', message: 'Invalid value: "x.y": field is immutable' }] },
  });
});

test.each(['uid', 'resourceVersion'])(
  'a deletion with the %s of another definition is rejected with its own message',
  async (field) => {
    const path = `${DEFINITIONS}/${DEFINITION.metadata.name}?${field}=1`;
    const { code, body } = await api.send({ method: 'DELETE', path });
    expect([code, (body as { message: string }).message]).toEqual([
      409,
      expect.stringMatching(
        /^Operation cannot be fulfilled on customresourcedefinitions\.apiextensions\.k8s\.io "foos\.leaving\.example\.com": Precondition failed: (UID|ResourceVersion) in precondition: 1, /,
      ),
    ]);
  },
);

test('a definition that is deleted reports its progress, accepts no new objects, and waits for existing ones', async () => {
  const before = await definition();
  expect(before.metadata.finalizers).toBeUndefined();
  const begun = await definition('DELETE');
  expect(begun.metadata).toMatchObject({
    finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
    generation: before.metadata.generation,
  });
  expect(begun.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
  expect(reasonOf(begun)).toBe('InstanceDeletionPending');
  await eventually(async () => expect(reasonOf(await definition())).toBe('InstanceDeletionInProgress'));
  await eventually(async () => {
    const { code, body } = await create('late');
    expect([code, (body as { message: string }).message]).toEqual([
      403,
      'foos.leaving.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
    ]);
  });
  const body = { metadata: { finalizers: null } };
  await api.send({ method: 'PATCH', path: `${FOOS}/held`, body, contentType: 'application/merge-patch+json' });
  await eventually(async () => expect(await definition()).toMatchObject({ code: 404 }), { timeout: '30s' });
});
