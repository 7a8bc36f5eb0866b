import { describe, expect, test } from '@jest/globals';
import { generateManifests } from '../../src/manifests/generate.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { buildResourceModels } from '../../src/resource/model.js';
import { Sound } from '../resource/mistakes/classes.js';

const notAllowed = { type: 'array' } as const; // without items

class Part {
  @Field({ items: { values: { schema: notAllowed } } }) matrix!: Record<string, unknown>[];
}

class Spec {
  @Field({ items: Part }) parts!: Part[];
  @Field('half a \ud83d character') described!: string;
  @Field({ schema: { type: 'object', properties: { deep: notAllowed } } }) exact!: object;
}

@Kind({ group: 'apps.example.com', version: 'v1', annotations: { 'example.com/half': '\udc00' } })
class Refused extends Sound {
  @Field() spec!: Spec;
}

describe('what the API server would refuse', () => {
  test('is said of the class and field that declare it, all at once', () => {
    const [model] = buildResourceModels([Refused]);
    const hint = '    hint: change what @Kind, @Schema, @Field and rules say there';
    expect(() => generateManifests([{ model: model!, sourceFile: 'refused.ts' }])).toThrow(
      [
        '4 mistakes in annotated classes',
        '  Refused: a string of it holds half a character (metadata.annotations.example.com/half)',
        hint,
        '  Spec.described: a string of it holds half a character (description)',
        hint,
        '  Spec.exact: the API server would refuse it: Required value: must be specified (properties[deep].items)',
        hint,
        '  Part.matrix[]{}: the API server would refuse it: Required value: must be specified (items)',
        hint,
      ].join('\n'),
    );
  });

  test('includes rules in CEL that do not compile, cost too much, or look at an old value that cannot be found', () => {
    class Item {
      @Field({ validations: [{ rule: 'self == oldSelf' }] }) name!: string;
    }
    class Rules {
      @Field({ type: 'integer', validations: [{ rule: 'self.nowhere > 0' }] }) broken!: number;
      @Field({ items: { items: { type: String, validations: [{ rule: "self.contains('a')" }] } } }) costly!: string[][];
      @Field({ items: Item }) items!: Item[];
    }
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class Ruled extends Sound {
      @Field() spec!: Rules;
    }
    const [model] = buildResourceModels([Ruled]);
    const generate = (): unknown => generateManifests([{ model: model!, sourceFile: 'ruled.ts' }]);
    expect(generate).toThrow(/Rules\.broken: the API server would refuse it: .*compilation failed/);
    expect(generate).toThrow(/Rules\.costly\[\]\[\]: the API server would refuse it: .*exceeds budget/);
    expect(generate).toThrow(/Item\.name: the API server would refuse it: .*oldSelf cannot be used/);
  });
});
