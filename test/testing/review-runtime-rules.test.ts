import { describe, expect, test } from '@jest/globals';
import { ValidateBy } from 'class-validator';
import { CustomResource, Field, Kind, Review, RuntimeOnly, Validate } from 'kindwright';
import { review } from 'kindwright/testing';
import { buildResourceModels } from '../../src/resource/build-models.js';

const IsPalindrome = () =>
  ValidateBy({
    name: 'isPalindrome',
    validator: {
      validate: (value) => {
        if (value === 'boom') throw new TypeError('x is not a function');
        return Array.from(String(value)).reverse().join('') === value;
      },
      defaultMessage: () => 'must read the same backwards',
    },
  });

class Port {
  @Field() @RuntimeOnly() @IsPalindrome() name!: string;
  @Field({ optional: true }) note?: string;
}

class WordsSpec {
  @Field({ items: Port, optional: true }) ports?: Port[];
  @Field({ values: Port, optional: true }) byName?: Record<string, Port>;
  @Field({ optional: true }) note?: string;
}

class WordsStatus {
  @Field({ optional: true }) @RuntimeOnly() @IsPalindrome() last?: string;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
@Validate()
class Words extends CustomResource {
  @Field() spec!: WordsSpec;
  @Field() status!: WordsStatus;

  reconcile(): void {
    return undefined;
  }

  @Validate() check(request: Review<Words>): void {
    if (this.spec.note === 'bad') request.invalid('spec.note', 'is bad');
  }
}

const metadata = { name: 'a' };
const refused = async (spec: object, old?: object, more: object = {}) => {
  const former = old && { old: { metadata, spec: old, ...more } };
  return (await review(Words, { object: { metadata, spec, ...more }, ...former })).causes;
};
const cause = (field: string) => ({ field, message: 'must read the same backwards' });

describe('a class with @Validate()', () => {
  test('@Validate before a class refuses each field that violates a rule of @RuntimeOnly', async () => {
    const spec = { ports: [{ name: 'aba' }, { name: 'ab' }], byName: { x: { name: 'abc' } }, note: 'bad' };
    expect(await refused(spec)).toEqual([
      { field: 'spec.note', message: 'is bad' },
      cause('spec.ports[1].name'),
      cause('spec.byName[x].name'),
    ]);
    expect(await refused({ ports: [{ name: 'aba' }] })).toEqual([]);
  });

  test('an update may leave an object as it is that violates a rule of @RuntimeOnly, but not change it', async () => {
    const old = { ports: [{ name: 'ab' }] };
    expect(await refused({ ...old, note: 'new' }, old)).toEqual([]);
    expect(await refused({ ports: [...old.ports, { name: 'cd' }] }, old)).toEqual([cause('spec.ports[1].name')]);
    expect(await refused({ ports: [{ name: 'ab', note: 'new' }] }, old)).toEqual([cause('spec.ports[0].name')]);
    expect(await refused({ ports: [{ name: 'ba' }] }, old)).toEqual([cause('spec.ports[0].name')]);
  });

  test('a write of the resource is not refused for a rule of its status', async () => {
    expect(await refused({}, {}, { status: { last: 'ab' } })).toEqual([]);
  });

  test('a rule of @RuntimeOnly that throws gives no verdict, and the error names the class', async () => {
    await expect(refused({ ports: [{ name: 'boom' }] })).rejects.toThrow('@Validate of Words: x is not a function');
  });

  test('@Validate before a class shares the webhook of methods with the same options', () => {
    const [model] = buildResourceModels([Words]);
    expect(model?.webhooks.map(({ name, methods }) => [name, methods.length])).toEqual([
      ['validate.words.demo.example.com', 2],
    ]);
  });

  test('the options of @Validate before a class give it a webhook of its own', () => {
    @Kind({ group: 'demo.example.com', version: 'v1' })
    @Validate({ failurePolicy: 'Ignore' })
    class Optional extends CustomResource {
      @Field() spec!: WordsSpec;
      reconcile(): void {
        return undefined;
      }
    }
    const [model] = buildResourceModels([Optional]);
    expect(model?.webhooks).toEqual([
      expect.objectContaining({
        name: 'ignore.validate.optionals.demo.example.com',
        path: '/validate-demo-example-com-optional-ignore',
        failurePolicy: 'Ignore',
      }),
    ]);
  });
});
