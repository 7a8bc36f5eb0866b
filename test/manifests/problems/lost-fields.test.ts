import { expect, test } from '@jest/globals';
import { generateManifests } from '../../../src/manifests/generate.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind, type KindOptions } from '../../../src/resource/decorators/kind.js';
import type { FieldClass } from '../../../src/resource/decorators/field-options.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { Sound } from '../../resource/mistakes/classes.js';

/** The warnings about a kind that is stored as v1 and also has version v1alpha1. */
function warningsOf(stored: FieldClass, older: FieldClass, options: Partial<KindOptions> = {}): string[] {
  const group = 'apps.example.com';
  @Kind({ group, version: 'v1', kind: 'Gauge', ...options })
  class Gauge extends Sound {
    @Field({ type: stored }) spec!: object;
  }
  @Kind({ group, version: 'v1alpha1', kind: 'Gauge' })
  abstract class GaugeV1Alpha1 extends CustomResource {
    @Field({ type: older }) spec!: object;
  }
  const warnings: string[] = [];
  const sources = buildResourceModels([Gauge, GaugeV1Alpha1]).map((model) => ({ model, sourceFile: 'gauge.ts' }));
  generateManifests(sources, { warn: (message) => warnings.push(message) });
  return warnings;
}

class Part {
  @Field() name!: string;
}
class NewPart extends Part {
  @Field({ optional: true }) label?: string;
}
class Older {
  @Field() size!: string;
  @Field() zone!: string;
  @Field({ items: Part }) parts!: Part[];
  @Field({ values: Part }) byName!: Record<string, Part>;
}
class Newer {
  @Field() size!: string;
  @Field({ items: NewPart }) parts!: NewPart[];
  @Field({ values: NewPart }) byName!: Record<string, NewPart>;
  @Field({ optional: true }) region?: string;
}

test('fields that objects lose between two versions without conversion cause a warning', () => {
  const hint = "; convert the versions with @ConvertsTo, or set conversion: 'None' in @Kind to accept the loss";
  expect(warningsOf(Newer, Older)).toEqual([
    `GaugeV1Alpha1: in v1alpha1, .spec.zone are dropped: objects are stored as v1${hint}`,
    'GaugeV1Alpha1: in v1alpha1, .spec.parts[].label, .spec.byName.*.label, .spec.region are missing, ' +
      `and lost when an object is updated${hint}`,
  ]);
});

test('versions of one shape, and versions with a stated conversion, cause no warning', () => {
  expect(warningsOf(Older, Older)).toEqual([]);
  expect(warningsOf(Newer, Older, { conversion: 'None' })).toEqual([]);
});

test('a version that preserves unknown fields loses no field', () => {
  class Open {
    @Field({ type: 'object', preserveUnknownFields: true }) parts!: object;
  }
  class Typed {
    @Field() parts!: Part;
  }
  expect(warningsOf(Open, Typed)).toEqual([]);
});
