import { describe, expect, test } from '@jest/globals';
import { CoreEvent, NotFoundError, TerminalError } from 'kindwright';
import { eventually } from '../../../src/testing/eventually.js';
import { WidgetSuite } from './widget-suite.js';
import { behaviours, cleanups, Gadget, gone, Widget } from './widget.js';

const namespace = 'default';
const suite = new WidgetSuite();

describe('status', () => {
  test('a changed status is written once and causes no further reconcile', async () => {
    let runs = 0;
    await suite.createWidget((self) => {
      runs += 1;
      self.status.seen = self.spec.value;
    });
    await eventually(async () => expect((await suite.widget()).status).toEqual({ seen: 'a' }));
    await eventually(async () => expect(await suite.writes()).toEqual(['patch widgets status'])); // once it is logged
    expect(runs).toBe(1);
  });

  test('is written also when the reconcile throws', async () => {
    await suite.createWidget((self) => {
      self.status.seen = 'failed';
      throw new TerminalError('no use');
    });
    await eventually(async () => expect((await suite.widget()).status).toEqual({ seen: 'failed' }));
  });

  test('loses what the reconcile takes away', async () => {
    await suite.createWidget(({ spec, status }) => {
      if (spec.value === 'a') status.seen = 'a';
      else delete status.seen;
    });
    await eventually(async () => expect((await suite.widget()).status.seen).toBe('a'));
    await suite.changeWidget('b');
    await eventually(async () => expect((await suite.widget()).status).toEqual({}));
  });

  test('of an object deleted meanwhile is no error', async () => {
    await suite.createWidget(async (self) => {
      self.status.seen = 'late';
      await suite.client.delete(Widget, suite.name, { namespace });
    });
    await eventually(() => expect(gone.map((one) => one.name)).toContain(suite.name));
    expect(
      suite.manager.logger.lines.filter(({ level, fields }) => level === 'error' && fields.name === suite.name),
    ).toEqual([]);
  });
});

