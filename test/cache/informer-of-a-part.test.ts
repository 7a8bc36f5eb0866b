import { describe, expect, test } from '@jest/globals';
import { partOf, type CacheSelection, type KindRef, type KubeObject } from 'kindwright';
import { FakeClock } from '../../src/base/fake-clock.js';
import { InformerFactory } from '../../src/cache/informer-factory.js';
import { Informer, type InformerOptions } from '../../src/cache/informer.js';
import { describeEvent, widget, Widget as AnyWidget } from './objects.js';
import { ScriptedClient } from './scripted-client.js';

interface Widget extends KubeObject {
  readonly spec?: { readonly size?: number; readonly color?: string };
}

const Widget: KindRef<Widget> = AnyWidget;
const Sized = partOf(Widget, { fields: ['spec.size'] });

/** Decodes as the client does. */
const decoded = (kind: KindRef, object: KubeObject): KubeObject => kind.part?.reduce?.(object) ?? object;

async function synced(kind: KindRef, options: InformerOptions = {}) {
  const clock = new FakeClock();
  const client = new ScriptedClient();
  const informer = new Informer(client, kind, { clock, ...options });
  const events: string[] = [];
  informer.addEventHandler((event) => events.push(describeEvent(event)));
  informer.start();
  await clock.advance(0);
  client.last.initial(20, decoded(kind, painted('a', 10, 1, 'red')));
  const send = (object: KubeObject): void => {
    client.last.send('MODIFIED', decoded(kind, object));
  };
  return { client, informer, events, send };
}

function painted(name: string, version: number, size: number, color: string, labels = { app: 'x' }): Widget {
  return { ...widget(name, version, { labels, generation: version }), spec: { size, color } };
}

describe('an informer of a part', () => {
  test('an informer of a part calls handlers only for changes of the part, and holds the latest version', async () => {
    const { informer, events, send } = await synced(Sized);
    send(painted('a', 21, 1, 'blue'));
    send(painted('a', 22, 2, 'blue'));
    expect(events).toEqual(['add a@10', 'update a@21→22']);
    send(painted('a', 23, 2, 'green'));
    expect(informer.lister.get('a', 'ns')?.metadata.resourceVersion).toBe('23');
  });

  test('an informer that holds whole metadata calls handlers for changes of the generation', async () => {
    const { events, send } = await synced(partOf(Widget, { metadataOnly: true }));
    send(painted('a', 21, 1, 'blue'));
    expect(events).toEqual(['add a@10', 'update a@10→21']);
  });

  test('an informer of a part stores the part of an own write', async () => {
    const { informer } = await synced(Sized);
    const written = painted('b', 30, 4, 'red');
    informer.observe(written);
    expect(informer.lister.get('b', 'ns')).toHaveProperty('spec', { size: 4 });
    expect(written.spec).toEqual({ size: 4, color: 'red' });
  });

  test('the transform of an informer does not change the result of an own write', async () => {
    const transform = (object: Widget): Widget => {
      delete (object.spec as { color?: string }).color;
      return object;
    };
    const { informer } = await synced(partOf(Widget, { transform }));
    const written = painted('b', 30, 4, 'red');
    informer.observe(written);
    expect(informer.lister.get('b', 'ns')).toHaveProperty('spec', { size: 4 });
    expect(written.spec).toEqual({ size: 4, color: 'red' });
  });
});

test('an own write that the transform of a part fails for is reported, and does not fail', async () => {
  const transform = (object: Widget): Widget => {
    if (object.spec?.size === 0) throw new TypeError('too small');
    return object;
  };
  const { informer } = await synced(partOf(Widget, { transform }));
  informer.observe(painted('b', 30, 0, 'red'));
  expect(informer.lister.get('b', 'ns')).toBeUndefined();
  expect(informer.lastError).toMatchObject({ code: 'E_PART', message: expect.stringContaining('ns/b') as unknown });
  informer.observe(painted('b', 31, 1, 'red'));
  expect(informer.lister.get('b', 'ns')).toBeDefined();
});

describe('an own write under a selector', () => {
  const selections: [string, CacheSelection, InformerOptions][] = [
    ['of the part', { labelSelector: 'app=x' }, {}],
    ['of the informer', {}, { labelSelector: 'app=x' }],
    ['of both', { labelSelector: 'app' }, { labelSelector: { matchLabels: { app: 'x' } } }],
  ];

  test.each(selections)('an own write that matches the selector %s is read', async (_, selection, options) => {
    const { informer, events } = await synced(partOf(Widget, selection), options);
    informer.observe(painted('b', 21, 1, 'red'));
    expect(events).toEqual(['add a@10', 'add b@21']);
  });

  test.each(selections)(
    'an own write that no longer matches the selector %s is removed, and its late events are dropped',
    async (_, selection, options) => {
      const { client, informer, events, send } = await synced(partOf(Widget, selection), options);
      informer.observe(painted('a', 22, 1, 'red', { app: 'y' }));
      send(painted('a', 21, 1, 'red'));
      client.last.send('DELETED', painted('a', 22, 1, 'red'));
      expect(events).toEqual(['add a@10', 'delete a@10']);
      expect(informer.lister.size).toBe(0);
      client.last.send('ADDED', painted('a', 23, 1, 'red'));
      expect(events.at(-1)).toBe('add a@23');
    },
  );

  test.each(selections)(
    'an own write that never matched the selector %s is not read',
    async (_, selection, options) => {
      const { informer, events } = await synced(partOf(Widget, selection), options);
      informer.observe(painted('b', 21, 1, 'red', { app: 'y' }));
      expect(events).toEqual(['add a@10']);
    },
  );

  test('an own write under a selector that only the server can evaluate appears with its event', async () => {
    const { client, informer, events } = await synced(Widget, { fieldSelector: 'spec.isOn=false' });
    informer.observe(painted('b', 21, 1, 'red'));
    expect(events).toEqual(['add a@10']);
    informer.observe(painted('a', 22, 2, 'red'));
    client.last.send('ADDED', painted('b', 23, 1, 'red'));
    expect(events).toEqual(['add a@10', 'update a@10→22', 'add b@23']);
  });
});

describe('InformerFactory', () => {
  test('InformerFactory creates one informer for equal parts and another for the whole kind', () => {
    const factory = new InformerFactory(new ScriptedClient());
    const same = partOf(Widget, { fields: ['spec.size'] });
    expect(factory.informersFor(same)).toBe(factory.informersFor(Sized));
    expect(factory.informersFor(Widget)).not.toBe(factory.informersFor(Sized));
    expect(factory.lister(same)).toBe(factory.lister(Sized));
  });

  test('InformerFactory uses the namespaces of a part instead of its own', () => {
    const factory = new InformerFactory(new ScriptedClient(), { namespaces: ['a'] });
    const there = partOf(Widget, { namespaces: ['b', 'c', 'b'] });
    expect(factory.informersFor(there).map(({ namespace }) => namespace)).toEqual(['b', 'c']);
    expect(factory.informersFor(Sized).map(({ namespace }) => namespace)).toEqual(['a']);
  });
});
