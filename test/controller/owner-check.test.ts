import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, type KubeObject } from 'kindwright';
import { FakeClock } from '../../src/base/fake-clock.js';
import { InformerFactory } from '../../src/cache/informer-factory.js';
import { CachedKinds } from '../../src/controller/cached-kinds.js';
import { kindsOf } from '../../src/resource/kinds/kinds-of.js';
import { LiveContext } from '../../src/controller/live-context.js';
import { ScriptedClient, refusal, type ScriptedCall } from '../cache/scripted-client.js';
import { ControllerParts, gizmo, gizmoModel } from './gizmo.js';

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

  test.each(['apply', 'create'] as const)('does not %s a child of an owner that was deleted', async (verb) => {
    await expect(create(verb)).rejects.toMatchObject({
      code: 'E_STALE_OWNER',
      message: 'Gizmo a was deleted; the cache does not show it yet',
    });
    expect(parts.sent).toEqual([]);
    expect(parts.reads).toEqual([{ kind: 'Gizmo', name: 'a' }]);
  });

  test.each(['apply', 'create'] as const)('does not %s a child of an owner with a successor', async (verb) => {
    parts.live = () => gizmo('a', { uid: 'successor' });
    await expect(create(verb)).rejects.toMatchObject({ code: 'E_STALE_OWNER' });
  });

  test.each(['apply', 'create'] as const)('may %s a child of an owner that exists', async (verb) => {
    parts.live = () => gizmo('a');
    await create(verb);
    expect(parts.sent.map((write) => write.verb)).toEqual([verb]);
  });

  test('reads nothing when its cache is not older', async () => {
    lags = false;
    await create('apply');
    expect(parts.reads).toEqual([]);
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
  ])('is not adopted again by an owner that %s, though the cache does not show it', async (_, live) => {
    parts.live = (kind) => (kind === 'Gizmo' ? live : applied);
    for (const adopt of [false, true]) await expect(apply(adopt)).rejects.toMatchObject({ code: 'E_STALE_OWNER' });
    expect(parts.sent).toEqual([]);
  });

  test('is adopted again by an owner that exists', async () => {
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

  test('is true from the new list of another kind until the own cache reaches its version', async () => {
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