describe('an object that goes', () => {
  test('is announced with its last known state', async () => {
    await suite.createWidget();
    await suite.changeWidget('last');
    await suite.client.delete(Widget, suite.name, { namespace });
    await eventually(() => expect(gone).toContainEqual({ name: suite.name, value: 'last' }));
  });

  const gadget = () => suite.client.get(Gadget, suite.name);

  test('has its finalizer before it is reconciled for the first time', async () => {
    const seen: unknown[] = [];
    behaviours.set(suite.name, ({ metadata }) => seen.push(metadata.finalizers));
    await suite.client.create(Gadget, {
      metadata: { name: suite.name, finalizers: ['test.example.com/theirs'] },
      spec: { value: 'a' },
    });
    await eventually(() => expect(seen[0]).toEqual(['test.example.com/theirs', 'test.kindwright.dev/clean']));
    await suite.client.patch(Gadget, suite.name, { metadata: { finalizers: null } });
    await suite.client.delete(Gadget, suite.name).catch(() => undefined);
  });

  test('is cleaned up until that succeeds, then loses our finalizer and keeps those of others', async () => {
    let tries = 0;
    cleanups.set(suite.name, ({ status }) => {
      tries += 1;
      status.seen = `try ${String(tries)}`;
      if (tries < 3) throw new Error('not yet');
    });
    await suite.client.create(Gadget, {
      metadata: { name: suite.name, finalizers: ['test.example.com/theirs'] },
      spec: { value: 'a' },
    });
    await eventually(async () => expect((await gadget()).metadata.finalizers).toHaveLength(2));
    await suite.client.delete(Gadget, suite.name);
    await eventually(async () => expect((await gadget()).metadata.finalizers).toEqual(['test.example.com/theirs']));
    expect(tries).toBe(3);
    expect((await gadget()).status).toEqual({ seen: 'try 3' });
    await suite.client.patch(Gadget, suite.name, { metadata: { finalizers: null } });
    await eventually(() => expect(gadget()).rejects.toBeInstanceOf(NotFoundError));
  });

  test('keeps the finalizer while its method returns { requeueAfterMs }', async () => {
    const finalizers: unknown[] = [];
    cleanups.set(suite.name, ({ metadata }) => {
      finalizers.push(metadata.finalizers);
      return finalizers.length < 3 ? { requeueAfterMs: 20 } : undefined;
    });
    await suite.client.create(Gadget, { metadata: { name: suite.name }, spec: { value: 'a' } });
    await eventually(async () => expect((await gadget()).metadata.finalizers).toHaveLength(1));
    await suite.client.delete(Gadget, suite.name);
    await eventually(() => expect(gadget()).rejects.toBeInstanceOf(NotFoundError));
    expect(finalizers).toEqual(Array(3).fill(['test.kindwright.dev/clean']));
  });

  test('does not take the finalizer from a successor of the same name that has it already', async () => {
    const finalizers = ['test.kindwright.dev/clean'];
    const make = () =>
      suite.client.create(Gadget, { metadata: { name: suite.name, finalizers }, spec: { value: 'a' } });
    const uids: (string | undefined)[] = [];
    cleanups.set(suite.name, async ({ metadata: { uid } }, ctx) => {
      uids.push(uid);
      if (uids.length > 1) return { requeueAfterMs: 60_000 };
      await suite.client.patch(Gadget, suite.name, { metadata: { finalizers: null } });
      const successor = await make();
      await suite.client.delete(Gadget, suite.name);
      await eventually(async () =>
        expect((await ctx.get(Gadget, suite.name))?.metadata).toMatchObject({
          uid: successor.metadata.uid,
          deletionTimestamp: expect.any(String),
        }),
      );
      return undefined;
    });
    await make();
    await suite.client.delete(Gadget, suite.name);
    await eventually(() => expect(uids).toHaveLength(2));
    expect((await gadget()).metadata.finalizers).toEqual(finalizers);
    await suite.client.patch(Gadget, suite.name, { metadata: { finalizers: null } });
  });

  test('is not reconciled any more, nor given a finalizer', async () => {
    const runs: string[] = [];
    behaviours.set(suite.name, () => runs.push('reconcile'));
    const finalizers = ['test.example.com/theirs'];
    await suite.client.create(Gadget, { metadata: { name: suite.name, finalizers }, spec: { value: 'a' } });
    await eventually(() => expect(runs.length).toBeGreaterThan(0));
    await suite.client.delete(Gadget, suite.name);
    await eventually(async () => expect((await gadget()).metadata.finalizers).toEqual(finalizers));
    const before = runs.length;
    await suite.client.patch(Gadget, suite.name, { metadata: { labels: { a: 'b' } } });
    await suite.client.patch(Gadget, suite.name, { metadata: { finalizers: null } });
    await eventually(() => expect(gadget()).rejects.toBeInstanceOf(NotFoundError));
    expect(runs.length).toBe(before);
  });
});

describe('events', () => {
  const events = async () =>
    (await suite.client.list(CoreEvent, { namespace, fieldSelector: `involvedObject.name=${suite.name}` })).items;

  test('are written about the object and counted when repeated', async () => {
    await suite.createWidget((_self, ctx) => {
      ctx.event('Normal', 'Synced', 'all is well');
    });
    await eventually(async () => expect(await events()).toMatchObject([{ reason: 'Synced', count: 1 }]));
    await suite.changeWidget('b');
    await eventually(async () => expect(await events()).toHaveLength(1));
    await eventually(async () => expect(await events()).toMatchObject([{ message: 'all is well', count: 2 }]));
    const [event] = await events();
    expect(event).toMatchObject({
      type: 'Normal',
      source: { component: 'widget' },
      reportingComponent: 'widget',
      involvedObject: {
        apiVersion: 'test.kindwright.dev/v1',
        kind: 'Widget',
        uid: (await suite.widget()).metadata.uid,
      },
    });
  });

  test('of an object of cluster scope go to the namespace default', async () => {
    behaviours.set(suite.name, (_self, ctx) => {
      ctx.event('Warning', 'Odd', 'look here');
    });
    await suite.client.create(Gadget, { metadata: { name: suite.name }, spec: { value: 'a' } });
    await eventually(async () => expect(await events()).toMatchObject([{ type: 'Warning', reason: 'Odd' }]));
    await suite.client.delete(Gadget, suite.name);
  });
});
