import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, type KubeObject } from 'kindwright';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { InformerFactory } from '../../../src/cache/informer-factory.js';
import { CachedKinds } from '../../../src/controller/read/cached-kinds.js';
import { kindsOf } from '../../../src/resource/kinds/kinds-of.js';
import { LiveContext } from '../../../src/controller/context/live-context.js';
import { ScriptedClient, refusal, type ScriptedCall } from '../../cache/scripted-client.js';
import { ControllerParts, gizmo, gizmoModel } from '../gizmo.js';

describe('a controller whose owned kind was listed again', () => {
  let parts: ControllerParts;
  let lags: boolean;
  beforeEach(async () => {
    parts = await ControllerParts.with();
    lags = true;
    Object.assign(parts.caches, { lagsBehindList: () => lags });
  });
  afterEach(() => parts.stop());

  const create = (verb: 'apply' | 'create') => {
    const context = new LiveContext(parts.services, parts.request(), gizmo('a'));
    const child = { metadata: { name: 'm' }, data: { a: '1' } };
    return verb === 'apply' ? context.apply(ConfigMap, child) : context.create(ConfigMap, child);
  };

  test.each(['apply', 'create'] as const)(
    'a controller with a new list of an owned kind does not %s a child of a deleted owner',
    async (verb) => {
      await expect(create(verb)).rejects.toMatchObject({
        code: 'E_STALE_OWNER',
        message: 'Gizmo a was deleted; the cache does not show it yet',
      });
      expect(parts.sent).toEqual([]);
      expect(parts.reads).toEqual([{ kind: 'Gizmo', name: 'a' }]);
    },
  );

  test.each(['apply', 'create'] as const)(
    'a controller with a new list of an owned kind does not %s a child of an owner with a successor',
    async (verb) => {
      parts.live = () => gizmo('a', { uid: 'successor' });
      await expect(create(verb)).rejects.toMatchObject({ code: 'E_STALE_OWNER' });
    },
  );

  test.each(['apply', 'create'] as const)(
    'a controller with a new list of an owned kind may %s a child of an owner that exists',
    async (verb) => {
      parts.live = () => gizmo('a');
      await create(verb);
      expect(parts.sent.map((write) => write.verb)).toEqual([verb]);
    },
  );

  test('the owner is not read when its cache is as new as that of the owned kind', async () => {
    lags = false;
    await create('apply');
    expect(parts.reads.filter(({ kind }) => kind === 'Gizmo')).toEqual([]);
  });
});

describe('a child that was deleted', () => {
  const reference = { apiVersion: 'test.kindwright.dev/v1', kind: 'Gizmo', name: 'a', uid: 'uid-a', controller: true };
  const childWith = (resourceVersion: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'm', namespace: 'team', uid: 'um', resourceVersion, ownerReferences: [reference] },
  });
  let parts: ControllerParts;
  afterEach(() => parts.stop());

  async function applyAfterDeletion(resourceVersion: string): Promise<void> {
    const child = childWith(resourceVersion);
    parts = await ControllerParts.with([ConfigMap, child]);
    parts.caches.observeDeletion(ConfigMap, child);
    const context = new LiveContext(parts.services, parts.request(), gizmo('a'));
    await context.apply(ConfigMap, { metadata: { name: 'm' }, data: { a: '1' } });
  }

  test('a child that was deleted is not created again for an owner whose deletion the cache does not show yet', async () => {
    await expect(applyAfterDeletion('1000')).rejects.toMatchObject({ code: 'E_STALE_OWNER' });
    expect(parts.sent).toEqual([]);
  });

  test('a child that was deleted before the last event of the kind of its owner is created without a read', async () => {
    await applyAfterDeletion('1');
    expect(parts.sent.map(({ verb }) => verb)).toEqual(['apply']);
    expect(parts.reads.filter(({ kind }) => kind === 'Gizmo')).toEqual([]);
  });
});

