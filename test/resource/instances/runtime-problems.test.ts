import { describe, expect, test } from '@jest/globals';
import { MaxLength, ValidateBy } from 'class-validator';
import { hydrate } from '../../../src/resource/instances/hydrate.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { RuntimeOnly } from '../../../src/resource/decorators/runtime-only.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { hasRuntimeRules, runtimeProblems } from '../../../src/resource/instances/runtime-problems.js';

/** A rule of the user's own, of which no schema knows. */
const IsPalindrome = () =>
  ValidateBy({
    name: 'isPalindrome',
    validator: {
      validate: (value) => Array.from(String(value)).reverse().join('') === value,
      defaultMessage: () => '$property must read the same backwards',
    },
  });

class Part {
  @Field({ optional: true }) @RuntimeOnly() @IsPalindrome() @MaxLength(9) word?: string;
  @Field({ optional: true }) plain?: string;
}

class WordsSpec {
  @Field({ optional: true }) part?: Part;
  @Field({ items: Part, optional: true }) parts?: Part[];
  @Field({ values: Part, optional: true }) byName?: Record<string, Part>;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
class Words extends CustomResource {
  @Field() spec!: WordsSpec;
  reconcile(): void {}
}

const [model] = buildResourceModels([Words]);

function problems(spec: object): string[] {
  const object = { apiVersion: 'demo.example.com/v1', kind: 'Words', metadata: { name: 'a' }, spec };
  return runtimeProblems(model!.fields, hydrate(model!, object)).map(({ field, message }) => `${field}: ${message}`);
}

describe('rules that hold at run time only', () => {
  test('a kind lists the rules that apply at run time only', () => {
    expect(hasRuntimeRules(model!.fields)).toBe(true);
  });

  test('run-time rules are checked wherever their class is used', () => {
    const bad = { word: 'abc' };
    expect(problems({ part: bad, parts: [{ word: 'aba' }, bad], byName: { x: bad } })).toEqual([
      'spec.part.word: word must read the same backwards',
      'spec.parts[1].word: word must read the same backwards',
      'spec.byName[x].word: word must read the same backwards',
    ]);
  });

  test('run-time rules accept valid and missing values', () => {
    expect(problems({ part: { word: 'aba', plain: 'x' } })).toEqual([]);
    expect(problems({})).toEqual([]);
  });

  test('other rules of a property with a run-time rule stay in the schema', () => {
    const part = model!.fields.find(({ name }) => name === 'spec')?.value.class?.fields[0]?.value.class?.fields[0];
    expect(part?.value.rules).toMatchObject({ maxLength: 9 });
  });
});

test('a property whose rules a schema can express needs no @RuntimeOnly', () => {
  class PlainSpec {
    @Field() @RuntimeOnly() @MaxLength(9) word!: string;
  }
  @Kind({ group: 'demo.example.com', version: 'v1' })
  class Plain extends CustomResource {
    @Field() spec!: PlainSpec;
    reconcile(): void {}
  }
  expect(() => buildResourceModels([Plain])).toThrow(
    'PlainSpec.word: @RuntimeOnly: all rules have an OpenAPI schema equivalent',
  );
});
