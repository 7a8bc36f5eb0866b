import { describe, expect, test } from '@jest/globals';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import { assertOwnership, controllerOf, controllerReference } from '../../../src/api/kinds/owner-reference.js';

const podSets: KindRef = {
  group: 'apps.jicki.cn',
  version: 'v1alpha1',
  kind: 'PodSet',
  plural: 'podsets',
  scope: 'Namespaced',
};
const pods: KindRef = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' };
const nodes: KindRef = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' };
const owner = { metadata: { name: 'a', namespace: 'one', uid: 'u1' } };

describe('controllerReference', () => {
  test('a controller reference contains kind, name and uid of the owner, and blocks its deletion', () => {
    const reference = controllerReference(podSets, owner);
    expect(reference).toEqual({
      apiVersion: 'apps.jicki.cn/v1alpha1',
      kind: 'PodSet',
      name: 'a',
      uid: 'u1',
      controller: true,
      blockOwnerDeletion: true,
    });
    expect(controllerOf({ metadata: { name: 'b', ownerReferences: [reference] } })).toBe(reference);
  });

  test('an owner without a uid is refused', () => {
    expect(() => controllerReference(podSets, { metadata: { name: 'a' } })).toThrow('PodSet a has no uid');
  });
});

describe('assertOwnership', () => {
  test('an owner of a child in another namespace is refused, because the garbage collector would delete the child', () => {
    const child = { metadata: { name: 'b', namespace: 'two' } };
    expect(() => assertOwnership(owner, podSets, child, pods)).toThrow('cannot own Pod two/b in another namespace');
  });

  test('a namespaced owner of a cluster-scoped child is refused', () => {
    expect(() => assertOwnership(owner, podSets, { metadata: { name: 'n1' } }, nodes)).toThrow(
      'cannot own the cluster-scoped Node n1',
    );
  });

  test('a cluster-scoped owner may own any object', () => {
    expect(() => assertOwnership(owner, nodes, { metadata: { name: 'b', namespace: 'two' } }, pods)).not.toThrow();
  });
});
