import { describe, expect, test } from '@jest/globals';
import type { KindRef } from '../../src/api/kind-ref.js';
import { collectionPath, creationPath, objectPath } from '../../src/client/object-path.js';
import { ConfigMap } from './test-client.js';

const Node: KindRef = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' };

describe('the path of an object', () => {
  test('holds namespace, name and subresource', () => {
    const path = objectPath(ConfigMap, { name: 'a', namespace: 'ns', subresource: 'status' });
    expect(path).toBe('/api/v1/namespaces/ns/configmaps/a/status');
  });

  test('of cluster scope has no namespace, even if one is given', () => {
    expect(objectPath(Node, { name: 'n', namespace: 'ns' })).toBe('/api/v1/nodes/n');
  });

  test('needs a namespace for a namespaced kind', () => {
    const act = () => objectPath(ConfigMap, { name: 'a', namespace: undefined });
    expect(act).toThrow('a namespace is required for ConfigMap');
  });

  test.each([undefined, ''])('needs a name: without one (%p) a DELETE would mean all objects', (name) => {
    expect(() => objectPath(Node, { name, namespace: undefined })).toThrow('a name is required for Node');
  });

  test.each(['.', '..', 'a/b'])('cannot be led elsewhere by the name %p', (name) => {
    expect(() => objectPath(Node, { name, namespace: undefined })).toThrow('is not a valid name for Node');
  });

  test('escapes what a path cannot hold', () => {
    expect(objectPath(Node, { name: 'a b?c', namespace: undefined })).toBe('/api/v1/nodes/a%20b%3Fc');
  });
});

describe('the path of a collection', () => {
  test.each([undefined, ''])('is that of all namespaces when none (%p) is given', (namespace) => {
    expect(collectionPath(ConfigMap, namespace)).toBe('/api/v1/configmaps');
  });

  test('is that of one namespace', () => {
    expect(collectionPath(ConfigMap, 'ns')).toBe('/api/v1/namespaces/ns/configmaps');
  });
});

describe('the path to create at', () => {
  test('is that of the collection', () => {
    expect(creationPath(ConfigMap, { name: 'a', namespace: 'ns' })).toBe('/api/v1/namespaces/ns/configmaps');
  });

  test('is that of the object for a subresource', () => {
    const path = creationPath(ConfigMap, { name: 'a', namespace: 'ns', subresource: 'token' });
    expect(path).toBe('/api/v1/namespaces/ns/configmaps/a/token');
  });
});
