import { describe, expect, test } from '@jest/globals';
import { ConfigMap, kindByName, type KindRef, Node, partOf } from 'kindwright';
import { assertList, versionOfList, type ListPage } from '../../src/client/assert-list.js';

const Widget = kindByName({ group: 'example.com', version: 'v1', kind: 'Widget' });
const MapNames = partOf(ConfigMap, { metadataOnly: true });
const metadata = { resourceVersion: '3' };
const item = (change: object = {}) => ({ metadata: { name: 'a', namespace: 'team' }, ...change });
const maps = (change: object = {}) => ({
  kind: 'ConfigMapList',
  apiVersion: 'v1',
  metadata,
  items: [item()],
  ...change,
});

describe('assertList', () => {
  test.each<[string, unknown]>([
    ['text', '<html>Down for maintenance</html>'],
    ['an empty object', {}],
    ['a Status', { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }],
    ['a Table', { kind: 'Table', metadata: { resourceVersion: '3' }, rows: [] }],
    ['of a kind that is not a string', { kind: 5, metadata: {}, items: [] }],
    ['items that are not an array', { kind: 'WidgetList', metadata: {}, items: {} }],
    ['a list of another group', { kind: 'WidgetList', apiVersion: 'other.com/v1', metadata, items: [] }],
    ['a list of another version', { kind: 'WidgetList', apiVersion: 'example.com/v2', metadata, items: [] }],
    [
      'a list of metadata only',
      { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items: [] },
    ],
    ['a list with a null item', { kind: 'WidgetList', metadata, items: [null] }],
    ['a list with an item without metadata', { kind: 'WidgetList', metadata, items: [{}] }],
    ['a list with an item of another kind', { kind: 'WidgetList', metadata, items: [item({ kind: 'Gadget' })] }],
    [
      'a list with an item of another group',
      { kind: 'WidgetList', metadata, items: [item({ apiVersion: 'b.com/v1' })] },
    ],
  ])('assertList rejects %s', (_, page) => {
    expect(() => assertList(Widget, undefined, page as ListPage)).toThrow(
      expect.objectContaining({ code: 'E_RESPONSE', message: expect.stringMatching(/^expected a list of widgets/) }),
    );
  });

  test('assertList rejects the list of another built-in kind', () => {
    expect(() => assertList(ConfigMap, 'team', maps({ kind: 'SecretList' }))).toThrow(
      'expected a list of configmaps from the API server, received SecretList',
    );
    expect(() => assertList(ConfigMap, 'team', maps({ apiVersion: 'v2' }))).toThrow('received ConfigMapList of v2');
  });

  test('assertList rejects an item of another namespace, unless all namespaces were requested', () => {
    expect(() => assertList(ConfigMap, 'other', maps())).toThrow('received a list with an item of another namespace');
    for (const namespace of ['team', '', undefined]) assertList(ConfigMap, namespace, maps());
  });

  test('assertList ignores the namespace of a request for a kind of cluster scope', () => {
    assertList(Node, 'team', { kind: 'NodeList', apiVersion: 'v1', items: [{ metadata: { name: 'a' } }] });
  });

  test.each<[string, KindRef, ListPage]>([
    [
      'custom resources with another list kind',
      Widget,
      { kind: 'GadgetList', apiVersion: 'example.com/v1', items: [] },
    ],
    ['an API server that omits kind and apiVersion', Widget, { items: [] }],
    ['missing items', Widget, { kind: 'WidgetList', items: null }],
    ['whole objects', MapNames, maps({ items: [item({ kind: 'ConfigMap', apiVersion: 'v1' })] })],
    [
      'metadata only',
      MapNames,
      {
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
        items: [item({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' })],
      },
    ],
  ])('assertList accepts a list of %s', (_, kind, page) => {
    expect(() => assertList(kind, 'team', page)).not.toThrow();
  });
});

test.each([undefined, '', 5])('the version of a list with resourceVersion %p is an error', (resourceVersion) => {
  const page = { items: [], metadata: { resourceVersion } } as unknown as ListPage;
  expect(() => versionOfList(Widget, page)).toThrow('received a list without resourceVersion');
});
