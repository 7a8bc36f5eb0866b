import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import {
  Binding,
  ConfigMap,
  Deployment,
  Namespace,
  Pod,
  SelfSubjectAccessReview,
  ServiceAccount,
} from '../../src/api/kinds/kinds.js';
import { FakeClock } from '../../src/base/fake-clock.js';
import type { Client } from '../../src/client/client.js';
import { ApiClient, type ApiClientParts } from '../../src/client/api-client.js';
import type { Transport } from '../../src/client/http/transport.js';
import { Requester } from '../../src/client/requester.js';
import type { Watcher } from '../../src/client/watch/watcher.js';
import { LiveContext } from '../../src/controller/context/live-context.js';
import { ReconcileClient } from '../../src/controller/run/reconcile-client.js';
import { ObjectWriter } from '../../src/controller/write/object-writer.js';
import { ControllerParts, gizmo } from '../controller/gizmo.js';

const namespace = 'team';
const NS = { namespace };
const metadata = { name: 'm', namespace, uid: 'um', resourceVersion: '12' };
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
const desired = { metadata: { name: 'm', namespace } };
const success = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success' };

let answer: unknown;

/** Every response has status 200 and is `answer`. */
function client(): ApiClient {
  const head = { status: 200, header: () => 'application/json' };
  const transport = { send: () => Promise.resolve({ head, body: JSON.stringify(answer) }) };
  const requester = new Requester(transport as unknown as Transport, new FakeClock());
  const send: ApiClientParts['send'] = (request) => requester.request(request);
  return new ApiClient({ send, watcher: undefined as unknown as Watcher, fieldManager: 'kindwright' });
}

const CALLS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['get', () => client().get(ConfigMap, 'm', NS)],
  ['create', () => client().create(ConfigMap, desired)],
  ['update', () => client().update(ConfigMap, desired)],
  ['update of the status', () => client().update(ConfigMap, desired, { subresource: 'status' })],
  ['patch', () => client().patch(ConfigMap, 'm', {}, NS)],
  ['apply', () => client().apply(ConfigMap, desired)],
  ['delete', () => client().delete(ConfigMap, 'm', NS)],
];

describe.each(CALLS)('the response to %s', (name, call) => {
  test(`a response to ${name} with the requested object is accepted`, async () => {
    answer = map;
    await call();
  });

  test.each<[string, unknown, string]>([
    ['an empty object', {}, 'it has no metadata'],
    ['an object of another name', { ...map, metadata: { ...metadata, name: 'other' } }, 'it has another name'],
    ['an object without a name', { ...map, metadata: { ...metadata, name: undefined } }, 'it has another name'],
    ['another namespace', { ...map, metadata: { ...metadata, namespace: 'x' } }, 'it is in another namespace'],
    ['no namespace', { ...map, metadata: { ...metadata, namespace: undefined } }, 'it is in another namespace'],
    ['another kind', { ...map, kind: 'Secret' }, 'its kind is Secret'],
    ['a list', { ...map, kind: 'ConfigMapList' }, 'its kind is ConfigMapList'],
    ['a kind that is not a string', { ...map, kind: {} }, 'its kind is object'],
    ['another version', { ...map, apiVersion: 'v2' }, 'its apiVersion is v2'],
    ['metadata that is an array', { ...map, metadata: [] }, 'it has another name'],
    ['no uid', { ...map, metadata: { ...metadata, uid: undefined } }, 'it has no uid'],
    ['a uid that is not a string', { ...map, metadata: { ...metadata, uid: 5 } }, 'it has no uid'],
    ['a number as resourceVersion', { ...map, metadata: { ...metadata, resourceVersion: 5 } }, 'it has no resourceV'],
  ])(`a response to ${name} with %s is rejected`, async (_what, response, reason) => {
    answer = response;
    await expect(call()).rejects.toMatchObject({
      code: 'E_RESPONSE',
      message: expect.stringContaining(`: the response is not the requested object, because ${reason}`),
      hint: expect.stringContaining('proxy'),
    });
  });

  // The API server returns it if another deletion has removed the object while a first attempt was repeated.
  test(`an object without resourceVersion is ${name === 'delete' ? 'accepted as deleted' : 'rejected'} as the response to ${name}`, async () => {
    const deletion = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 };
    answer = { ...map, metadata: { ...metadata, ...deletion, resourceVersion: undefined } };
    if (name === 'delete') expect(await call()).toBeUndefined();
    else await expect(call()).rejects.toThrow('it has no resourceVersion');
  });

  test(`a Status with HTTP status 200 is ${name === 'delete' ? 'accepted' : 'rejected'} as the response to ${name}`, async () => {
    answer = success;
    if (name === 'delete') expect(await call()).toBeUndefined();
    else await expect(call()).rejects.toThrow('its kind is Status');
  });
});

