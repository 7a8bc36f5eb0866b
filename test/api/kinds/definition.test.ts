import { describe, expect, test } from '@jest/globals';
import type { Definition } from '../../../src/api/kinds/definition.js';
import * as kinds from '../../../src/api/kinds/kinds.js';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import * as definitions from '../../../src/definitions.js';
import { openApiSchema } from '../../../src/manifests/crd/schema.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Field } from '../../../src/resource/decorators/field.js';
import type { FieldOptions } from '../../../src/resource/decorators/field-options.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { hydrate } from '../../../src/resource/instances/hydrate.js';
import { ModelError } from '../../../src/resource/model-error.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { ResourceModel } from '../../../src/resource/model.js';
import { Sound } from '../../resource/mistakes/classes.js';

const { Job } = kinds;
const { EnvVar, PodTemplateSpec, Quantity, ResourceRequirements, Time } = definitions;

function modelOf(type: Definition): ResourceModel {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Holder extends Sound {
    @Field({ type }) spec!: object;
  }
  return buildResourceModels([Holder])[0]!;
}

/** Why a definition cannot be the type of a field. */
function refusalOf(type: Definition): string | undefined {
  try {
    modelOf(type);
    return undefined;
  } catch (error) {
    if (error instanceof ModelError) return error.message;
    throw error;
  }
}

describe('a definition of Kubernetes', () => {
  test('each definition of Kubernetes can be the type of a field, or is rejected with a reason', () => {
    const entries = Object.entries({ ...kinds, ...definitions } as Record<string, Definition>).sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    expect(entries.length).toBeGreaterThan(570);
    const refused = entries.filter(([, type]) => refusalOf(type) !== undefined).map(([name]) => name);
    expect(refused).toEqual([
      'APIService',
      'APIServiceList',
      'APIServiceSpec',
      'CustomResourceDefinition',
      'CustomResourceDefinitionList',
      'CustomResourceDefinitionSpec',
      'CustomResourceDefinitionVersion',
      'CustomResourceValidation',
      'FlowSchema',
      'FlowSchemaList',
      'FlowSchemaStatus',
      'JSONSchemaProps',
      'JSONSchemaPropsOrArray',
      'JSONSchemaPropsOrBool',
      'JSONSchemaPropsOrStringArray',
      'PriorityLevelConfiguration',
      'PriorityLevelConfigurationList',
      'PriorityLevelConfigurationStatus',
      'ResourceClaim',
      'ResourceClaimList',
      'ResourceClaimStatus',
      'ServiceAccount',
      'ServiceAccountList',
    ]);
  });

  test('a definition with a name of two groups has the group in its name, and one of an older version the version', () => {
    expect(Object.keys(definitions)).toEqual(
      expect.arrayContaining(['CoreEventList', 'EventsEventList', 'RbacSubject', 'HorizontalPodAutoscalerSpecV1']),
    );
    expect(Object.keys(definitions)).not.toContain('EventList');
  });

  test('a field of a definition needs no option where the compiler emits the type', () => {
    class Spec {
      @Field() template!: definitions.PodTemplateSpec;
    }
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Noted extends Sound {
      @Field() spec!: Spec;
    }
    const { spec } = openApiSchema(buildResourceModels([Noted])[0]!).properties!;
    expect(spec!.properties!['template']).toEqual(openApiSchema(modelOf(PodTemplateSpec)).properties!['spec']);
  });

  test('a kind is the type of a field, of the items of a list and of the values of a map', () => {
    class Spec {
      @Field() job!: kinds.Job;
      @Field({ items: Job }) list!: kinds.Job[];
      @Field({ values: Job }) map!: Record<string, kinds.Job>;
    }
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Holding extends Sound {
      @Field() spec!: Spec;
    }
    const { job, list, map } = openApiSchema(buildResourceModels([Holding])[0]!).properties!['spec']!.properties!;
    expect(Object.keys(job!.properties!)).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status']);
    expect(list!.items).toEqual(job);
    expect(map!.additionalProperties).toEqual(job);
  });

  test('a definition has descriptions within the limit of the field', () => {
    class Spec {
      @Field({ type: EnvVar, maxDescriptionLength: 0 }) none!: definitions.EnvVar;
      @Field({ items: EnvVar, maxDescriptionLength: 20 }) short!: definitions.EnvVar[];
      @Field({ type: EnvVar }) all!: definitions.EnvVar;
    }
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Described extends Sound {
      @Field() spec!: Spec;
    }
    const { none, short, all } = openApiSchema(buildResourceModels([Described])[0]!).properties!['spec']!.properties!;
    expect(JSON.stringify(none)).not.toContain('description');
    const texts = [...JSON.stringify(short).matchAll(/"description":"([^"]*)"/g)].map(([, text = '']) => text);
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => text.length > 20)).toEqual([]);
    expect(JSON.stringify(all).length).toBeGreaterThan(1000);
  });
});

