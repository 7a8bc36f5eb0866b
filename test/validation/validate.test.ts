import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsInt, IsOptional, Min, ValidateBy } from 'class-validator';
import {
  CustomResource,
  Field,
  Immutable,
  InvalidError,
  Kind,
  OperatorError,
  RuntimeOnly,
  XValidation,
  validate,
} from 'kindwright';
import { startCluster, type Cluster } from 'kindwright/testing';
import { isJsonObject, without } from '../../src/base/json-object.js';
import { openApiSchema } from '../../src/manifests/crd/schema.js';
import { ModelError } from '../../src/resource/model-error.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceModel } from '../../src/resource/model.js';
import { Chooser } from '../fidelity/chooser.js';
import { PodSet } from '../../operators/podset.js';
import { RandomKinds } from '../random-classes/random-kinds.js';
import { RandomObjects } from '../random-classes/random-objects.js';

const HasEvenLength = () =>
  ValidateBy({
    name: 'hasEvenLength',
    validator: { validate: (value) => String(value).length % 2 === 0, defaultMessage: () => 'has an odd length' },
  });

class Spec {
  @Field({ format: 'int32' }) @IsInt() @Min(0) size!: number;
  @Field({ optional: true }) @Immutable() zone?: string;
  @Field({ optional: true }) since?: Date;
  @Field({ optional: true }) @RuntimeOnly() @IsOptional() @HasEvenLength() word?: string;
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@XValidation({ rule: "self.metadata.name != 'forbidden'", message: 'has a forbidden name' })
class Widget extends CustomResource {
  @Field() spec!: Spec;

  reconcile(): void {
    return undefined;
  }
}

const widget = (spec: object, name = 'a') => ({ metadata: { name }, spec });

describe('validate', () => {
  test('validate returns no causes for a valid object', async () => {
    const spec = { size: 1, since: new Date(0), zone: undefined };
    expect(await validate(Widget, widget(spec))).toEqual([]);
  });

  test('validate returns field, reason and message of each cause as the API server does', async () => {
    expect(await validate(PodSet, { metadata: { name: 'A' }, spec: { size: -1 } })).toEqual([
      expect.objectContaining({ field: 'metadata.name', reason: 'FieldValueInvalid' }),
      {
        field: 'spec.size',
        reason: 'FieldValueInvalid',
        message: 'Invalid value: -1: spec.size in body should be greater than or equal to 0',
      },
    ]);
  });

  test('validate reports a missing spec', async () => {
    expect(await validate(Widget, { metadata: { name: 'a' } })).toContainEqual({
      field: 'spec',
      reason: 'FieldValueRequired',
      message: 'Required value',
    });
  });

  test('validate reports fields that the class does not have', async () => {
    expect(await validate(Widget, widget({ size: 1, siez: 2 }))).toEqual([
      { field: 'spec.siez', reason: 'FieldValueInvalid', message: 'unknown field "spec.siez"' },
    ]);
  });

  test('validate evaluates CEL rules', async () => {
    expect(await validate(Widget, widget({ size: 1 }, 'forbidden'))).toMatchObject([
      { message: expect.stringContaining('has a forbidden name') },
    ]);
  });

  test('validate evaluates transition rules with the old object', async () => {
    const old = widget({ size: 1, zone: 'a' });
    expect(await validate(Widget, widget({ size: 2, zone: 'a' }), old)).toEqual([]);
    expect(await validate(Widget, widget({ size: 1, zone: 'b' }), old)).toMatchObject([{ field: 'spec.zone' }]);
  });

  test('validate checks rules of @RuntimeOnly properties that are not equal in the old object', async () => {
    const odd = widget({ size: 1, word: 'odd' });
    expect(await validate(Widget, odd)).toEqual([
      { field: 'spec.word', reason: 'FieldValueInvalid', message: 'has an odd length' },
    ]);
    expect(await validate(Widget, odd, odd)).toEqual([]);
  });

  test('validate does not change the given objects', async () => {
    const object = widget({ size: 1 });
    await validate(Widget, object, object);
    expect(object).toEqual(widget({ size: 1 }));
  });

  test('validate rejects values that JSON cannot represent', async () => {
    await expect(validate(Widget, widget({ size: NaN }))).rejects.toThrow(OperatorError);
  });

  test('validate throws the errors of the class', async () => {
    class Nothing extends CustomResource {
      reconcile(): void {
        return undefined;
      }
    }
    await expect(validate(Nothing, {})).rejects.toThrow(ModelError);
  });
});

describe('validate beside the embedded API server', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ server: 'embedded' });
  });
  afterAll(() => cluster.stop());

  /** A kind whose CRD the server serves; undefined when generator or server refuse it. */
  async function installed(index: number, kinds: RandomKinds): Promise<ResourceModel | undefined> {
    const targets = kinds.kind(index) as (new () => CustomResource)[];
    try {
      const [model] = buildResourceModels(targets.slice(0, 1));
      if (targets.length > 1 || !model?.version.served || model.version.conversion) return undefined;
      await cluster.install(model.target);
      return model;
    } catch (error) {
      if (error instanceof OperatorError) return undefined;
      throw error;
    }
  }

  test('validate returns the causes that the server returns for the same object', async () => {
    const [kinds, random] = [new RandomKinds(20_263), new Chooser(5)];
    const objects = new RandomObjects(random, 0.03);
    let [valid, invalid] = [0, 0];
    for (let index = 0; index < 200; index++) {
      const model = await installed(index, kinds);
      if (!model) continue;
      const { kind, target } = model;
      const schema = openApiSchema(model);
      for (let count = 0; count < 8; count++) {
        const value = objects.value(schema);
        if (!isJsonObject(value)) continue;
        const fields = without(value, 'apiVersion', 'kind', 'status');
        const namespace = kind.scope === 'Cluster' ? {} : { namespace: 'default' };
        const object = { ...fields, metadata: { name: random.pick(['a', 'B', 'forbidden']), ...namespace } };
        const own = (await validate(target, object)).filter(({ message }) => !message.startsWith('unknown field'));
        const answer = await cluster.client.create(kind, object, { dryRun: true }).catch((error: unknown) => error);
        const causes = answer instanceof InvalidError ? answer.details?.causes : [];
        expect({ object, causes: own }).toEqual({ object, causes });
        if (own.length > 0) invalid++;
        else valid++;
      }
    }
    expect(valid).toBeGreaterThan(15);
    expect(invalid).toBeGreaterThan(100);
  }, 120_000);
});
