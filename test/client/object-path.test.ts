import { describe, expect, test } from '@jest/globals';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import { collectionPath, creationPath, objectPath } from '../../src/client/object-path.js';
import { ConfigMap } from './test-client.js';

const Node: KindRef = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' };

describe('the path of an object', () => {
  test('the path of an object contains namespace, name and subresource', () => {
    const path = objectPath(ConfigMap, { name: 'a', namespace: 'ns', subresource: 'status' });
    expect(path).toBe('/api/v1/namespaces/ns/configmaps/a/status');
  });

  test('the path of a cluster-scoped object has no namespace, even if one is given', () => {
    expect(objectPath(Node, { name: 'n', namespace: 'ns' })).toBe('/api/v1/nodes/n');
  });

  test('the path of a namespaced object requires a namespace', () => {
    const act = () => objectPath(ConfigMap, { name: 'a', namespace: undefined });
    expect(act).toThrow('a namespace is required for ConfigMap');
  });

  test.each([undefined, ''])(
    'the path of an object requires a name: with %p a DELETE would apply to all objects',
    (name) => {
      expect(() => objectPath(Node, { name, namespace: undefined })).toThrow('a name is required for Node');
    },
  );

  test.each(['.', '..', 'a/b', 'a\ud800'])('the name %p cannot change the path of an object', (name) => {
    expect(() => objectPath(Node, { name, namespace: undefined })).toThrow('is not a valid name for Node');
  });

  test.each(['../../secrets', 'status?dryRun=All', 'status/', ''])(
    'the subresource %p cannot change the path of an object',
    (subresource) => {
      const act = () => objectPath(Node, { name: 'n', namespace: undefined, subresource });
      expect(act).toThrow('is not a valid subresource for Node');
    },
  );

  test('characters that a path cannot contain are escaped in the path of an object', () => {
    expect(objectPath(Node, { name: 'a b?c', namespace: undefined })).toBe('/api/v1/nodes/a%20b%3Fc');
  });
});

describe('the path of a collection', () => {
  test.each([undefined, ''])(
    'the path of a collection without a namespace (%p) is that of all namespaces',
    (namespace) => {
      expect(collectionPath(ConfigMap, namespace)).toBe('/api/v1/configmaps');
    },
  );

  test('the path of a collection with a namespace is that of the namespace', () => {
    expect(collectionPath(ConfigMap, 'ns')).toBe('/api/v1/namespaces/ns/configmaps');
  });
});

describe('the path to create at', () => {
  test('an object is created at the path of its collection', () => {
    expect(creationPath(ConfigMap, { name: 'a', namespace: 'ns' })).toBe('/api/v1/namespaces/ns/configmaps');
  });

  test('a subresource is created at the path of its object', () => {
    const path = creationPath(ConfigMap, { name: 'a', namespace: 'ns', subresource: 'token' });
    expect(path).toBe('/api/v1/namespaces/ns/configmaps/a/token');
  });
});
