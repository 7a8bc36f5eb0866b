import { expect, test } from '@jest/globals';
import { CustomResource, Field, Kind } from 'kindwright';
import { narrowDeclarations } from '../../../src/manifests/problems/narrow-declarations.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { ResourceClass } from '../../../src/resource/model.js';

function warningsOf(target: ResourceClass): string[] {
  const [model] = buildResourceModels([target]);
  return narrowDeclarations(model!).map((warning) => warning.replace(/^\S+:\d+ /, ''));
}

test('a property that can be null but is declared without null causes a warning', () => {
  class Inner {
    @Field({ nullable: true }) text!: string;
    @Field({ type: String, nullable: true }) declared!: string | null;
    @Field({ enum: ['a'], nullable: true }) level!: string;
  }
  class Spec {
    @Field({ items: Inner }) inners!: Inner[];
    @Field({ nullable: true }) inner!: Inner;
  }
  @Kind({ group: 'apps.example.com', version: 'v1' })
  abstract class Gauge extends CustomResource {
    @Field() spec!: Spec;
  }
  const problem = 'can be null, which its declared type does not contain; add | null, or remove nullable';
  expect(warningsOf(Gauge)).toEqual([`Spec.inner: ${problem}`, `Inner.text: ${problem}`]);
});

test('an integer that a number cannot represent causes a warning unless it is declared, bounded or in the status', () => {
  class Spec {
    @Field({ format: 'int64' }) limit!: number;
    @Field({ format: 'int64', minimum: 0 }) noMaximum?: number;
    @Field({ format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) bounded!: number;
    @Field({ type: 'integer', format: 'int64' }) declared!: number | bigint;
    @Field({ format: 'int32' }) small!: number;
  }
  class Status {
    @Field({ format: 'int64' }) observedGeneration!: number;
  }
  @Kind({ group: 'apps.example.com', version: 'v1' })
  abstract class Quota extends CustomResource {
    @Field() spec!: Spec;
    @Field() status!: Status;
  }
  const problem =
    'can be an integer beyond 2^53, which is a bigint; ' +
    `@Field({ type: 'integer', format: 'int64' }) with type number | bigint, or minimum and maximum within 2^53`;
  expect(warningsOf(Quota)).toEqual([`Spec.limit: ${problem}`, `Spec.noMaximum: ${problem}`]);
});