describe('the metadata of an object in a definition', () => {
  const { Pod } = kinds;
  const EMBEDDED = ['annotations', 'finalizers', 'labels', 'name', 'namespace'];

  function fieldSchema(options: FieldOptions) {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Holder extends Sound {
      @Field(options) spec!: object;
    }
    return openApiSchema(buildResourceModels([Holder])[0]!).properties!['spec']!;
  }
  const metadataOf = (options: FieldOptions) =>
    Object.keys(fieldSchema(options).properties!['metadata']!.properties ?? {});

  test('a template in a spec keeps its name, labels and annotations', () => {
    expect(metadataOf({ type: PodTemplateSpec })).toEqual(EMBEDDED);
    expect(metadataOf({ type: Pod })).toEqual(EMBEDDED);
    expect(JSON.stringify(fieldSchema({ type: definitions.PodSpec }))).toContain('"finalizers":');
  });

  test('the option embeddedObjectMeta: false leaves the fields of all metadata out', () => {
    expect(metadataOf({ type: PodTemplateSpec, embeddedObjectMeta: false })).toEqual([]);
    expect(JSON.stringify(fieldSchema({ type: definitions.PodSpec, embeddedObjectMeta: false }))).not.toContain(
      '"finalizers":',
    );
  });

  test('the option embeddedObjectMeta is an error for other types', () => {
    expect(() => fieldSchema({ type: 'string', embeddedObjectMeta: false })).toThrow(
      'embeddedObjectMeta requires a Kubernetes type',
    );
  });

  test('a kind may declare its metadata as ObjectMeta', () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Declared extends Sound {
      @Field({ type: definitions.MetaObjectMeta }) override metadata!: CustomResource['metadata'];
    }
    expect(openApiSchema(buildResourceModels([Declared])[0]!).properties!['metadata']).toEqual({ type: 'object' });
  });
});

describe('an object with a field of a definition', () => {
  class Spec {
    @Field({ type: Job }) job!: kinds.Job;
    @Field({ type: Time }) since!: definitions.Time;
    @Field({ values: ResourceRequirements }) byZone!: Record<string, definitions.ResourceRequirements>;
    @Field({ type: Quantity, default: '1Gi' }) size!: definitions.Quantity;
  }
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Holder extends CustomResource {
    @Field() spec!: Spec;
    reconcile(): void {
      return undefined;
    }
  }

  test('a field of a definition is plain JSON, with times as text', () => {
    const spec = {
      job: { status: { startTime: '2026-01-01T00:00:00Z', conditions: [{ type: 'Complete', status: 'True' }] } },
      since: '2026-01-01T00:00:00Z',
      byZone: { a: { limits: { cpu: 1 } } },
      size: '2Gi',
    };
    const object: UnstructuredObject = { metadata: { name: 'a' }, spec };
    const hydrated = hydrate(buildResourceModels([Holder])[0]! as ResourceModel<Holder>, object);
    expect(JSON.parse(JSON.stringify(hydrated.spec))).toEqual(spec);
    expect(hydrated.spec.job).not.toBe(spec.job);
    expect(Object.getPrototypeOf(hydrated.spec.job)).toBe(Object.prototype);
    expect(hydrated.spec.job.status?.startTime).toBe('2026-01-01T00:00:00Z');
  });
});