describe('responses of other kinds', () => {
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {} };
  const PodMetrics: KindRef = {
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    kind: 'PodMetrics',
    plural: 'pods',
    scope: 'Namespaced',
  };
  const metrics = { apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodMetrics', metadata: desired.metadata };
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata };
  const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: desired.metadata };
  const generated = { metadata: { generateName: 'm-', namespace } };
  const dryRun = { ...map, metadata: { ...metadata, resourceVersion: undefined } };

  test.each<[string, unknown, () => Promise<unknown>]>([
    ['a review', review, () => client().create(SelfSubjectAccessReview, { metadata: {} })],
    ['the metrics of a pod', metrics, () => client().get(PodMetrics, 'm', NS)],
    ['a read of a scale', scale, () => client().get(Deployment, 'm', { namespace, subresource: 'scale' })],
    ['a patch of a scale', scale, () => client().patch(Deployment, 'm', {}, { namespace, subresource: 'scale' })],
    ['an eviction', success, () => client().create(Pod, desired, { subresource: 'eviction' })],
    ['a binding of a pod', success, () => client().create(Binding, { ...desired, target: { name: 'n' } })],
    [
      'a request for a token',
      token,
      () => client().create(ServiceAccount, { ...desired, spec: { audiences: [] } }, { subresource: 'token' }),
    ],
    [
      'a subresource of an aggregated server',
      { apiVersion: 'x/v1', kind: 'X' },
      () => client().get(Pod, 'm', { namespace, subresource: 'x' }),
    ],
    ['a creation with generateName', map, () => client().create(ConfigMap, generated)],
    ['a creation without storage', dryRun, () => client().create(ConfigMap, desired, { dryRun: true })],
    ['an apply without storage', dryRun, () => client().apply(ConfigMap, desired, { dryRun: true })],
    ['a read of an object without kind', { metadata }, () => client().get(ConfigMap, 'm', NS)],
    [
      'a read of an object of cluster scope',
      { kind: 'Namespace', metadata: { ...metadata, namespace: undefined } },
      () => client().get(Namespace, 'm'),
    ],
  ])('the expected response to %s is accepted', async (_what, response, call) => {
    answer = response;
    expect(await call()).toEqual(JSON.parse(JSON.stringify(response)));
  });

  test.each<[string, unknown, () => Promise<unknown>]>([
    ['an eviction', {}, () => client().create(Pod, desired, { subresource: 'eviction' })],
    ['a read of a scale', map, () => client().get(Deployment, 'm', { namespace, subresource: 'scale' })],
    ['a creation with generateName', { ...map, metadata: NS }, () => client().create(ConfigMap, generated)],
    ['a deletion', { ...success, status: 'Failure' }, () => client().delete(ConfigMap, 'm', NS)],
  ])('an unexpected response to %s is rejected', async (_what, response, call) => {
    answer = response;
    await expect(call()).rejects.toMatchObject({ code: 'E_RESPONSE' });
  });
});

describe('a reconcile', () => {
  let parts: ControllerParts;
  beforeEach(async () => {
    const cached = { ...map, metadata: { ...metadata, resourceVersion: '2' } };
    parts = await ControllerParts.with([ConfigMap, cached]);
  });
  afterEach(() => parts.stop());

  /** JSON that differs from an object of the request in some members, or in all. */
  const json = fc.jsonValue();
  const either = (valid: unknown) => fc.oneof({ weight: 3, arbitrary: fc.constant(valid) }, json);
  const almostMetadata = fc.record({
    name: either('m'),
    namespace: either(namespace),
    uid: either('um'),
    resourceVersion: either('12'),
    deletionTimestamp: fc.oneof(fc.constant(undefined), json),
  });
  const almostMap = fc.record(
    { apiVersion: either('v1'), kind: either('ConfigMap'), metadata: fc.oneof(almostMetadata, json), data: json },
    { requiredKeys: [] },
  );

  test('whatever JSON is the response to a write, the cache holds objects of the request only, and the call ends', async () => {
    const writes = {
      update: (ctx: LiveContext) => ctx.update(ConfigMap, map, (draft) => void (draft.data = { b: '2' })),
      patch: (ctx: LiveContext) => ctx.patch(ConfigMap, 'm', { data: {} }),
      create: (ctx: LiveContext) => ctx.create(ConfigMap, { metadata: { generateName: 'm-' } }),
      delete: (ctx: LiveContext) => ctx.delete(ConfigMap, map),
      'create of the client': (ctx: LiveContext) => ctx.client.create(ConfigMap, desired),
      'apply of the client': (ctx: LiveContext) => ctx.client.apply(ConfigMap, desired),
      'delete of the client': (ctx: LiveContext) => ctx.client.delete(ConfigMap, 'm', NS),
    };
    const write = fc.constantFrom(...Object.values(writes));
    const outcomes = new Set<unknown>();
    const services = { ...parts.services, client: new ReconcileClient(client() as Client, 'gizmo') };
    const writer = new ObjectWriter(services.client, parts.caches, () => undefined);
    await fc.assert(
      fc.asyncProperty(write, fc.oneof(json, almostMap), async (call, response) => {
        answer = response;
        const ctx = new LiveContext({ ...services, writer }, parts.request(), gizmo('a'));
        outcomes.add(
          await call(ctx).then(
            () => 'accepted',
            (error: unknown) => (error as { code?: string }).code ?? error,
          ),
        );
        for (const { kind = 'ConfigMap', metadata: meta } of await ctx.list(ConfigMap, { namespace })) {
          expect([kind, typeof meta.name, meta.namespace]).toEqual(['ConfigMap', 'string', namespace]);
          expect([typeof meta.uid, typeof meta.resourceVersion]).toEqual(['string', 'string']);
        }
      }),
      { numRuns: 500 },
    );
    expect([...outcomes].sort()).toEqual(['E_RESPONSE', 'accepted']);
  });
});
