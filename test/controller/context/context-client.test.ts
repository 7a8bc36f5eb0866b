import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ConfigMap, ForbiddenError, Pod, type ApiClient } from 'kindwright';
import { OwnWrites } from '../../../src/controller/run/own-writes.js';
import { ApiClient as BaseClient } from '../../../src/client/api-client.js';
import type { Client } from '../../../src/client/client.js';
import type { OutgoingRequest } from '../../../src/client/client-options.js';
import type { Watcher } from '../../../src/client/watch/watcher.js';
import { NO_CAUSES } from '../../../src/queue/pending-causes.js';
import { rbacHint } from '../../../src/controller/read/rbac-hint.js';
import { LiveContext } from '../../../src/controller/context/live-context.js';
import { ReconcileClient } from '../../../src/controller/run/reconcile-client.js';
import type { ReconcileRequest } from '../../../src/controller/run/reconcile-request.js';
import { ReconcileRun } from '../../../src/controller/run/reconcile-run.js';
import { TrackedContext } from '../../../src/controller/context/tracked-context.js';
import { ControllerParts, gizmo, gizmoModel } from '../gizmo.js';

const namespace = 'team';
let parts: ControllerParts;
let request: ReconcileRequest;
let run: ReconcileRun;
let sent: OutgoingRequest[];
/** Called by the transport before a request is written. */
let onSend: (request: OutgoingRequest) => void;
let answer: object;

beforeEach(async () => {
  parts = await ControllerParts.with();
  sent = [];
  answer = { kind: 'ConfigMap', metadata: { name: 'm', namespace, uid: 'um', resourceVersion: '10' } };
  onSend = (outgoing) => outgoing.beforeSend?.();
  run = new ReconcileRun({ controller: 'gizmo', key: 'team/a' }, 1, NO_CAUSES, parts.clock, new OwnWrites());
  request = parts.request('team/a', run);
});
afterEach(() => parts.stop());

function context(cluster?: string): TrackedContext {
  const send = (outgoing: OutgoingRequest): Promise<object> => {
    onSend(outgoing);
    sent.push(outgoing);
    return Promise.resolve(answer);
  };
  const client = new BaseClient({ send, watcher: undefined as unknown as Watcher, fieldManager: 'kindwright' });
  const member = cluster === undefined ? undefined : { name: cluster, home: client as Client };
  const services = { ...parts.services, client: new ReconcileClient(client as Client, 'gizmo'), member };
  parts.clusters.client = () => client as Client;
  return new TrackedContext(new LiveContext(services, request, gizmo('a')), request);
}

const create = (client: ApiClient) => client.create(ConfigMap, { metadata: { name: 'm', namespace } });

test('a write is rejected when another replica may lead, and a read is not', async () => {
  const { client } = context();
  parts.fencedWhy = 'this process is not the leader';
  await expect(create(client)).rejects.toMatchObject({ code: 'E_WRITE_FENCED' });
  await expect(client.request({ method: 'POST', path: '/api/v1/nodes' })).rejects.toMatchObject({
    code: 'E_WRITE_FENCED',
  });
  expect(sent).toEqual([]);
  await client.get(ConfigMap, 'm', { namespace });
  expect(sent).toHaveLength(1);
});

test('a write is rejected when the lead is lost while it waits for a connection', async () => {
  onSend = (outgoing) => {
    parts.fencedWhy = 'this process is not the leader';
    outgoing.beforeSend?.();
  };
  await expect(create(context().client)).rejects.toMatchObject({ code: 'E_WRITE_FENCED' });
  expect(sent).toEqual([]);
});

test('no request is sent by an aborted reconcile', async () => {
  const { client } = context();
  request.abort(new Error('the reconcile timed out'));
  await expect(create(client)).rejects.toThrow('the reconcile timed out');
  await expect(client.get(ConfigMap, 'm', { namespace })).rejects.toThrow('the reconcile timed out');
  expect(sent).toEqual([]);
});

test('requests are aborted by the signal of the reconcile', async () => {
  await create(context().client);
  request.abort(new Error('the reconcile timed out'));
  expect(sent[0]?.signal?.aborted).toBe(true);
});

test('writes are recorded with their action, and have the field manager of the controller', async () => {
  const { client } = context();
  const status = { namespace, subresource: 'status' } as const;
  await create(client);
  await client.patch(ConfigMap, 'm', {}, { namespace });
  await client.patch(ConfigMap, 'm', {}, status);
  await client.apply(ConfigMap, { metadata: { name: 'm', namespace } });
  await client.update(ConfigMap, { metadata: { name: 'm', namespace } });
  await client.delete(ConfigMap, 'm', { namespace });
  expect(run.ops.map((op) => op.do)).toEqual(['create', 'patch', 'status', 'apply', 'update', 'delete']);
  expect(sent.slice(0, 5).map(({ query }) => query?.['fieldManager'])).toEqual(Array(5).fill('gizmo'));
});

