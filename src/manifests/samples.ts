import { apiVersionOf } from '../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../api/objects/kube-object.js';
import type { ResourceModel } from '../resource/model.js';
import type { SampleOptions } from '../resource/decorators/sample.js';
import type { FieldModel, ValueModel } from '../resource/fields/value-model.js';

/**
 * Returns the sample objects of a kind: those of `@Sample`, otherwise a minimal object that the schema accepts. A kind that is
 * defined elsewhere has none.
 */
export function sampleObjects(model: ResourceModel): UnstructuredObject[] {
  const { samples, kind, definesKind } = model;
  if (!definesKind) return [];
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

/** The fields that users write: not the status, but spec even if it is optional. */
function isSpec({ name, isRequired }: FieldModel): boolean {
  return name === 'spec' || (isRequired && name !== 'status');
}

function requiredMembers(fields: readonly FieldModel[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, minimalValue(value)]));
}

function minimalValue(value: ValueModel): unknown {
  const { example, default: byDefault, enum: values } = value.rules;
  return example ?? byDefault ?? values?.[0] ?? MINIMAL_VALUES[value.type ?? 'string'](value);
}

/** The minimal value of each type, for fields without an example, default or enum. */
const MINIMAL_VALUES: Readonly<Record<NonNullable<ValueModel['type']>, (value: ValueModel) => unknown>> = {
  object: ({ class: classModel }) => requiredMembers(classModel?.fields.filter(({ isRequired }) => isRequired) ?? []),
  array: ({ items, rules }) => (items ? Array.from({ length: rules.minItems ?? 0 }, () => minimalValue(items)) : []),
  boolean: () => false,
  integer: minimalNumber,
  number: minimalNumber,
  string: ({ rules }) => 'example'.padEnd(rules.minLength ?? 0, '-').slice(0, rules.maxLength ?? Infinity),
};

function minimalNumber({ rules: { minimum = 1, maximum = Infinity, exclusiveMinimum } }: ValueModel): number {
  return Math.min(maximum, Math.max(1, exclusiveMinimum === true ? minimum + 1 : minimum));
}
