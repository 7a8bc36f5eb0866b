import { describe, expect, test } from '@jest/globals';
import {
  anyOf,
  Controller,
  CoreEvent,
  CustomResource,
  EventsEvent,
  Field,
  Kind,
  NotFoundError,
  ownChange,
  statusChanged,
  TerminalError,
} from 'kindwright';
import { eventually } from '../../../src/testing/eventually.js';
import { installKinds, RunningManager } from './running-manager.js';
import { WidgetSuite } from './widget-suite.js';
import { behaviors, cleanups, Gadget, gone, Widget } from './widget.js';

const namespace = 'default';
const suite = new WidgetSuite();

class MeterStatus {
  @Field({ format: 'int32' }) reading!: number;
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
@Controller({ predicate: anyOf(ownChange, statusChanged) })
class Meter extends CustomResource {
  static runs = 0;

  @Field() status!: MeterStatus;

  reconcile(): void {
    Meter.runs += 1;
    this.status.reading = 42;
  }
}

describe('status', () => {
  test('a status that another client has changed is restored by a controller whose predicate passes changes of it', async () => {
    await installKinds(suite.client, [Meter]);
    const manager = await RunningManager.start(suite.client, [Meter]);
    const { name } = suite;
    const reading = async () => (await suite.client.get(Meter, name, { namespace })).status?.reading;
    await suite.client.create(Meter, { metadata: { name, namespace } });
    await eventually(async () => expect(await reading()).toBe(42));
    await suite.client.patch(Meter, name, { status: { reading: 7 } }, { namespace, subresource: 'status' });
    await eventually(async () => expect(await reading()).toBe(42));
    await manager.stop();
    // One for the creation and one for each change of the status, those of the controller included.
    expect(Meter.runs).toBeLessThanOrEqual(4);
  });

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

  test('the status is written also when reconcile throws', async () => {
    await suite.createWidget((self) => {
      self.status.seen = 'failed';
      throw new TerminalError('no use');
    });
    await eventually(async () => expect((await suite.widget()).status).toEqual({ seen: 'failed' }));
  });

  test('fields that reconcile removes are removed from the status', async () => {
    await suite.createWidget(({ spec, status }) => {
      if (spec.value === 'a') status.seen = 'a';
      else delete status.seen;
    });
    await eventually(async () => expect((await suite.widget()).status?.seen).toBe('a'));
    await suite.changeWidget('b');
    await eventually(async () => expect((await suite.widget()).status).toEqual({}));
  });

  test('the status of an object that was deleted in the meantime is not an error', async () => {
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
  test('deleted is called with the last known state of the object', async () => {
    await suite.createWidget();
    await suite.changeWidget('last');
    await suite.client.delete(Widget, suite.name, { namespace });
    await eventually(() => expect(gone).toContainEqual({ name: suite.name, value: 'last' }));
  });

  const gadget = () => suite.client.get(Gadget, suite.name);

  test('an object has its finalizer before it is reconciled for the first time', async () => {
    const seen: unknown[] = [];
    behaviors.set(suite.name, ({ metadata }) => seen.push(metadata.finalizers));
    await suite.client.create(Gadget, {
      metadata: { name: suite.name, finalizers: ['test.example.com/theirs'] },
      spec: { value: 'a' },
    });
    await eventually(() => expect(seen[0]).toEqual(['test.example.com/theirs', 'test.kindwright.dev/clean']));
    await suite.client.patch(Gadget, suite.name, { metadata: { finalizers: null } });
    await suite.client.delete(Gadget, suite.name).catch(() => undefined);
  });

  test('cleanup is repeated until it succeeds, then the operator removes its own finalizer only', async () => {
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

  test('a finalizer is kept while its method returns { requeueAfter }', async () => {
    const finalizers: unknown[] = [];
    cleanups.set(suite.name, ({ metadata }) => {
      finalizers.push(metadata.finalizers);
      return finalizers.length < 3 ? { requeueAfter: 20 } : undefined;
    });
    await suite.client.create(Gadget, { metadata: { name: suite.name }, spec: { value: 'a' } });
    await eventually(async () => expect((await gadget()).metadata.finalizers).toHaveLength(1));
    await suite.client.delete(Gadget, suite.name);
    await eventually(() => expect(gadget()).rejects.toBeInstanceOf(NotFoundError));
    expect(finalizers).toEqual(Array(3).fill(['test.kindwright.dev/clean']));
  });

  test('the finalizer of a successor with the same name is not removed', async () => {
    const finalizers = ['test.kindwright.dev/clean'];
    const make = () =>
      suite.client.create(Gadget, { metadata: { name: suite.name, finalizers }, spec: { value: 'a' } });
    const uids: (string | undefined)[] = [];
    cleanups.set(suite.name, async ({ metadata: { uid } }, ctx) => {
      uids.push(uid);
      if (uids.length > 1) return { requeueAfter: 60_000 };
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

  test('an object that is being deleted is neither reconciled nor given a finalizer', async () => {
    const runs: string[] = [];
    behaviors.set(suite.name, () => runs.push('reconcile'));
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

  test('events are recorded for the object and counted when repeated', async () => {
    await suite.createWidget((_self, ctx) => {
      ctx.event('Normal', 'Synced', 'all is well');
    });
    await eventually(async () => expect(await events()).toMatchObject([{ reason: 'Synced' }]));
    expect((await events())[0]?.series).toBeUndefined();
    await suite.changeWidget('b');
    await eventually(async () =>
      expect(await events()).toMatchObject([{ message: 'all is well', series: { count: 2 } }]),
    );
    const [event] = await events();
    expect(event).toMatchObject({
      type: 'Normal',
      action: 'Reconcile',
      reportingComponent: 'widget',
      involvedObject: {
        apiVersion: 'test.kindwright.dev/v1',
        kind: 'Widget',
        uid: (await suite.widget()).metadata.uid,
      },
    });
  });

  test('an event with a long reason and message is recorded with its action and related object, in both APIs', async () => {
    const created = { metadata: { name: 'made', namespace }, apiVersion: 'v1', kind: 'ConfigMap' };
    await suite.createWidget((_self, ctx) => {
      const options = { related: created, action: 'Scale' };
      ctx.event('Warning', `Long${'x'.repeat(200)}`, 'ä🙂'.repeat(1000), options);
    });
    await eventually(async () => expect(await events()).toHaveLength(1));
    await suite.changeWidget('b');
    await eventually(async () => expect(await events()).toMatchObject([{ series: { count: 2 } }]));
    const [event] = await events();
    expect(event).toMatchObject({ action: 'Scale', related: { kind: 'ConfigMap', name: 'made' } });
    expect(Buffer.byteLength(event?.message ?? '')).toBeLessThanOrEqual(1024);
    const fieldSelector = `regarding.name=${suite.name}`;
    const { items } = await suite.client.list(EventsEvent, { namespace, fieldSelector });
    expect(items).toMatchObject([{ note: event?.message, series: { count: 2 } }]);
  });

  test('events of a cluster-scoped object are created in the namespace default', async () => {
    behaviors.set(suite.name, (_self, ctx) => {
      ctx.event('Warning', 'Odd', 'look here');
    });
    await suite.client.create(Gadget, { metadata: { name: suite.name }, spec: { value: 'a' } });
    await eventually(async () => expect(await events()).toMatchObject([{ type: 'Warning', reason: 'Odd' }]));
    await suite.client.delete(Gadget, suite.name);
  });
});