describe('a cached child that the server no longer has', () => {
  const reference = { apiVersion: 'test.kindwright.dev/v1', kind: 'Gizmo', name: 'a', uid: 'uid-a', controller: true };
  const metadata = { name: 'm', namespace: 'team', uid: 'um', resourceVersion: '5', ownerReferences: [reference] };
  const child: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  let parts: ControllerParts;
  beforeEach(async () => {
    parts = await ControllerParts.with([ConfigMap, child]);
  });
  afterEach(() => parts.stop());

  const uidOf = (body: unknown) => (body as KubeObject).metadata.uid;
  const apply = (force = true) =>
    new LiveContext(parts.services, parts.request(), gizmo('a')).apply(
      ConfigMap,
      { metadata: { name: 'm' }, data: { a: '1' } },
      { force },
    );
  /** The response of the API server if no object has the uid. */
  const rejectUid = (error: Error) => {
    parts.answer = ({ body }) => {
      if (uidOf(body) !== undefined) throw error;
      return body as KubeObject;
    };
  };

  test.each([
    ['was deleted', undefined],
    ['has a successor', gizmo('a', { uid: 'successor' })],
  ])('a deleted child is not created again for an owner that %s', async (_, live) => {
    rejectUid(refusal(409, 'Conflict'));
    parts.live = (kind) => (kind === 'Gizmo' ? live : undefined);
    await expect(apply()).rejects.toMatchObject({ code: 'E_STALE_OWNER' });
    expect(parts.sent.map(({ body }) => uidOf(body))).toEqual(['um']);
  });

  test('a deleted child is created again for an owner that exists', async () => {
    rejectUid(refusal(409, 'Conflict'));
    parts.live = (kind) => (kind === 'Gizmo' ? gizmo('a') : undefined);
    await apply();
    expect(parts.sent.map(({ body, force }) => ({ uid: uidOf(body), force }))).toEqual([
      { uid: 'um', force: true },
      { uid: undefined, force: false },
    ]);
  });

  test('a child that another client has created again is not changed', async () => {
    rejectUid(refusal(422, 'Invalid', 'metadata.uid: Invalid value: "um": field is immutable'));
    const successor = { ...child, metadata: { name: 'm', namespace: 'team', uid: 'other' } };
    parts.live = (kind) => (kind === 'Gizmo' ? gizmo('a') : successor);
    const { answer } = parts;
    parts.answer = (write) => {
      if (write.force === false) throw refusal(409, 'Conflict');
      return answer(write);
    };
    await expect(apply()).rejects.toMatchObject({ code: 'E_NOT_OWNED' });
    expect(parts.sent.filter(({ force, body }) => force === true && uidOf(body) === undefined)).toEqual([]);
  });

  test.each([
    ['a conflict about fields', refusal(409, 'Conflict')],
    ['an invalid field', refusal(422, 'Invalid', 'data: Invalid value')],
  ])('%s of a child that exists is thrown', async (_, error) => {
    rejectUid(error);
    parts.live = (kind) => (kind === 'Gizmo' ? gizmo('a') : child);
    await expect(apply(false)).rejects.toBe(error);
    expect(parts.sent).toHaveLength(1);
  });
});

describe('a child that has lost its owner reference', () => {
  const child: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'm', namespace: 'team', uid: 'um', resourceVersion: '5' },
  };
  const managedFields = [{ manager: 'gizmo', operation: 'Apply' }];
  const applied = { ...child, metadata: { ...child.metadata, managedFields } };
  let parts: ControllerParts;
  beforeEach(async () => {
    parts = await ControllerParts.with([ConfigMap, child]);
  });
  afterEach(() => parts.stop());

  const apply = (adopt: boolean) =>
    new LiveContext(parts.services, parts.request(), gizmo('a')).apply(
      ConfigMap,
      { metadata: { name: 'm' }, data: { a: '1' } },
      { adopt },
    );

  test.each([
    ['was deleted', undefined],
    ['is being deleted and orphans its children', gizmo('a', { deletionTimestamp: 'now', finalizers: ['orphan'] })],
    ['has a successor', gizmo('a', { uid: 'successor' })],
  ])('a child without its owner reference is not adopted again by an owner that %s', async (_, live) => {
    parts.live = (kind) => (kind === 'Gizmo' ? live : applied);
    for (const adopt of [false, true]) await expect(apply(adopt)).rejects.toMatchObject({ code: 'E_STALE_OWNER' });
    expect(parts.sent).toEqual([]);
  });

  test('a child without its owner reference is adopted again by an owner that exists', async () => {
    parts.live = (kind) => (kind === 'Gizmo' ? gizmo('a') : applied);
    for (const adopt of [false, true]) await apply(adopt);
    expect(parts.sent.map(({ verb }) => verb)).toEqual(['apply', 'apply']);
  });
});

describe('lagsBehindList', () => {
  const object = (version: string): KubeObject => ({
    ...gizmo('b'),
    metadata: { ...gizmo('b').metadata, resourceVersion: version },
  });

  test('lagsBehindList is true from the new list of another kind until the own cache reaches its version', async () => {
    const client = new ScriptedClient();
    const clock = new FakeClock();
    const informers = new InformerFactory(client, { clock });
    const caches = new CachedKinds(informers, kindsOf(gizmoModel), 'Gizmo');
    informers.start();
    const turn = async () => {
      await clock.advance(2_000);
      await new Promise((resolve) => setImmediate(resolve));
    };
    await turn();
    const openOf = (kind: number): ScriptedCall => client.calls.filter(({ isOpen }) => isOpen)[kind]!;
    for (const call of [...client.calls]) call.initial(10);
    await turn();
    expect(caches.lagsBehindList(gizmoModel.kind)).toBe(false);
    openOf(1).fail(refusal(410, 'Expired'));
    await turn();
    client.last.initial(50);
    await turn();
    expect(caches.lagsBehindList(gizmoModel.kind)).toBe(true);
    client.calls[0]!.send('ADDED', object('51'));
    expect(caches.lagsBehindList(gizmoModel.kind)).toBe(false);
    await informers.stop();
  });
});
