import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConflictError, Deployment, Node, type KubeObject } from 'kindwright';
import { LiveContext } from '../../../src/controller/context/live-context.js';
import { ControllerParts, gizmo, owned, type SentWrite } from '../gizmo.js';

let parts: ControllerParts;
let ctx: LiveContext;

beforeEach(async () => {
  parts = await ControllerParts.with();
  parts.live = (kind) => (kind === 'Gizmo' ? gizmo('a') : undefined);
  ctx = new LiveContext(parts.services, parts.request(), gizmo('a'));
});
afterEach(() => parts.stop());

const conflict = new ConflictError('changed', {
  status: 409,
  reason: 'Conflict',
  request: { method: 'PUT', path: '/' },
});

describe('apply', () => {
  const desired = { metadata: { name: 'web' }, spec: { replicas: 2 } };
  const deployment = (version: string, change: object = {}, name = 'web'): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'team', uid: 'ud', resourceVersion: version },
    ...{ spec: { replicas: 2 }, status: { replicas: 0 }, ...change },
  });
  const see = (object: KubeObject) => {
    parts.caches.observe(Deployment, object);
  };
  const isCreation = ({ body }: SentWrite): boolean => (body as KubeObject).metadata.resourceVersion === '1';
  /** Answers as the server does that has an object: with a conflict to what only creates. */
  const answerExisting = (object: () => KubeObject) => {
    parts.answer = (write) => {
      if (isCreation(write)) throw conflict;
      return object();
    };
  };
  beforeEach(async () => {
    parts.answer = () => owned(deployment('10'));
    await ctx.apply(Deployment, desired);
  });

  test('apply sends identity, namespace and owner with the desired fields', () => {
    expect(parts.sent[0]?.body).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'team', ownerReferences: [{ kind: 'Gizmo', name: 'a', uid: 'uid-a' }] },
      spec: { replicas: 2 },
    });
  });

  test('apply of the same object sends nothing', async () => {
    const applied = await ctx.apply(Deployment, desired);
    expect(applied.spec?.replicas).toBe(2);
    expect(parts.sent).toHaveLength(1);
  });

  test('apply rejects an object that exists without the owner reference and was never owned', async () => {
    const existing = deployment('11', { spec: { replicas: 7 } });
    see(existing);
    parts.live = () => existing;
    await expect(ctx.apply(Deployment, desired)).rejects.toMatchObject({
      code: 'E_NOT_OWNED',
      message: 'Deployment team/web already exists and was not created for Gizmo team/a',
    });
    expect(parts.sent).toHaveLength(1);
  });

  test('apply with adopt takes over an object that exists', async () => {
    see(deployment('11', { spec: { replicas: 7 } }));
    await ctx.apply(Deployment, desired, { adopt: true });
    expect(parts.sent).toHaveLength(2);
    expect(parts.reads).toEqual([{ kind: 'Gizmo', name: 'a' }]); // which may be deleted without its children
  });

  test('apply rejects an object that exists but is not cached, and was not created by the controller', async () => {
    answerExisting(() => deployment('6', {}, 'other'));
    parts.live = () => deployment('5', {}, 'other');
    const other = { ...desired, metadata: { name: 'other' } };
    await expect(ctx.apply(Deployment, other)).rejects.toMatchObject({ code: 'E_NOT_OWNED' });
    expect(parts.sent.slice(1).every(isCreation)).toBe(true);
  });

  test('apply rejects an object that is neither cached nor owned if its owner is being deleted', async () => {
    const managedFields = [{ manager: 'gizmo', operation: 'Apply' }];
    const live = deployment('5', {}, 'other');
    answerExisting(() => live);
    parts.live = (kind) =>
      kind === 'Gizmo'
        ? gizmo('a', { deletionTimestamp: '2020-01-01T00:00:00Z' })
        : { ...live, metadata: { ...live.metadata, managedFields } as KubeObject['metadata'] };
    const other = { ...desired, metadata: { name: 'other' } };
    await expect(ctx.apply(Deployment, other)).rejects.toMatchObject({ code: 'E_STALE_OWNER' });
    expect(parts.sent.slice(1).every(isCreation)).toBe(true);
  });

  test('apply sends an object that does not exist in a form that changes no existing one, and reads nothing', async () => {
    await ctx.apply(Deployment, { ...desired, metadata: { name: 'other' } });
    expect(parts.sent.slice(1)).toMatchObject([
      { name: 'other', force: false, body: { metadata: { resourceVersion: '1' } } },
    ]);
    expect(parts.reads).toEqual([]);
  });

  test('apply forces an own object that is not in the cache yet', async () => {
    answerExisting(() => deployment('12'));
    parts.live = () => owned(deployment('5', {}, 'other'));
    await ctx.apply(Deployment, { ...desired, metadata: { name: 'other' } });
    expect(parts.sent.slice(1).map((write) => [isCreation(write), write.force])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('apply rejects with the conflict if the object that exists is deleted before it is read', async () => {
    answerExisting(() => deployment('12'));
    await expect(ctx.apply(Deployment, { ...desired, metadata: { name: 'other' } })).rejects.toBe(conflict);
    expect(parts.sent).toHaveLength(2);
  });

  test('apply sends nothing when only the status has changed', async () => {
    see(owned(deployment('11', { status: { replicas: 2 } })));
    const applied = await ctx.apply(Deployment, desired);
    expect(applied.status?.replicas).toBe(2);
    expect(parts.sent).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['a field', { spec: { replicas: 7 } }],
    ['a field that is not ours', { spec: { replicas: 2, paused: true } }],
  ])('apply sends again when another client changed %s, and then no more', async (_, change) => {
    see(owned(deployment('11', change)));
    parts.answer = () => owned(deployment('12'));
    await ctx.apply(Deployment, desired);
    await ctx.apply(Deployment, desired);
    expect(parts.sent).toHaveLength(2);
  });

  test('apply sends nothing when another client changed a field that is not ours, if the server reports our fields', async () => {
    const managedFields = [
      { manager: 'gizmo', operation: 'Apply', apiVersion: 'apps/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    ];
    const { metadata, ...rest } = owned(deployment('10'));
    parts.answer = () => ({ ...rest, metadata: { ...metadata, managedFields } as KubeObject['metadata'] });
    await ctx.apply(Deployment, { ...desired, spec: { ...desired.spec, minReadySeconds: 0 } });
    parts.sent.length = 0;
    const again = () => ctx.apply(Deployment, { ...desired, spec: { ...desired.spec, minReadySeconds: 0 } });
    see(owned(deployment('11', { spec: { replicas: 2, paused: true } })));
    await again();
    expect(parts.sent).toHaveLength(0);
    see(owned(deployment('12', { spec: { replicas: 3, paused: true } })));
    await again();
    see({ ...owned(deployment('13', { spec: { replicas: 2 } })), metadata: deployment('13').metadata });
    await again().catch(() => undefined);
    expect(parts.sent).toHaveLength(2);
  });

  /** The lists that watches send after a while are empty. */
  const wait = async (ms: number, present: KubeObject) => {
    await parts.clock.advance(ms);
    see(present);
  };

  test('apply sends nothing when another controller adds metadata that is not ours', async () => {
    const { metadata, ...rest } = owned(deployment('11'));
    const annotations = { 'deployment.kubernetes.io/revision': '1' };
    see({ ...rest, metadata: { ...metadata, annotations, labels: { other: 'x' } } });
    await ctx.apply(Deployment, desired);
    expect(parts.sent).toHaveLength(1);
  });

  describe('of a field that admission changes', () => {
    const changed = owned(deployment('12', { spec: { replicas: 5 } }));
    const warnings = () => parts.logger.messages('warn');
    beforeEach(async () => {
      parts.answer = () => changed;
      await ctx.apply(Deployment, { ...desired, metadata: { name: 'web', labels: {} } });
      parts.sent.length = 0;
    });
    const again = (owner = gizmo('a')) =>
      new LiveContext(parts.services, parts.request(), owner).apply(Deployment, {
        ...desired,
        metadata: { name: 'web', labels: {} },
      });

    test('apply sends again after a minute, and warns once', async () => {
      await again();
      expect(parts.sent).toHaveLength(0);
      await wait(60_000, changed);
      await again();
      await again();
      expect(parts.sent).toHaveLength(1);
      expect(warnings()).toEqual(['The server did not store applied fields as they were sent']);
      expect(parts.logger.lines.at(-1)).toMatchObject({ fields: { fields: 'spec.replicas' } });
    });

    test('apply sends again after a change of the owner', async () => {
      const touched = gizmo('a', { annotations: { touched: 'yes' } });
      await again(touched);
      await again(touched);
      expect(parts.sent).toHaveLength(1);
    });

    test('apply sends nothing more once the field is stored', async () => {
      parts.answer = () => owned(deployment('13'));
      await wait(60_000, changed);
      await again();
      await wait(600_000, owned(deployment('13')));
      await again();
      expect(parts.sent).toHaveLength(1);
    });
  });

  test.each<[string, object, object]>([
    ['a quantity', { limit: '1000m' }, { limit: '1' }],
    ['defaults', { ports: [{ port: 80 }] }, { ports: [{ port: 80, protocol: 'TCP' }], type: 'ClusterIP' }],
    ['empty values', { paused: false, list: [], at: { name: '' } }, {}],
    ['an added item', { list: [{ name: 'a' }] }, { list: [{ name: 'x' }, { name: 'a' }] }],
  ])('apply does not warn or repeat when the server normalizes %s', async (_, spec, stored) => {
    parts.answer = () => owned(deployment('12', { spec: stored }));
    const given = { ...desired, spec } as unknown as typeof desired;
    await ctx.apply(Deployment, given);
    await wait(600_000, owned(deployment('12', { spec: stored })));
    await ctx.apply(Deployment, given);
    expect(parts.sent).toHaveLength(2);
    expect(parts.logger.messages('warn')).toEqual([]);
  });

  test('apply sends again when the desired object changes', async () => {
    await ctx.apply(Deployment, { ...desired, spec: { replicas: 3 } });
    expect(parts.sent).toHaveLength(2);
  });

  test('apply sends again after a delete of the object', async () => {
    await ctx.delete(Deployment, deployment('10'));
    await ctx.apply(Deployment, desired);
    expect(parts.sent.map(({ verb }) => verb)).toEqual(['apply', 'delete', 'apply']);
  });

  test('apply returns a copy that the user may change', async () => {
    const applied = await ctx.apply(Deployment, desired);
    applied.metadata.labels = { mutated: 'yes' };
    await ctx.apply(Deployment, desired);
    expect(parts.sent).toHaveLength(1);
  });

  test('apply does not change the given object', () => {
    expect(desired).toEqual({ metadata: { name: 'web' }, spec: { replicas: 2 } });
  });

  test('apply without an owner sends no owner reference', async () => {
    await ctx.apply(Node, { metadata: { name: 'n' } }, { owned: false });
    expect(parts.sent[1]?.body).toEqual({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  });
});
