import { expect, test } from '@jest/globals';
import { builtinResources } from '../../../../src/apiserver/builtin/builtin-resources.js';
import { selectionOf } from '../../../../src/apiserver/handlers/read/list.js';
import { WatchEncoder } from '../../../../src/apiserver/handlers/read/watch-encoder.js';
import { Watch } from '../../../../src/apiserver/handlers/read/watch.js';
import type { ListQuery } from '../../../../src/apiserver/handlers/request/query-options.js';
import { Registry } from '../../../../src/apiserver/registry/registry.js';
import { ObjectStore } from '../../../../src/apiserver/storage/object-store.js';
import type { EventStream } from '../../../../src/apiserver/transport/stream/event-stream.js';
import { FakeClock } from '../../../../src/base/fake-clock.js';

const OBJECT_BYTES = 10_000;
const OBJECTS = 200;
const MAX_UNSENT_CHANGES = 50_000;

const resource = [...builtinResources()].find(({ plural }) => plural === 'configmaps')!;

/** A connection of a client that reads one write after the other, each when the test calls it. */
class SlowStream implements EventStream {
  readonly writes: string[] = [];
  isAborted = false;
  private onDrain: () => void = () => undefined;
  private onClose: () => void = () => undefined;

  begin(_contentType: string, onClose: () => void): void {
    this.onClose = onClose;
  }

  write(events: readonly Buffer[], onDrain: () => void): boolean {
    this.writes.push(Buffer.concat([...events]).toString());
    this.onDrain = onDrain;
    return false;
  }

  read(): void {
    this.onDrain();
  }

  end(): void {
    return undefined;
  }

  abort(): void {
    this.isAborted = true;
    this.onClose();
  }

  get events(): string[] {
    const lines = this.writes.join('').split('\n').slice(0, -1);
    return lines.map((line) => {
      const { type, object } = JSON.parse(line) as { type: string; object: { metadata: { name?: string } } };
      return `${type} ${object.metadata.name ?? ''}`;
    });
  }
}

function watched() {
  const registry = new Registry(new ObjectStore(), new FakeClock());
  const put = (name: string): void => {
    const metadata = { name, namespace: 'default' };
    const data = { text: 'x'.repeat(OBJECT_BYTES) };
    registry.store.put(resource.storage, `default/${name}`, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  };
  for (let index = 0; index < OBJECTS; index++) put(`present-${String(index).padStart(3, '0')}`);
  const query: ListQuery = {
    labelSelector: '',
    fieldSelector: '',
    limit: 0,
    continueToken: '',
    resourceVersion: '',
    match: 'NotOlderThan',
    timeoutSeconds: undefined,
    allowBookmarks: true,
    sendInitialEvents: true,
    isWatch: true,
  };
  const stream = new SlowStream();
  const encoder = new WatchEncoder(
    resource,
    { as: 'object', metaVersion: 'meta.k8s.io/v1', format: 'json', isPartialList: false, isPretty: false },
    'Metadata',
    () => 0,
  );
  const selection = selectionOf(resource, undefined, query);
  const watch = new Watch({ registry, resource, selection, query, encoder, onClose: () => undefined }, stream);
  watch.start();
  return { registry, put, stream };
}

test('initial events are written in parts, each when the client has read the one before', () => {
  const { stream } = watched();
  expect(stream.writes).toHaveLength(1);
  expect(stream.writes[0]!.length).toBeLessThan((OBJECTS * OBJECT_BYTES) / 4);
  stream.read();
  expect(stream.writes).toHaveLength(2);
});

test('changes during the initial events follow after their end bookmark, in order', async () => {
  const { stream, put } = watched();
  put('present-199');
  put('later');
  while (stream.events.at(-1) !== 'ADDED later') {
    stream.read();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(stream.events.slice(0, OBJECTS)).toEqual(
    Array.from({ length: OBJECTS }, (_, index) => `ADDED present-${String(index).padStart(3, '0')}`),
  );
  expect(stream.events.slice(OBJECTS)).toEqual(['BOOKMARK ', 'MODIFIED present-199', 'ADDED later']);
});

test('a watch is disconnected when its client does not read while 50,000 objects change', () => {
  const { stream, registry } = watched();
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };
  for (let change = 0; change < MAX_UNSENT_CHANGES; change++) registry.store.put(resource.storage, 'default/a', object);
  expect(stream.isAborted).toBe(false);
  registry.store.put(resource.storage, 'default/a', object);
  expect(stream.isAborted).toBe(true);
});
