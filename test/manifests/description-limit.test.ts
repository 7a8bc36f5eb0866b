import { describe, expect, test } from '@jest/globals';
import { openApiSchema } from '../../src/manifests/crd/schema.js';
import { Description } from '../../src/resource/decorators/description.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { Sound } from '../resource/mistakes/classes.js';

describe('a description', () => {
  @Description('Part is a part. It has more to say.')
  class Long {
    @Field('One two three. Four five six.', { maxDescriptionLength: 20 }) cut!: string;
    @Field('One two three. Four five six.') limited!: string;
    @Field('One two three four.', { maxDescriptionLength: 0 }) none!: string;
  }

  test('a description is limited by the field, otherwise by the class, otherwise by the kind', () => {
    @Kind({ group: 'apps.example.com', version: 'v1', maxDescriptionLength: 8 })
    class Limited extends Sound {
      @Field() spec!: Long;
    }
    const { spec, kind } = openApiSchema(buildResourceModels([Limited])[0]!).properties!;
    expect(kind).toEqual({ description: 'Kind is…', type: 'string' });
    expect(spec!.description).toBe('Part is…');
    expect(spec!.properties).toEqual({
      cut: { description: 'One two three.', type: 'string' },
      limited: { description: 'One two…', type: 'string' },
      none: { type: 'string' },
    });
  });
});
