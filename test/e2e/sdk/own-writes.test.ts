import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  AlreadyExistsError,
  AlreadyOwnedError,
  type ApiError,
  ConfigMap,
  NotOwnedError,
  Secret,
  type Context,
} from 'kindwright';
import { eventually } from '../../../src/testing/eventually.js';
import { RunningManager } from './running-manager.js';
import { WidgetSuite } from './widget-suite.js';
import { Widget } from './widget.js';

const namespace = 'default';
const suite = new WidgetSuite();
const configMap = () => suite.client.get(ConfigMap, suite.name, { namespace });

/** Runs `act` in the first reconcile of the widget; resolves to its result. */
async function inReconcile<T>(act: (ctx: Context) => Promise<T>): Promise<T> {
  const results: Promise<T>[] = [];
  await suite.createWidget(async (_self, ctx) => {
    if (results.length === 0) results.push(act(ctx));
    await Promise.allSettled(results);
  });
  return eventually(() => {
    if (!results[0]) throw new Error('not reconciled yet');
    return results[0];
  });
}

const thrownBy = (act: (ctx: Context) => Promise<unknown>) =>
  inReconcile((ctx) =>
    act(ctx).then(
      () => undefined,
      (error: unknown) => error,
    ),
  );

describe('create', () => {
  test.each([
    ['of a cached kind', ConfigMap],
    ['of a kind that is not cached', Secret],
  ])('two managers that create an object at the same time get the same object %s', async (_, kind) => {
    const rival = await RunningManager.start(suite.client, [Widget]);
    const passwords: (string | undefined)[] = [];
    let arrived = 0;
    let start = (): void => undefined;
    const both = new Promise<void>((resolve) => (start = resolve));
    await suite.createWidget(async (_self, ctx) => {
      const field = kind === Secret ? 'stringData' : 'data';
      const desired = { metadata: { name: suite.name }, [field]: { password: randomUUID() } };
      arrived += 1;
      if (arrived === 2) start();
      await both;
      passwords.push((await ctx.create(kind, desired)).data?.['password']);
    });
    await eventually(() => expect(passwords.length).toBeGreaterThanOrEqual(2));
    await suite.changeWidget('b');
    await eventually(() => expect(passwords.length).toBeGreaterThanOrEqual(4));
    const { data } = await suite.client.get(kind, suite.name, { namespace });
    expect(new Set(passwords)).toEqual(new Set([data?.['password']]));
    await rival.stop();
  });

  test('create sends nothing for an object that is cached and owned', async () => {
    const data = await inReconcile(async (ctx) => {
      await ctx.create(ConfigMap, { metadata: { name: suite.name }, data: { a: '1' } });
      return (await ctx.create(ConfigMap, { metadata: { name: suite.name }, data: { a: '2' } })).data;
    });
    expect(data).toEqual({ a: '1' });
    expect((await configMap()).metadata.ownerReferences).toMatchObject([{ name: suite.name, controller: true }]);
    expect(await suite.writes()).toEqual(['create configmaps']);
  });

  test('apply removes the keys of a Secret that its stringData no longer has', async () => {
    const keys = await inReconcile(async (ctx) => {
      const metadata = { name: suite.name };
      await ctx.apply(Secret, { metadata, stringData: { old: 'x', both: 'ä' } });
      const { data } = await ctx.apply(Secret, { metadata, data: { plain: 'eA==' }, stringData: { both: 'y' } });
      return data;
    });
    expect(keys).toEqual({ plain: 'eA==', both: 'eQ==' });
  });

  test('create with generateName creates another object on each call, and reads contain them immediately', async () => {
    const names = await inReconcile(async (ctx) => {
      for (let count = 0; count < 2; count++)
        await ctx.create(ConfigMap, {
          metadata: { generateName: `${suite.name}-`, labels: { of: suite.name } },
          data: { a: '1' },
        });
      return (await ctx.list(ConfigMap, { labels: { of: suite.name } })).map(({ metadata }) => metadata.name);
    });
    expect(new Set(names).size).toBe(2);
    expect(names.every((name) => name.startsWith(`${suite.name}-`))).toBe(true);
  });

  test('create rejects an object that was created by others', async () => {
    await suite.client.create(ConfigMap, { metadata: { name: suite.name, namespace }, data: { a: 'theirs' } });
    const error = await thrownBy((ctx) => ctx.create(ConfigMap, { metadata: { name: suite.name }, data: { a: '1' } }));
    expect(error).toBeInstanceOf(AlreadyExistsError);
    expect((await configMap()).data).toEqual({ a: 'theirs' });
  });

  test("create rejects another controller's object", async () => {
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'rival', uid: 'rival-uid', controller: true };
    await suite.client.create(ConfigMap, { metadata: { name: suite.name, namespace, ownerReferences: [owner] } });
    const error = await thrownBy((ctx) => ctx.create(ConfigMap, { metadata: { name: suite.name } }));
    expect(error).toBeInstanceOf(AlreadyOwnedError);
  });
});

