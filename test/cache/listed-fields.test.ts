import { describe, expect, test } from '@jest/globals';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import { partOf } from '../../src/api/selection/part-of.js';
import { ListedFields } from '../../src/cache/listed-fields.js';
import type { ListRequest, ListWatcher, WatchRequest } from '../../src/cache/list-watcher.js';

const kind: KindRef = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' };
const signal = new AbortController().signal;
const request = { keepManagedFields: false, retries: 0, signal };

const entry = (manager: string) => ({
  manager,
  operation: 'Apply',
  apiVersion: 'v1',
  fieldsV1: { 'f:data': { 'f:a': {} } },
});
const configMap = (name: string, ...managers: string[]): KubeObject => {
  const metadata = { name, namespace: 'ns', resourceVersion: '1', managedFields: managers.map(entry) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
};
const managedFields = ({ metadata }: KubeObject) => (metadata as { managedFields?: unknown }).managedFields;

/** Answers lists and initial events with the objects, and keeps the requests. */
class Server implements ListWatcher {
  readonly requests: (ListRequest | WatchRequest)[] = [];
  constructor(private readonly objects: readonly KubeObject[]) {}

  list(_kind: KindRef, given: ListRequest) {
    this.requests.push(given);
    return Promise.resolve({
      items: this.objects.map((item) => given.transform?.(item) ?? item),
      resourceVersion: '1',
    });
  }

  currentVersion(): Promise<string> {
    return Promise.resolve('1');
  }

  streamWatch(_kind: KindRef, given: WatchRequest, onEvent: (type: 'ADDED' | 'BOOKMARK', object: KubeObject) => void) {
    this.requests.push(given);
    for (const object of this.objects) onEvent('ADDED', object);
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    onEvent('BOOKMARK', { metadata: { name: '', annotations } });
    return Promise.resolve();
  }
}

const stream = async (fields: ListedFields, of = kind) => {
  const watch = { ...request, sendInitialEvents: true, allowWatchBookmarks: true, timeoutSeconds: 300 };
  await fields.streamWatch(of, watch, () => undefined);
};
const list = (fields: ListedFields, of = kind) => fields.list(of, request);

describe.each([
  ['a list in pages', list, true],
  ['a streamed list', stream, 'initial'],
] as const)('the applied fields of %s', (_, read, kept) => {
  test('those of a manager are taken once, without managedFields in the object', async () => {
    const [ours, others] = [configMap('a', 'gizmo', 'kubectl'), configMap('b', 'kubectl')];
    const server = new Server([ours, others]);
    const fields = new ListedFields(server);
    fields.addManager('gizmo');
    await read(fields);
    expect(server.requests).toMatchObject([{ keepManagedFields: kept }]);
    expect([managedFields(ours), managedFields(others)]).toEqual([undefined, undefined]);
    expect(fields.take(others, 'gizmo')).toEqual([]);
    expect(fields.take(ours, 'gizmo')).toMatchObject([{ manager: 'gizmo', apiVersion: 'v1' }]);
    expect(fields.take(ours, 'gizmo')).toEqual([]);
  });

  test('managers of shared objects are taken one by one', async () => {
    const object = configMap('a', 'gizmo:ns/one', 'gizmo:ns/two', 'gizmos');
    const fields = new ListedFields(new Server([object]));
    fields.addManager('gizmo');
    await read(fields);
    expect(fields.take(object, 'gizmo:ns/one').map(({ manager }) => manager)).toEqual(['gizmo:ns/one', 'gizmo:ns/two']);
    expect(fields.take(object, 'gizmo:ns/one').map(({ manager }) => manager)).toEqual(['gizmo:ns/two']);
  });

  test('later lists are requested without managedFields', async () => {
    const server = new Server([]);
    const fields = new ListedFields(server);
    fields.addManager('gizmo');
    await read(fields);
    await read(fields);
    expect(server.requests[1]).toMatchObject({ keepManagedFields: false });
  });

  test('the list is requested without managedFields if no manager needs them, or the cache holds a part', async () => {
    const server = new Server([]);
    const fields = new ListedFields(server);
    await read(fields);
    fields.addManager('gizmo');
    await read(fields, partOf(kind, { fields: ['metadata.labels'] }));
    expect(server.requests).toMatchObject([{ keepManagedFields: false }, { keepManagedFields: false }]);
  });
});
