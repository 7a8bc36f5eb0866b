import { describe, expect, test } from '@jest/globals';
import { partOf } from '../../src/api/selection/part-of.js';
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
  test('all users of a kind share one informer', () => {
    const { factory } = setup();
    const [informer] = factory.informersFor(Widget);
    expect(factory.informersFor({ ...Widget })[0]).toBe(informer);
    expect(factory.lister(Widget)).toBe(factory.lister(Widget));
    expect(informer!.namespace).toBeUndefined();
  });

  test('a factory of namespaces creates one informer per namespace, and a single one for a cluster-scoped kind', () => {
    const { factory } = setup(['a', 'b', 'a']);
    expect(factory.informersFor(Widget).map(({ namespace }) => namespace)).toEqual(['a', 'b']);
    expect(factory.informersFor(Cluster).map(({ namespace }) => namespace)).toEqual([undefined]);
  });

  test('an empty list of namespaces means all namespaces', () => {
    expect(setup([]).factory.informersFor(Widget)).toHaveLength(1);
  });

  test('a factory that selects namespaces has none at first, keeps the informers of those that stay, and stops the others', async () => {
    const clock = new FakeClock();
    const client = new ScriptedClient();
    const factory = new InformerFactory(client, { clock, selectsNamespaces: true });
    const ofA = partOf(Widget, { namespaces: ['a'] });
    factory.start();
    expect(factory.informersFor(Widget)).toEqual([]);
    expect(factory.informersFor(ofA)).toHaveLength(1);
    expect(factory.informersFor(Cluster)).toHaveLength(1);
    factory.selectNamespaces(['a', 'b']);
    const [a, b] = factory.informersFor(Widget);
    factory.selectNamespaces(['b', 'c']);
    expect(factory.informersFor(Widget).map(({ namespace }) => namespace)).toEqual(['b', 'c']);
    expect(factory.informersFor(Widget)[0]).toBe(b);
    await factory.stopLeft();
    await expect(a!.synced()).rejects.toThrow();
    await factory.stop();
  });

  test('start starts the informers that exist and those that are created later', async () => {
    const { clock, client, factory } = setup();
    factory.informersFor(Widget);
    expect(client.calls).toHaveLength(0);
    factory.start();
    factory.lister(Cluster);
    await clock.advance(0);
    expect(client.calls).toHaveLength(2);
  });

  test('a factory has synced when all its informers have, and its lister reads all of them', async () => {
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

  test('stop stops all informers and rejects waiting callers of synced', async () => {
    const { clock, client, factory } = setup();
    factory.informersFor(Widget);
    factory.start();
    await clock.advance(0);
    const synced = factory.synced();
    await factory.stop();
    await expect(synced).rejects.toThrow('is stopped');
    expect(client.last.isOpen).toBe(false);
  });

  test('an informer stops when the last scope that requested it is released', async () => {
    const { clock, client, factory } = setup();
    const [one, other] = [factory.scope(), factory.scope()];
    const [informer] = one.informersFor(Widget);
    expect(other.informersFor(Widget)[0]).toBe(informer);
    expect(other.lister(Widget)).toBe(one.lister(Widget));
    factory.start();
    await clock.advance(0);
    await one.release();
    await one.release();
    expect(client.calls[0]!.request.signal?.aborted).toBe(false);
    await other.release();
    expect(client.calls[0]!.request.signal?.aborted).toBe(true);
    expect(factory.scope().informersFor(Widget)[0]).not.toBe(informer);
    await clock.advance(0);
    expect(client.calls).toHaveLength(2);
    await factory.stop();
  });

  test('a scope within another can be released alone or for one kind, and is released with the other', async () => {
    const { factory } = setup();
    const outer = factory.scope();
    const [first, second] = [outer.scope(), outer.scope()];
    const Part = partOf(Widget, { labelSelector: 'a' });
    const [whole] = first.informersFor(Widget);
    const [part] = first.informersFor(Part);
    second.informersFor(Part);
    await first.release(Widget);
    const [renewed] = second.informersFor(Widget);
    expect(renewed).not.toBe(whole);
    await first.release();
    expect(second.informersFor(Part)[0]).toBe(part);
    await outer.release();
    expect(factory.informersFor(Part)[0]).not.toBe(part);
    expect(factory.informersFor(Widget)[0]).not.toBe(renewed);
  });

  test('an informer that was requested from the factory itself does not stop with a scope', async () => {
    const { factory } = setup();
    const scope = factory.scope();
    const [informer] = scope.informersFor(Widget);
    factory.lister(Widget);
    await scope.release();
    expect(factory.informersFor(Widget)[0]).toBe(informer);
  });
});
