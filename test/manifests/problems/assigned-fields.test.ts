import { expect, test } from '@jest/globals';
import { generateManifests } from '../../../src/manifests/generate.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Mutate } from '../../../src/resource/decorators/mutate.js';
import { Validate } from '../../../src/resource/decorators/validate.js';

test('a @Mutate method that sets a property without a field is an error with the path (G11)', () => {
  class Spec {
    @Field({ optional: true }) zone?: string;
    size = '';
    get region(): string {
      return this.zone ?? '';
    }
    set region(value: string) {
      this.zone = value;
    }
  }
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Filled extends CustomResource {
    @Field() spec!: Spec;
    declare note: string;
    reconcile(): void {
      this.note = 'not sent to the API server';
    }
    @Mutate() fill(): void {
      this.metadata.labels ??= {};
      this.spec.zone ??= this.metadata.name;
      this.spec.region = this.metadata.name;
      // this.spec.comment = 'a';
      if (this.spec.zone === 'b') {
        this.spec.size = 'large';
        this.note ||= 'b';
      }
    }
    @Validate() check(): void {
      this.note = 'not sent to the API server';
    }
  }
  const [model] = buildResourceModels([Filled]);
  const generate = () => generateManifests([{ model: model!, sourceFile: 'filled.ts' }]);
  expect(generate).toThrow(/^2 errors/);
  expect(generate).toThrow(
    /Filled\.fill: sets this\.spec\.size, but spec\.size is not a field, so the API server drops it/,
  );
  expect(generate).toThrow(/Filled\.fill: sets this\.note, but note is not a field/);
});
