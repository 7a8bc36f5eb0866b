import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CacheUsage, Client, partOf, Secret } from 'kindwright';
import { type Cluster, eventually } from 'kindwright/testing';
import { createMetrics } from '../../../src/base/metrics.js';
import { NeedOperator, Need } from './need-operator.js';

let cluster: Cluster;
let namespace: string;
let operator: NeedOperator;

beforeAll(async () => {
  cluster = await NeedOperator.startCluster();
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  namespace = await cluster.namespace();
  operator = new NeedOperator(cluster, namespace);
});
afterEach(() => operator.stop());

describe('a watch that objects need', () => {
  test('a watch begins with the first object that needs it and ends with the last', async () => {
    await operator.secret('a', 'one');
    await operator.run();
    expect(operator.counter.opened(Secret)).toBe(0);
    await operator.create('first', ['a']);
    await operator.sees('first: one');
    expect(operator.counter.opened(Secret)).toBe(1);
    await operator.create('second', ['a', 'b']);
    await operator.sees('second: one missing');
    await operator.delete('first');
    await operator.secret('b', 'two');
    await operator.sees('second: one two');
    expect(operator.counter.requested(Secret)).toBe(1);
    await operator.delete('second');
    await operator.opens(0);
  });

  test('a change reconciles the objects that need its object, and no others', async () => {
    await operator.run();
    await operator.create('first', ['a']);
    await operator.create('second', ['b']);
    await operator.create('all', ['*']);
    await operator.sees('first: missing');
    await operator.sees('second: missing');
    await operator.sees('all: ');
    operator.seen.length = 0;
    await operator.secret('a', 'one');
    await operator.sees('first: one');
    await operator.sees('all: ');
    await operator.secret('b', 'two');
    await operator.sees('second: two');
    await eventually(() => expect(operator.seen.toSorted()).toEqual(['all: ', 'all: ', 'first: one', 'second: two']));
    await cluster.client.delete(Secret, 'a', { namespace });
    await operator.sees('first: missing');
  });

  test('the first list of a watch does not lead to another reconcile', async () => {
    await operator.secret('a', 'one');
    await operator.run();
    await operator.create('first', ['a']);
    await operator.create('marker', ['b']);
    await operator.sees('marker: missing');
    await operator.secret('b', 'two');
    await operator.sees('marker: two');
    expect(operator.seen).toEqual(['first: one', 'marker: missing', 'marker: two']);
  });

  test('a watch ends when a reconcile no longer declares it, and a failed reconcile ends none', async () => {
    await operator.secret('a', 'one');
    await operator.run();
    await operator.create('first', ['a']);
    await operator.sees('first: one');
    await operator.change('first', [], true);
    await operator.sees('first: ');
    await operator.secret('a', 'two');
    await eventually(() => expect(operator.logger.messages('error')).toContain('Reconciler error'));
    expect(operator.counter.opened(Secret)).toBe(1);
    await operator.change('first', []);
    await operator.opens(0);
  });

  test('what only a failed reconcile has declared leads to a reconcile', async () => {
    await operator.run();
    await operator.create('first', ['a'], true);
    await operator.sees('first: missing');
    await operator.secret('a', 'one');
    await operator.sees('first: one');
    await operator.change('first', []);
    await operator.opens(0);
  });

  test('each part of a kind has a watch of its own, which reads of the part use', async () => {
    await operator.secret('a', 'one');
    await operator.secret('b', 'two');
    const names: string[][] = [];
    operator.inReconcile = async (ctx, name) => {
      const selector = name === 'first' ? 'value=one' : 'value=two';
      await ctx.watch(partOf(Secret, { labelSelector: selector }));
      const found = await ctx.list(partOf(Secret, { labelSelector: selector }));
      names.push(found.map(({ metadata }) => metadata.name));
    };
    await operator.run();
    await operator.create('first');
    await operator.create('second');
    await eventually(() => expect(names.toSorted()).toEqual([['a'], ['b']]));
    expect(operator.counter.opened(Secret)).toBe(2);
    await operator.secret('b', 'one');
    await eventually(() => expect(names.slice(2).toSorted()).toEqual([[], ['a', 'b']]));
    await operator.delete('second');
    await operator.opens(1);
  });

  test('reads of what is watched need no request and show own writes immediately', async () => {
    const requests: string[] = [];
    const client = new Client(cluster.client.config, {
      onAccess: ({ verb, resource }) => requests.push(`${verb} ${resource}`),
    });
    let written: (string | undefined)[] = [];
    operator.inReconcile = async (ctx) => {
      if (written.length > 0) return;
      const secretOf = async () => (await ctx.get(Secret, 'own'))?.metadata.labels?.['value'];
      written.push(await secretOf());
      await ctx.apply(Secret, { metadata: { name: 'own', labels: { value: 'one' } } });
      written.push(await secretOf());
      await ctx.apply(Secret, { metadata: { name: 'own', labels: { value: 'one' } } });
      const own = await ctx.get(Secret, 'own');
      if (own) await ctx.delete(Secret, own);
      written.push(await secretOf());
    };
    await operator.run({ client });
    await operator.create('first', ['own']);
    await eventually(() => expect(written).toEqual([undefined, 'one', undefined]));
    await eventually(() => expect(operator.seen.length).toBeGreaterThan(0));
    // One apply that creates needs both permissions; the second apply sends nothing.
    expect(requests.filter((request) => request.endsWith('secrets'))).toEqual([
      'patch secrets',
      'create secrets',
      'delete secrets',
    ]);
    expect(operator.logger.messages('warn')).toEqual([]);
    written = [];
    client.close();
  });

  test('reads of objects that were not declared are requests to the server', async () => {
    await operator.secret('b', 'two');
    const requests: string[] = [];
    const client = new Client(cluster.client.config, {
      onAccess: ({ verb, resource }) => requests.push(`${verb} ${resource}`),
    });
    operator.inReconcile = async (ctx) => {
      await ctx.get(Secret, 'b');
      await ctx.list(Secret);
    };
    await operator.run({ client });
    await operator.create('first', ['a']);
    await operator.sees('first: missing');
    expect(requests.filter((request) => request.endsWith('secrets'))).toEqual(['get secrets', 'list secrets']);
    client.close();
  });

  test('caches of watches are part of the cache report, and end with the manager', async () => {
    let measure: () => readonly CacheUsage[] = () => [];
    await operator.run({ onCachesSynced: (given) => (measure = given) });
    await operator.secret('a', 'one');
    await operator.create('first', ['a']);
    await operator.sees('first: one');
    const usage = measure().find(({ kind }) => kind.kind === 'Secret');
    expect(usage).toMatchObject({ objects: 1, controllers: ['need'] });
    await operator.stop();
    expect(operator.counter.opened(Secret)).toBe(0);
  });

  test('after watches began and ended 100 times, no watch, timer or series is left', async () => {
    const metrics = await createMetrics({ ofProcess: false });
    const manager = await operator.run({ metrics });
    await operator.create('first', ['a']);
    await operator.sees('first: missing');
    const series = async () => (await metrics.expose()).text.split('\n').filter((line) => line.includes('secrets'));
    expect(await series()).not.toEqual([]);
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    for (let cycle = 0; cycle < 100; cycle++) {
      await operator.change('first', []);
      await operator.opens(0);
      operator.seen.length = 0;
      await operator.change('first', ['a']);
      await operator.sees('first: missing');
    }
    expect(operator.counter.requested(Secret)).toBe(101);
    expect(operator.counter.opened(Secret)).toBe(1);
    await manager.remove(Need);
    await operator.opens(0);
    expect(await series()).toEqual([]);
    expect(timers()).toBeLessThan(before + 10);
    expect(operator.logger.messages('warn')).toEqual([]);
  }, 20_000);
});
