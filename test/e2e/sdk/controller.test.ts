import { describe, expect, test } from '@jest/globals';
import { AlreadyOwnedError, ConfigMap, Secret } from 'kindwright';
import { eventually } from '../../../src/testing/eventually.js';
import { WidgetSuite } from './widget-suite.js';
import { Widget, type Behavior } from './widget.js';

const namespace = 'default';
const suite = new WidgetSuite();
const configMap = () => suite.client.get(ConfigMap, suite.name, { namespace });
const applyMap: Behavior = ({ metadata, spec }, ctx) =>
  ctx.apply(ConfigMap, { metadata: { name: metadata.name }, data: { value: spec.value } });

describe('apply', () => {
  test('apply creates the child in the namespace of its owner, with an owner reference', async () => {
    await suite.createWidget(applyMap);
    const { data, metadata } = await eventually(configMap);
    expect(data).toEqual({ value: 'a' });
    expect(metadata.ownerReferences).toEqual([
      {
        apiVersion: 'test.kindwright.dev/v1',
        kind: 'Widget',
        name: suite.name,
        uid: (await suite.widget()).metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });

  test('apply restores fields that were changed by hand and keeps the fields of others', async () => {
    await suite.createWidget(applyMap);
    await eventually(configMap);
    await suite.client.patch(ConfigMap, suite.name, { data: { value: 'edited', other: 'mine' } }, { namespace });
    await eventually(async () => expect((await configMap()).data).toEqual({ value: 'a', other: 'mine' }));
  });

  test('apply creates a deleted child again', async () => {
    await suite.createWidget(applyMap);
    const { uid } = (await eventually(configMap)).metadata;
    await suite.client.delete(ConfigMap, suite.name, { namespace });
    await eventually(async () => expect((await configMap()).metadata.uid).not.toBe(uid));
  });

  test('apply removes a field that is no longer desired', async () => {
    await suite.createWidget(({ spec }, ctx) =>
      ctx.apply(ConfigMap, { metadata: { name: suite.name }, data: { [spec.value]: 'x' } }),
    );
    await eventually(configMap);
    await suite.changeWidget('b');
    await eventually(async () => expect((await configMap()).data).toEqual({ b: 'x' }));
  });

  test('apply sends nothing when nothing changes', async () => {
    let runs = 0;
    await suite.createWidget(async (self, ctx) => {
      await applyMap(self, ctx);
      runs += 1;
    });
    await eventually(() => expect(runs).toBeGreaterThanOrEqual(1));
    const before = runs;
    for (const label of ['x', 'y'])
      await suite.client.patch(Widget, suite.name, { metadata: { labels: { label } } }, { namespace });
    await eventually(() => expect(runs).toBeGreaterThan(before));
    expect(await suite.writes()).toEqual(['patch configmaps']);
  });

  test('apply does not change an object of another controller and names the controller', async () => {
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'rival', uid: 'rival-uid', controller: true };
    await suite.client.create(ConfigMap, {
      metadata: { name: suite.name, namespace, ownerReferences: [owner] },
      data: { value: 'theirs' },
    });
    const errors: unknown[] = [];
    await suite.createWidget(async (self, ctx) => {
      await Promise.resolve(applyMap(self, ctx)).catch((error: unknown) => errors.push(error));
    });
    await eventually(() => expect(errors[0]).toBeInstanceOf(AlreadyOwnedError));
    expect(String(errors[0])).toContain('already owned by Deployment rival');
    expect((await configMap()).data).toEqual({ value: 'theirs' });
    expect(await suite.writes()).toEqual([]);
  });

  test('the controller of a child whose kind is not cached is checked by the server', async () => {
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'rival', uid: 'rival-uid', controller: true };
    await suite.client.create(Secret, { metadata: { name: suite.name, namespace, ownerReferences: [owner] } });
    const errors: unknown[] = [];
    await suite.createWidget(async (_self, ctx) => {
      await ctx
        .apply(Secret, { metadata: { name: suite.name }, stringData: { a: 'b' } })
        .catch((error: unknown) => errors.push(error));
    });
    await eventually(() => expect(errors[0]).toBeInstanceOf(AlreadyOwnedError));
    expect((await suite.client.get(Secret, suite.name, { namespace })).data).toBeUndefined();
  });

  test('apply rejects a child in another namespace before anything is sent', async () => {
    const errors: unknown[] = [];
    await suite.createWidget(async (_self, ctx) => {
      const desired = { metadata: { name: suite.name, namespace: 'kube-system' } };
      await ctx.apply(ConfigMap, desired).catch((error: unknown) => errors.push(error));
    });
    await eventually(() => expect(errors[0]).toMatchObject({ code: 'E_OWNER_NAMESPACE' }));
    expect(await suite.writes()).toEqual([]);
  });
});

describe('reads', () => {
  test('reads contain an own write immediately, and return frozen objects', async () => {
    const seen: unknown[] = [];
    await suite.createWidget(async (self, ctx) => {
      await applyMap(self, ctx);
      const first = await ctx.get(ConfigMap, suite.name);
      seen.push(first?.data);
      expect(() => Object.assign(first?.data ?? {}, { value: 'mutated' })).toThrow('read only property');
      seen.push((await ctx.get(ConfigMap, suite.name))?.data);
      seen.push((await ctx.list(ConfigMap)).some(({ metadata }) => metadata.name === suite.name));
    });
    await eventually(() => expect(seen.slice(0, 3)).toEqual([{ value: 'a' }, { value: 'a' }, true]));
  });

  test('reads of a kind that is not cached are requests to the server', async () => {
    await suite.client.create(Secret, {
      metadata: { name: suite.name, namespace, labels: { of: suite.name } },
      stringData: { key: 'value' },
    });
    const seen: unknown[] = [];
    await suite.createWidget(async (_self, ctx) => {
      seen.push(await ctx.get(Secret, 'absent'), (await ctx.get(Secret, suite.name))?.metadata.name);
      seen.push((await ctx.list(Secret, { labels: { of: suite.name } })).length);
    });
    await eventually(() => expect(seen).toEqual([undefined, suite.name, 1]));
  });
});

describe('update, patch and delete', () => {
  test('an update that meets a conflict is repeated on the current object', async () => {
    await suite.client.create(ConfigMap, { metadata: { name: suite.name, namespace }, data: { theirs: '1' } });
    const drafts: unknown[] = [];
    await suite.createWidget(async (_self, ctx) => {
      if (drafts.length > 0) return;
      const stale = await suite.client.get(ConfigMap, suite.name, { namespace });
      await suite.client.patch(ConfigMap, suite.name, { data: { theirs: '2' } }, { namespace });
      await ctx.update(ConfigMap, stale, (draft) => {
        drafts.push(draft.data);
        draft.data = { ...draft.data, ours: 'x' };
      });
    });
    await eventually(async () => expect((await configMap()).data).toEqual({ theirs: '2', ours: 'x' }));
    expect(drafts).toHaveLength(2);
  });

  test('an update that changes nothing sends nothing', async () => {
    await suite.client.create(ConfigMap, { metadata: { name: suite.name, namespace }, data: { a: '1' } });
    let isDone = false;
    await suite.createWidget(async (_self, ctx) => {
      const current = await suite.client.get(ConfigMap, suite.name, { namespace });
      await ctx.update(ConfigMap, current, (draft) => (draft.data = { a: '1' }));
      isDone = true;
    });
    await eventually(() => expect(isDone).toBe(true));
    expect(await suite.writes()).toEqual([]);
  });

  test('a delete does not affect the successor of the deleted object', async () => {
    await suite.client.create(ConfigMap, { metadata: { name: suite.name, namespace } });
    let isDone = false;
    await suite.createWidget(async (_self, ctx) => {
      if (isDone) return;
      const old = await suite.client.get(ConfigMap, suite.name, { namespace });
      await suite.client.delete(ConfigMap, suite.name, { namespace });
      await suite.client.create(ConfigMap, { metadata: { name: suite.name, namespace }, data: { is: 'new' } });
      await ctx.delete(ConfigMap, old);
      isDone = true;
    });
    await eventually(() => expect(isDone).toBe(true));
    expect((await configMap()).data).toEqual({ is: 'new' });
  });

  test('deleting an object that does not exist is not an error', async () => {
    await suite.client.create(ConfigMap, { metadata: { name: suite.name, namespace } });
    let result = 'not called';
    await suite.createWidget(async (_self, ctx) => {
      const old = await suite.client.get(ConfigMap, suite.name, { namespace }).catch(() => undefined);
      if (!old) return;
      await suite.client.delete(ConfigMap, suite.name, { namespace });
      await ctx.delete(ConfigMap, old);
      result = 'fine';
    });
    await eventually(() => expect(result).toBe('fine'));
  });
});