test('a subresource of another kind is not taken for the object', async () => {
  answer = { kind: 'ConfigMap', metadata: { name: 'm', namespace, uid: 'um', resourceVersion: '10' } };
  const { client } = context();
  await client.create(Pod, { metadata: { name: 'm', namespace } }, { subresource: 'eviction' });
  expect(sent[0]?.body).toMatchObject({ apiVersion: 'policy/v1', kind: 'Eviction' });
  expect(run.ops).toEqual([]);
});

test('a write that nothing awaits is found, with its line', async () => {
  let respond: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (respond = resolve));
  const ctx = context();
  onSend = () => undefined;
  const promise = ctx.client
    .intercept(async (outgoing, send) => {
      const sending = send(outgoing);
      await waiting;
      return sending;
    })
    .create(ConfigMap, { metadata: { name: 'm', namespace } });
  expect(ctx.runningWrites.map(({ call }) => call.description)).toEqual([
    'ctx.client, POST /api/v1/namespaces/team/configmaps',
  ]);
  expect(ctx.runningWrites[0]?.call.location).toContain('context-client.test.ts');
  respond();
  await promise;
  expect(ctx.runningWrites).toEqual([]);
});

test('a write to another cluster is fenced, aborted and recorded nowhere in the caches', async () => {
  const member = context().cluster('edge');
  await create(member);
  expect(sent[0]?.query?.['fieldManager']).toBe('gizmo');
  expect(parts.caches.find(ConfigMap, 'm', namespace)).toBeUndefined();
  expect(run.ops).toEqual([]);
  parts.fencedWhy = 'this process is not the leader';
  await expect(create(member)).rejects.toMatchObject({ code: 'E_WRITE_FENCED' });
  await member.get(ConfigMap, 'm', { namespace });
  request.abort(new Error('the reconcile timed out'));
  await expect(member.get(ConfigMap, 'm', { namespace })).rejects.toThrow('the reconcile timed out');
  expect(sent).toHaveLength(2);
});

test('a forbidden request to another cluster names the cluster instead of a decorator', async () => {
  const message =
    'configmaps is forbidden: User "u" cannot create resource "configmaps" in API group "" in the namespace';
  onSend = () => {
    const rejected = { method: 'POST', path: '/' };
    throw new ForbiddenError(message, { status: 403, reason: 'Forbidden', request: rejected });
  };
  const error: unknown = await create(context().cluster('edge')).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    message: `cluster edge: ${message}`,
    hint: 'grant the permission to the user of the kubeconfig of cluster edge',
  });
  expect(rbacHint(error, gizmoModel)).toBeUndefined();
});

test('a context has the requests to the cluster of its object and to the own cluster of the operator', async () => {
  const local = context();
  expect(local.clusterName).toBeUndefined();
  await create(local.cluster());
  expect(run.ops).toHaveLength(1);
  const member = context('edge');
  expect(member.clusterName).toBe('edge');
  await create(member.cluster('edge'));
  expect(run.ops).toHaveLength(2);
  await create(member.cluster());
  await create(member.cluster('cloud'));
  expect([run.ops.length, sent.length]).toEqual([2, 4]);
  parts.fencedWhy = 'this process is not the leader';
  await expect(create(member.cluster())).rejects.toMatchObject({ code: 'E_WRITE_FENCED' });
});

test('a request that the own cluster forbids needs a role there, and one that the cluster of the object forbids does not', async () => {
  const refused = 'x is forbidden: User "u" cannot create resource "configmaps" in API group "" in the namespace "a"';
  onSend = () => {
    const rejected = { method: 'POST', path: '/' };
    throw new ForbiddenError(refused, { status: 403, reason: 'Forbidden', request: rejected });
  };
  const member = context('edge');
  await expect(create(member.cluster())).rejects.toMatchObject({
    message: refused,
    hint: 'add @Rbac for it to the class, then run generate-manifests and apply the generated roles',
  });
  const error: unknown = await create(member.client).catch((thrown: unknown) => thrown);
  expect(rbacHint(error, gizmoModel, undefined, 'edge')).toBe(
    'grant the permission to the user of the kubeconfig of cluster edge',
  );
});
