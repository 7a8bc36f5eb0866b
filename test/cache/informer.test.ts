import { describe, expect, jest, test } from '@jest/globals';
import type { ObjectEvent } from '../../src/api/events/object-event.js';
import { FakeClock } from '../../src/base/fake-clock.js';
import { silentLogger } from '../../src/base/logger.js';
import { Informer, type InformerOptions } from '../../src/cache/informer.js';
import { describeEvent, widget, Widget } from './objects.js';
import { refusal, ScriptedClient } from './scripted-client.js';

function setup(options: InformerOptions = {}) {
  const clock = new FakeClock();
  const client = new ScriptedClient();
  const informer = new Informer(client, Widget, { clock, ...options });
  const events: ObjectEvent[] = [];
  informer.addEventHandler((event) => events.push(event));
  return { clock, client, informer, events };
}

async function synced(options?: InformerOptions) {
  const all = setup(options);
  all.informer.start();
  await all.clock.advance(0);
  all.client.last.initial(20, widget('a', 10));
  return all;
}

describe('Informer', () => {
  test('an informer sends no request before it is started, and one when it is started twice', async () => {
    const { clock, client, informer } = setup();
    expect(client.calls).toHaveLength(0);
    informer.start();
    informer.start();
    await clock.advance(0);
    expect(client.calls).toHaveLength(1);
  });

  test('an informer has synced once its handlers received all initial objects', async () => {
    const { clock, client, informer } = setup();
    const hasSynced: boolean[] = [];
    informer.addEventHandler(() => hasSynced.push(informer.hasSynced));
    informer.start();
    await clock.advance(0);
    client.last.initial(20, widget('a', 10), widget('b', 11));
    expect(hasSynced).toEqual([false, false]);
    expect(informer.hasSynced).toBe(true);
    await informer.synced();
    expect(informer.lastSyncResourceVersion).toBe('20');
  });

  test('an informer measures the time since its last list or event, bookmarks included', async () => {
    const { clock, client, informer } = setup();
    expect(informer.msSinceLastEvent).toBeUndefined();
    informer.start();
    await clock.advance(0);
    expect(informer.msSinceLastEvent).toBeUndefined();
    client.last.initial(20, widget('a', 10));
    await clock.advance(3000);
    expect(informer.msSinceLastEvent).toBe(3000);
    client.last.send('MODIFIED', widget('a', 21));
    await clock.advance(1000);
    expect(informer.msSinceLastEvent).toBe(1000);
    client.last.bookmark(30);
    expect(informer.msSinceLastEvent).toBe(0);
  });

  test('an informer stores an object before it calls handlers', async () => {
    const { client, informer } = await synced();
    const versions: (string | undefined)[] = [];
    informer.addEventHandler(() => versions.push(informer.lister.get('a', 'ns')?.metadata.resourceVersion));
    client.last.send('MODIFIED', widget('a', 21));
    expect(versions).toEqual(['10', '21']);
    expect(informer.lister.size).toBe(1);
  });

  test('a handler that is added late gets an add for each object present, and changes from then on', async () => {
    const { client, informer } = await synced();
    const late: string[] = [];
    const remove = informer.addEventHandler((event) => late.push(describeEvent(event)));
    client.last.send('ADDED', widget('b', 21));
    remove();
    client.last.send('ADDED', widget('c', 22));
    expect(late).toEqual(['add a@10', 'add b@21']);
  });

  test('a list after an outage delivers the missed changes', async () => {
    const { clock, client, events } = await synced();
    client.last.send('ADDED', widget('b', 21));
    client.last.fail(refusal(410, 'Expired'));
    await clock.advance(2000);
    client.last.initial(60, widget('a', 50, { uid: 'another' }), widget('c', 51));
    expect(events.map(describeEvent)).toEqual([
      'add a@10',
      'add b@21',
      'delete b@21',
      'delete a@10',
      'add a@50',
      'add c@51',
    ]);
    expect(events.filter((event) => event.type === 'add' && event.isInitial)).toEqual([events[0]]);
  });

  test('an informer stays synced and keeps its objects while the server cannot be reached', async () => {
    const { clock, client, informer } = await synced();
    client.last.fail(refusal(403, 'Forbidden'));
    await clock.advance(2000);
    client.last.fail(refusal(403, 'Forbidden'));
    await clock.advance(0);
    expect(informer.hasSynced).toBe(true);
    expect(informer.lister.size).toBe(1);
    expect(informer.lastError).toMatchObject({ status: 403 });
  });

  test('an informer reports each error once to its listeners, and logs errors only without listeners', async () => {
    const warn = jest.fn();
    const logger = { ...silentLogger, warn, child: () => logger };
    const { clock, client, informer } = setup({ logger });
    const errors: Error[] = [];
    const remove = informer.onError((error) => errors.push(error));
    informer.start();
    for (const code of [403, 403, 503]) {
      await clock.advance(10_000);
      client.last.fail(refusal(code));
    }
    await clock.advance(0);
    expect(errors.map(({ message }) => message)).toEqual(['refused with 403', 'refused with 503']);
    expect(warn).not.toHaveBeenCalled();
    remove();
    await clock.advance(30_000);
    client.last.fail(refusal(500));
    await clock.advance(0);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('after stop an informer delivers no events, sends no requests and leaves no timer', async () => {
    const { clock, client, informer, events } = await synced();
    await informer.stop();
    await informer.stop();
    informer.start();
    client.last.send('ADDED', widget('b', 21));
    await clock.advance(600_000);
    expect(events).toHaveLength(1);
    expect(client.calls).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test('synced rejects when the informer is stopped or the signal is aborted', async () => {
    const { informer } = setup();
    informer.start();
    const impatient = informer.synced(AbortSignal.abort(new Error('enough')));
    await expect(impatient).rejects.toThrow('enough');
    const waiting = informer.synced();
    await informer.stop();
    await expect(waiting).rejects.toThrow('the informer of widgets.example.com is stopped');
    await expect(informer.synced()).rejects.toThrow('is stopped');
  });

  test('an informer has a namespace for a namespaced kind, and never for a cluster-scoped one', () => {
    const client = new ScriptedClient();
    expect(new Informer(client, Widget, { namespace: 'x' }).namespace).toBe('x');
    expect(new Informer(client, { ...Widget, scope: 'Cluster' }, { namespace: 'x' }).namespace).toBeUndefined();
  });

  test('an informer requests its objects with the given selectors', async () => {
    const labelSelector = { matchLabels: { app: 'x' } };
    const { client, informer, clock } = setup({ labelSelector, fieldSelector: 'metadata.name=a' });
    informer.start();
    await clock.advance(0);
    expect(client.last.request).toMatchObject({ labelSelector: 'app=x', fieldSelector: 'metadata.name=a' });
  });
});

describe('Informer observing own writes', () => {
  test('the response to an own write is read immediately, and its event is dropped', async () => {
    const { client, informer, events } = await synced();
    informer.observe(widget('a', 21));
    expect(informer.lister.get('a', 'ns')?.metadata.resourceVersion).toBe('21');
    client.last.send('MODIFIED', widget('a', 21));
    expect(events.map(describeEvent)).toEqual(['add a@10', 'update a@10→21']);
  });

  test('the response to an own write is stored without managedFields and is not changed', async () => {
    const { informer } = await synced();
    const answer = widget('a', 21, { managedFields: [{}] } as object);
    informer.observe(answer);
    expect(informer.lister.get('a', 'ns')).toEqual(widget('a', 21));
    expect(answer.metadata).toHaveProperty('managedFields', [{}]);
  });

  test.each([
    ['an object of another namespace', { namespace: 'ns' }, widget('b', 21, { namespace: 'other' })],
    ['any object when it has a selector', { labelSelector: 'app=x' }, widget('b', 21)],
    ['the answer of a subresource that is of another kind', {}, { ...widget('b', 21), kind: 'Scale' }],
  ])('an informer does not store an own write of %s', async (_, options, object) => {
    const { informer, events } = await synced(options);
    informer.observe(object);
    expect(events).toHaveLength(1);
  });
});
