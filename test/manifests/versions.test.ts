import { describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import { customResourceDefinition } from '../../src/manifests/crd/crd.js';
import { generateManifests } from '../../src/manifests/generate.js';
import { CustomResource } from '../../src/resource/custom-resource.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { PrintColumn } from '../../src/resource/decorators/print-column.js';
import { Sample } from '../../src/resource/decorators/sample.js';
import { Scale } from '../../src/resource/decorators/scale.js';
import { SelectableField } from '../../src/resource/decorators/selectable-field.js';
import { byKind } from '../../src/resource/kinds/versions.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { Sound } from '../resource/mistakes/classes.js';

const group = 'apps.example.com';

class Spec {
  @Field({ format: 'int32' }) @PrintColumn({ priority: 1 }) size!: number;
  @Field() @SelectableField() zone!: string;
}

class Status {
  @Field({ format: 'int32' }) @PrintColumn() readyReplicas!: number;
  @Field() since!: Date;
}

@Kind({ group, version: 'v1', kind: 'PodSet', storage: true, shortNames: ['ps'] })
@Scale({ specReplicasPath: '.spec.size', statusReplicasPath: '.status.readyReplicas' })
class PodSet extends Sound {
  @Field() spec!: Spec;
  @Field() @PrintColumn({ name: 'Status' }) status!: Status;
}

const conversion = {
  conversionReviewVersions: ['v1'],
  clientConfig: { service: { namespace: 'system', name: 'converter', path: '/convert' } },
};

@Kind({
  group,
  version: 'v1beta1',
  kind: 'PodSet',
  served: false,
  deprecated: 'use v1',
  labels: { team: 'a' },
  conversion,
})
abstract class PodSetV1Beta1 extends CustomResource {
  @Field({ values: true }) spec!: Record<string, unknown>;
}

const models = buildResourceModels([PodSetV1Beta1, PodSet]);

describe('classes that are versions of one kind', () => {
  const [versions = [], ...others] = byKind(models);
  const crd: UnstructuredObject = customResourceDefinition(...versions);
  const spec = crd['spec'] as { versions: Record<string, unknown>[] };

  test('versions of a kind make one CustomResourceDefinition with the settings of all classes', () => {
    expect(others).toEqual([]);
    expect(crd).toMatchObject({
      metadata: { name: 'podsets.apps.example.com', labels: { team: 'a' } },
      spec: {
        names: { plural: 'podsets', singular: 'podset', shortNames: ['ps'] },
        conversion: { strategy: 'Webhook', webhook: conversion },
      },
    });
  });

  test('the storage version is by default the one that reconciles', () => {
    @Kind({ group, version: 'v1', kind: 'Silent' })
    class SilentV1 extends Sound {}
    @Kind({ group, version: 'v2', kind: 'Silent' })
    abstract class SilentV2 extends CustomResource {}
    const silent = customResourceDefinition(...buildResourceModels([SilentV1, SilentV2]));
    expect(silent.spec.versions).toMatchObject([
      { name: 'v1', storage: true },
      { name: 'v2', storage: false },
    ]);
  });

  test('each version has its own schema and settings', () => {
    const [v1, v1beta1] = spec.versions;
    expect(v1).toMatchObject({ name: 'v1', served: true, storage: true });
    expect(v1beta1).toMatchObject({
      ...{ name: 'v1beta1', served: false, storage: false, deprecated: true, deprecationWarning: 'use v1' },
      schema: { openAPIV3Schema: { properties: { spec: { type: 'object', additionalProperties: true } } } },
    });
    expect(v1beta1).not.toHaveProperty('subresources');
  });

  test('each version has the columns, selectable fields and scale of its class', () => {
    expect(spec.versions[0]).toMatchObject({
      additionalPrinterColumns: [
        { name: 'Status', type: 'string', jsonPath: '.status' },
        { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 },
        { name: 'Ready Replicas', type: 'integer', jsonPath: '.status.readyReplicas' },
      ],
      selectableFields: [{ jsonPath: '.spec.zone' }],
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.readyReplicas' },
      },
    });
  });

  test('versions lead to the same files in any order, and only the one that reconciles makes an operator', () => {
    const sources = models.map((model) => ({ model, sourceFile: `operators/${model.kind.version}.ts` }));
    const files = generateManifests(sources);
    expect(generateManifests(sources.toReversed())).toEqual(files);
    expect(files.map(({ path }) => path)).toEqual([
      'Dockerfile',
      'apps.example.com_podsets.yaml',
      ...['00-namespace', '01-service-account', '02-roles', '03-role-bindings', '05-deployment'].map(
        (name) => `podset/${name}.yaml`,
      ),
      'samples/podset.yaml',
    ]);
    const content = (path: string): string => files.find((file) => file.path === path)!.content;
    expect(content('apps.example.com_podsets.yaml')).toContain(
      '# Generated by generate-manifests from operators/v1.ts, operators/v1beta1.ts.',
    );
    expect(content('apps.example.com_podsets.yaml')).toContain('name: v1beta1');
  });
});

test('a @Sample of a version that is not reconciled is generated beside those of the operator', () => {
  @Kind({ group, version: 'v1', kind: 'PodSet' })
  @Sample({ name: 'new' })
  class Hub extends Sound {}
  @Kind({ group, version: 'v1beta1', kind: 'PodSet', conversion: 'None' })
  @Sample({ name: 'old' })
  abstract class Old extends CustomResource {}
  const sources = buildResourceModels([Hub, Old]).map((model) => ({ model, sourceFile: 'operators/podset.ts' }));
  const samples = generateManifests(sources, {}).filter(({ path }) => path.startsWith('samples/'));
  expect(samples.map(({ path }) => path)).toEqual(['samples/apps.example.com_podsets.yaml', 'samples/podset.yaml']);
  expect(samples.map(({ content }) => content)).toEqual([
    expect.stringContaining('apps.example.com/v1beta1'),
    expect.stringContaining('apps.example.com/v1\n'),
  ]);
});

test('a kind that no class reconciles has a definition and samples, and no operator', () => {
  @Kind({ group, version: 'v1' })
  abstract class Foreign extends CustomResource {}
  const [model] = buildResourceModels([Foreign]);
  const files = generateManifests([{ model: model!, sourceFile: 'foreign.ts' }]);
  expect(files.map(({ path }) => path)).toEqual([
    'apps.example.com_foreigns.yaml',
    'samples/apps.example.com_foreigns.yaml',
  ]);
});