describe('apply of an object that exists', () => {
  test.each([
    ['of a cached kind', ConfigMap],
    ['of a kind that is not cached', Secret],
  ])('apply of an object that the operator did not create is rejected %s', async (_, kind) => {
    const before = await suite.client.create(kind, { metadata: { name: suite.name, namespace } });
    const error = await thrownBy((ctx) => ctx.apply(kind, { metadata: { name: suite.name }, immutable: false }));
    expect(error).toBeInstanceOf(NotOwnedError);
    const { metadata } = await suite.client.get(kind, suite.name, { namespace });
    expect(metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  test('apply with adopt takes over an object that exists', async () => {
    await suite.client.create(ConfigMap, { metadata: { name: suite.name, namespace }, data: { theirs: '1' } });
    await inReconcile((ctx) =>
      ctx.apply(ConfigMap, { metadata: { name: suite.name }, data: { ours: '2' } }, { adopt: true }),
    );
    const { data, metadata } = await configMap();
    expect(data).toEqual({ theirs: '1', ours: '2' });
    expect(metadata.ownerReferences).toMatchObject([{ name: suite.name }]);
  });

  test('an apply with the uid of a deleted object neither creates an object nor changes its successor', async () => {
    const metadata = { name: suite.name, namespace };
    const apply = (uid = '') =>
      suite.client.apply(ConfigMap, { metadata: { ...metadata, uid }, data: { a: '1' } }, { force: true }).then(
        () => undefined,
        (error: unknown) => error as ApiError,
      );
    const { metadata: deleted } = await suite.client.create(ConfigMap, { metadata });
    await suite.client.delete(ConfigMap, suite.name, { namespace });
    expect(await apply(deleted.uid)).toMatchObject({ status: 409, message: expect.stringContaining('uid mismatch') });
    await suite.client.create(ConfigMap, { metadata });
    const rejection = await apply(deleted.uid);
    expect([409, 422]).toContain(rejection?.status);
    if (rejection?.status === 422) expect(rejection.message).toContain('metadata.uid');
    expect((await configMap()).data).toBeUndefined();
  });

  test('apply restores a removed owner reference', async () => {
    await suite.createWidget(({ metadata }, ctx) =>
      ctx.apply(ConfigMap, { metadata: { name: metadata.name }, data: { a: '1' } }),
    );
    await eventually(configMap);
    await suite.client.patch(ConfigMap, suite.name, { metadata: { ownerReferences: null } }, { namespace });
    await suite.changeWidget('b');
    await eventually(async () =>
      expect((await configMap()).metadata.ownerReferences).toMatchObject([{ name: suite.name }]),
    );
  });
});

describe('delete', () => {
  test('a delete is visible to reads immediately', async () => {
    await suite.client.create(ConfigMap, { metadata: { name: suite.name, namespace } });
    const seen = await inReconcile(async (ctx) => {
      const map = await eventually(
        async () => (await ctx.get(ConfigMap, suite.name)) ?? Promise.reject(new Error('not cached yet')),
      );
      await ctx.delete(ConfigMap, map);
      return [
        await ctx.get(ConfigMap, suite.name),
        (await ctx.list(ConfigMap)).some(({ metadata }) => metadata.name === suite.name),
      ];
    });
    expect(seen).toEqual([undefined, false]);
  });

  test('a deleted object with finalizers is read with its deletionTimestamp', async () => {
    const finalizers = ['test.example.com/keep'];
    await suite.client.create(ConfigMap, { metadata: { name: suite.name, namespace, finalizers } });
    const seen = await inReconcile(async (ctx) => {
      const map = await eventually(
        async () => (await ctx.get(ConfigMap, suite.name)) ?? Promise.reject(new Error('not cached yet')),
      );
      await ctx.delete(ConfigMap, map);
      return (await ctx.get(ConfigMap, suite.name))?.metadata.deletionTimestamp;
    });
    expect(seen).toMatch(/^20/);
    await suite.client.patch(ConfigMap, suite.name, { metadata: { finalizers: null } }, { namespace });
  });
});
