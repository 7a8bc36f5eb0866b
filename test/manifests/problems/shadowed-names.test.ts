import { expect, test } from '@jest/globals';
import { generateManifests } from '../../../src/manifests/generate.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Rbac } from '../../../src/resource/decorators/rbac.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { ResourceClass } from '../../../src/resource/model.js';
import { Sound } from '../../resource/mistakes/classes.js';

function warningsOf(...classes: ResourceClass[]): string[] {
  const warnings: string[] = [];
  const sources = buildResourceModels(classes).map((model) => ({ model, sourceFile: `${model.className}.ts` }));
  generateManifests(sources, { warn: (message) => warnings.push(message) });
  return warnings;
}

test('names that kubectl resolves to built-in resources cause a warning', () => {
  @Kind({ group: 'apps.example.com', version: 'v1', kind: 'Pod', shortNames: ['ps'] })
  class OwnPod extends Sound {}
  @Kind({ group: 'apps.example.com', version: 'v1', shortNames: ['po', 'crd'] })
  class Pool extends Sound {}
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Date extends Sound {}
  expect(warningsOf(OwnPod, Pool, Date)).toEqual([
    "OwnPod: kubectl resolves 'pods' to pods; use pods.apps.example.com for this kind",
    "OwnPod: kubectl resolves 'pod' to pods; use pods.apps.example.com for this kind",
    "Pool: kubectl resolves 'po' to pods; use pools.apps.example.com for this kind",
    "Pool: kubectl resolves 'crd' to customresourcedefinitions.apiextensions.k8s.io; use pools.apps.example.com for this kind",
  ]);
});

test('unknown resources of built-in groups in @Rbac cause a warning, those of other groups do not', () => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  @Rbac({ groups: ['apps'], resources: ['deploymnets', 'deployments/scale', '*'], allow: ['*'] }, 'get')
  @Rbac({ groups: ['other.example.com'], resources: ['thing'] }, 'get')
  class Gauge extends Sound {}
  expect(warningsOf(Gauge)).toEqual([
    'Gauge: @Rbac(deploymnets, deployments/scale, *): Kubernetes 1.36 has no resource deploymnets.apps',
  ]);
});
