import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { InformerFactory } from '../../src/cache/informer-factory.js';
import { widget, Widget } from './objects.js';
import { ScriptedClient } from './scripted-client.js';

const Cluster = { ...Widget, kind: 'Pool', plural: 'pools', scope: 'Cluster' as const };

function setup(namespaces?: string[]) {
  const clock = new FakeClock();
  const client = new ScriptedClient();
  return { clock, client, factory: new InformerFactory(client, { clock, ...(namespaces && { namespaces }) }) };
}

describe('InformerFactory', () => {
  test('makes one informer of a kind, however many ask', () => {
    const { factory } = setup();
    const [informer] = factory.informersFor(Widget);
    expect(factory.informersFor({ ...Widget })[0]).toBe(informer);
    expect(factory.lister(Widget)).toBe(factory.lister(Widget));
    expect(informer!.namespace).toBeUndefined();
  });

  test('makes one informer for each namespace, but one in all of a kind of cluster scope', () => {
    const { factory } = setup(['a', 'b', 'a']);
    expect(factory.informersFor(Widget).map(({ namespace }) => namespace)).toEqual(['a', 'b']);
    expect(factory.informersFor(Cluster).map(({ namespace }) => namespace)).toEqual([undefined]);
  });

  test('takes no namespaces for all', () => {
    expect(setup([]).factory.informersFor(Widget)).toHaveLength(1);
  });

  test('starts what was asked for before, and what is asked for after', async () => {
    const { clock, client, factory } = setup();
    factory.informersFor(Widget);
    expect(client.calls).toHaveLength(0);
    factory.start();
    factory.lister(Cluster);
    await clock.advance(0);
    expect(client.calls).toHaveLength(2);
  });

  test('has synced when all its informers have, and reads over them as one', async () => {
    const { clock, client, factory } = setup(['a', 'b']);
    const lister = factory.lister(Widget);
    factory.start();
    await clock.advance(0);
    let hasSynced = false;
    const synced = factory.synced().then(() => (hasSynced = true));
    client.calls[0]!.initial(20, widget('x', 10, { namespace: 'a' }));
    await clock.advance(0);
    expect(hasSynced).toBe(false);
    client.calls[1]!.initial(20, widget('x', 11, { namespace: 'b' }));
    await synced;
    expect(lister.list().map(({ metadata }) => metadata.namespace)).toEqual(['a', 'b']);
  });

  test('stops them all, and who waits', async () => {
    const { clock, client, factory } = setup();
    factory.informersFor(Widget);
    factory.start();
    await clock.advance(0);
    const synced = factory.synced();
    await factory.stop();
    await expect(synced).rejects.toThrow('is stopped');
    expect(client.last.isOpen).toBe(false);
  });
});
