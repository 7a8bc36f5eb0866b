import { expect, test } from '@jest/globals';
import { generateManifests } from '../../../src/manifests/generate.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Rbac } from '../../../src/resource/decorators/rbac.js';
import { buildResourceModels, type ResourceClass } from '../../../src/resource/model.js';
import { Sound } from '../../resource/mistakes/classes.js';

function warningsOf(...classes: ResourceClass[]): string[] {
  const warnings: string[] = [];
  const sources = buildResourceModels(classes).map((model) => ({ model, sourceFile: `${model.className}.ts` }));
  generateManifests(sources, { warn: (message) => warnings.push(message) });
  return warnings;
}

test('names that kubectl takes for resources of Kubernetes are warned of', () => {
  @Kind({ group: 'apps.example.com', version: 'v1', kind: 'Pod', shortNames: ['ps'] })
  class OwnPod extends Sound {}
  @Kind({ group: 'apps.example.com', version: 'v1', shortNames: ['po', 'crd'] })
  class Pool extends Sound {}
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Date extends Sound {}
  expect(warningsOf(OwnPod, Pool, Date)).toEqual([
    "OwnPod: kubectl takes 'pods' for pods; this kind is pods.apps.example.com to it",
    "OwnPod: kubectl takes 'pod' for pods; this kind is pods.apps.example.com to it",
    "Pool: kubectl takes 'po' for pods; this kind is pools.apps.example.com to it",
    "Pool: kubectl takes 'crd' for customresourcedefinitions.apiextensions.k8s.io; this kind is pools.apps.example.com to it",
  ]);
});

test('resources in @Rbac that Kubernetes has not are warned of, those of others are not', () => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  @Rbac({ groups: ['apps'], resources: ['deploymnets', 'deployments/scale', '*'], allow: ['*'] }, 'get')
  @Rbac({ groups: ['other.example.com'], resources: ['thing'] }, 'get')
  class Gauge extends Sound {}
  expect(warningsOf(Gauge)).toEqual([
    'Gauge: @Rbac(deploymnets, deployments/scale, *): Kubernetes 1.36 has no deploymnets.apps',
  ]);
});
