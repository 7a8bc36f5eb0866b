import { describe, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../../src/api/kinds/kinds.js';
import { customResourceDefinition } from '../../src/manifests/crd/crd.js';
import { CustomResource } from '../../src/resource/custom-resource.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind, type KindOptions } from '../../src/resource/decorators/kind.js';
import { PrintColumn } from '../../src/resource/decorators/print-column.js';
import { Scale } from '../../src/resource/decorators/scale.js';
import { Schema } from '../../src/resource/decorators/schema.js';
import { byKind } from '../../src/resource/kinds/versions.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceClass } from '../../src/resource/model.js';

const group = 'apps.example.com';

class Reference {
  @Field() apiVersion!: string;
  @Field() kind!: string;
  @Field({ optional: true }) metadata?: string;
}

function specOf(...classes: readonly ResourceClass[]): CustomResourceDefinition['spec'] {
  const [versions = []] = byKind(buildResourceModels(classes));
  return customResourceDefinition(...versions).spec;
}

/** The only version of a kind with a spec and a status. */
function versionOf(options: Partial<KindOptions>) {
  @Kind({ group, version: 'v1', ...options })
  abstract class Plain extends CustomResource {
    @Field() spec?: Reference;
    @Field({ type: 'object' }) status?: object;
  }
  return specOf(Plain).versions[0];
}

describe('a definition that others wrote', () => {
  test('a definition may have a list kind of its own', () => {
    @Kind({ group, version: 'v1', listKind: 'PlainSet' })
    abstract class Plain extends CustomResource {}
    @Kind({ group, version: 'v2', kind: 'Plain', storage: true })
    abstract class PlainV2 extends CustomResource {}
    expect(specOf(Plain, PlainV2).names.listKind).toBe('PlainSet');
  });

  test('a definition may have names that are not derived from the kind', () => {
    @Kind({ group, version: 'stable', kind: 'postgresql', plural: 'postgresqls', anyNames: true })
    abstract class PostgreSql extends CustomResource {}
    const { names, versions } = specOf(PostgreSql);
    expect([names.kind, versions[0]?.name]).toEqual(['postgresql', 'stable']);
  });

  test('a short name may equal the singular or plural', () => {
    @Kind({ group, version: 'v1', shortNames: ['plain', 'plains'] })
    abstract class Plain extends CustomResource {}
    expect(specOf(Plain).names.shortNames).toEqual(['plain', 'plains']);
  });

  test('versions of a definition may have any order', () => {
    @Kind({ group, version: 'v1', kind: 'Plain', storage: true, versionOrder: ['v1', 'v1beta1', 'v1alpha1'] })
    abstract class V1 extends CustomResource {}
    @Kind({ group, version: 'v1alpha1', kind: 'Plain' })
    abstract class V1Alpha1 extends CustomResource {}
    @Kind({ group, version: 'v1beta1', kind: 'Plain' })
    abstract class V1Beta1 extends CustomResource {}
    const names = specOf(V1Alpha1, V1, V1Beta1).versions.map(({ name }) => name);
    expect(names).toEqual(['v1', 'v1beta1', 'v1alpha1']);
  });

  test('a definition may have a status without a subresource for it', () => {
    expect(versionOf({})).toHaveProperty('subresources', { status: {} });
    expect(versionOf({ subresources: { status: false } })).not.toHaveProperty('subresources');
    expect(versionOf({ subresources: {} })).toHaveProperty('subresources', {});
  });

  test('a definition may have a status subresource without a status in its schema', () => {
    @Kind({ group, version: 'v1', commonFields: false, subresources: { status: true } })
    @Schema({ preserveUnknownFields: true })
    abstract class Open extends CustomResource {}
    const [version] = specOf(Open).versions;
    expect(version).toHaveProperty('subresources', { status: {} });
    expect(version).toHaveProperty('schema.openAPIV3Schema', {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
    });
  });

  test('a schema may have rules for the whole object if its status is not a subresource', () => {
    @Kind({ group, version: 'v1', subresources: { status: false } })
    @Schema({ minProperties: 4 })
    abstract class Counted extends CustomResource {
      @Field({ type: 'object' }) status?: object;
    }
    expect(specOf(Counted).versions[0]).toHaveProperty('schema.openAPIV3Schema.minProperties', 4);
  });

  test('a definition may set preserveUnknownFields to false', () => {
    @Kind({ group, version: 'v1', preserveUnknownFields: false })
    abstract class Pruned extends CustomResource {}
    expect(specOf(Pruned).preserveUnknownFields).toBe(false);
  });

  test('columns and scale may have paths that lead to no field', () => {
    @Kind({ group, version: 'v1' })
    @PrintColumn({ name: 'Ready', type: 'string', jsonPath: '.status.ready', anyPath: true })
    @Scale({ specReplicasPath: '.spec.size', statusReplicasPath: '.status.size', anyPath: true })
    abstract class Sized extends CustomResource {}
    const [version] = specOf(Sized).versions;
    expect(version?.additionalPrinterColumns).toEqual([{ name: 'Ready', type: 'string', jsonPath: '.status.ready' }]);
    expect(version?.subresources).toEqual({
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
    });
  });

  test('an embedded resource may require the fields that identify an object', () => {
    expect(versionOf({})).toHaveProperty('schema.openAPIV3Schema.properties.spec.required', ['apiVersion', 'kind']);
  });
});
