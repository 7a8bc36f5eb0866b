import { apiVersionOf } from '../api/kind-ref.js';
import type { UnstructuredObject } from '../api/kube-object.js';
import type { ResourceModel } from '../resource/model.js';
import type { SampleOptions } from '../resource/decorators/sample.js';
import type { FieldModel, ValueModel } from '../resource/fields/value-model.js';

/** Objects of a kind to try it with: those of `@Sample`, else the least that the schema takes. */
export function sampleObjects(model: ResourceModel): UnstructuredObject[] {
  const { samples, kind } = model;
  const given: readonly SampleOptions[] =
    samples.length > 0 ? samples : [{ name: 'example', ...requiredMembers(model.fields.filter(isSpec)) }];
  return given.map(({ name, namespace, labels, annotations, ...fields }) => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
    },
    ...fields,
  }));
}

/** What a user writes: all but the status, even where the schema lets it be left out. */
function isSpec({ name, isRequired }: FieldModel): boolean {
  return name === 'spec' || (isRequired && name !== 'status');
}

function requiredMembers(fields: readonly FieldModel[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, leastValue(value)]));
}

function leastValue(value: ValueModel): unknown {
  const { example, default: byDefault, enum: values } = value.rules;
  return example ?? byDefault ?? values?.[0] ?? LEAST[value.type ?? 'string'](value);
}

/** The least value of each type that has no value of its own to give. */
const LEAST: Readonly<Record<NonNullable<ValueModel['type']>, (value: ValueModel) => unknown>> = {
  object: ({ class: classModel }) => requiredMembers(classModel?.fields.filter(({ isRequired }) => isRequired) ?? []),
  array: ({ items, rules }) => (items ? Array.from({ length: rules.minItems ?? 0 }, () => leastValue(items)) : []),
  boolean: () => false,
  integer: leastNumber,
  number: leastNumber,
  string: ({ rules }) => 'example'.padEnd(rules.minLength ?? 0, '-').slice(0, rules.maxLength ?? Infinity),
};

function leastNumber({ rules: { minimum = 1, maximum = Infinity, exclusiveMinimum } }: ValueModel): number {
  return Math.min(maximum, Math.max(1, exclusiveMinimum === true ? minimum + 1 : minimum));
}
