import { describe, expect, test } from '@jest/globals';
import { apiVersionOf, resourceName, resourcePath, toKindRef, type KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';

const pods: KindRef = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' };
const deployments: KindRef = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
};
const nodes: KindRef = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' };

describe('paths and names', () => {
  test('the path of a kind in the core group contains neither group nor /apis', () => {
    expect(apiVersionOf(pods)).toBe('v1');
    expect(resourceName(pods)).toBe('pods');
    expect(resourcePath(pods, 'default', 'web-0')).toBe('/api/v1/namespaces/default/pods/web-0');
  });

  test('path and apiVersion of a kind in another group contain the group', () => {
    expect(apiVersionOf(deployments)).toBe('apps/v1');
    expect(resourceName(deployments)).toBe('deployments.apps');
    expect(resourcePath(deployments, 'a', 'b', 'status')).toBe('/apis/apps/v1/namespaces/a/deployments/b/status');
  });

  test('the path of a cluster-scoped kind has no namespace', () => {
    expect(resourcePath(nodes, 'default', 'n1')).toBe('/api/v1/nodes/n1');
  });

  test('a name cannot change other parts of the path', () => {
    expect(resourcePath(pods, 'a/b', '../secrets')).toBe('/api/v1/namespaces/a%2Fb/pods/..%2Fsecrets');
  });
});

test('a class without @Kind is refused with its name and the line to add', () => {
  class Plain implements KubeObject {
    metadata = { name: 'x' };
  }
  expect(() => toKindRef(Plain)).toThrow('Plain is not a Kubernetes kind');
});
