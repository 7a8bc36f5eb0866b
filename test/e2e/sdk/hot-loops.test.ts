import { describe, expect, test } from '@jest/globals';
import { Client, ConfigMap, Informer, loadClusterConfig } from 'kindwright';
import { formatTime } from '../../../src/base/timestamp.js';
import { eventually } from '../../../src/testing/eventually.js';
import { WidgetSuite } from './widget-suite.js';
import { Widget } from './widget.js';

const namespace = 'default';
const suite = new WidgetSuite();

function warnings() {
  const { lines } = suite.manager.logger;
  return lines.filter(
    ({ level, fields }) => level === 'warn' && fields.cause !== undefined && fields.name === suite.name,
  );
}

/** Resolves with the fields of the only report. */
async function report() {
  await eventually(() => expect(warnings()).toHaveLength(1));
  return warnings()[0]!.fields;
}

describe('a hot loop', () => {
  test('a hot loop of an apply with changing data is found within 20 reconciles', async () => {
    let runs = 0;
    await suite.createWidget(async ({ metadata: { name } }, ctx) => {
      runs += 1;
      await ctx.apply(ConfigMap, { metadata: { name }, data: { time: formatTime(runs * 1000) } });
    });
    const { reconciles, ...fields } = await report();
    expect(fields).toMatchObject({
      cause: 'own write',
      object: `ConfigMap ${namespace}/${suite.name}`,
      field: 'data.time',
      hint: expect.any(String),
    });
    expect(reconciles).toBeLessThanOrEqual(20);
  });

  test('a hot loop of a patch of the object itself is found within 20 reconciles', async () => {
    let runs = 0;
    await suite.createWidget(async ({ metadata: { name } }, ctx) => {
      runs += 1;
      await ctx.patch(Widget, name, { spec: { value: formatTime(runs * 1000) } });
    });
    expect(await report()).toMatchObject({
      cause: 'own write',
      object: `Widget ${namespace}/${suite.name}`,
      field: 'spec.value',
    });
  });

  test('a hot loop of a requeue after a millisecond is found within 20 reconciles', async () => {
    await suite.createWidget(() => ({ requeueAfter: 1 }));
    expect(await report()).toMatchObject({ cause: 'timer' });
  });

  test('a hot loop with another client that resets a field is found within 20 reconciles', async () => {
    const rival = new Client(await loadClusterConfig({ kubeconfig: suite.cluster.kubeconfig }), {
      fieldManager: 'rival',
    });
    const informer = new Informer(rival, ConfigMap, { namespace });
    informer.addEventHandler(({ type, object: { metadata, data } }) => {
      if (type === 'delete' || metadata.name !== suite.name || data?.owner === 'rival') return;
      void rival.patch(ConfigMap, metadata.name, { data: { owner: 'rival' } }, { namespace }).catch(() => undefined);
    });
    informer.start();
    try {
      await informer.synced();
      await suite.createWidget(async ({ metadata: { name } }, ctx) => {
        await ctx.apply(ConfigMap, { metadata: { name }, data: { owner: 'widget' } });
      });
      expect(await report()).toMatchObject({
        cause: 'second writer',
        object: `ConfigMap ${namespace}/${suite.name}`,
        field: 'data.owner',
        from: '"rival"',
        to: '"widget"',
        writer: 'field manager "rival"',
      });
    } finally {
      await informer.stop();
      rival.close();
    }
  });
});

test('forty steps that each trigger the next are not a hot loop', async () => {
  let steps = 0;
  await suite.createWidget(async ({ metadata: { name } }, ctx) => {
    const child = await ctx.get(ConfigMap, name);
    steps = Number(child?.data?.['step'] ?? 0);
    if (steps < 40) await ctx.apply(ConfigMap, { metadata: { name }, data: { step: String(steps + 1) } });
  });
  await eventually(() => expect(steps).toBe(40));
  expect(warnings()).toEqual([]);
});

test('a burst of changes by others is not a hot loop', async () => {
  let runs = 0;
  await suite.createWidget(async (self, ctx) => {
    runs += 1;
    await ctx.apply(ConfigMap, { metadata: { name: self.metadata.name }, data: { value: self.spec.value } });
    self.status.seen = self.spec.value;
  });
  for (let change = 0; change < 60; change++) await suite.changeWidget(String(change));
  await eventually(async () => expect((await suite.widget()).status?.seen).toBe('59'));
  expect(runs).toBeGreaterThan(1);
  expect(warnings()).toEqual([]);
});
