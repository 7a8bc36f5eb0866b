import type { JsonSchema } from '../api/json-schema.js';
import type { ResourceModel } from '../resource/model.js';
import type { FieldModel, ValueModel } from '../resource/fields/value-model.js';

/** The structural schema of a kind's objects. */
export function openApiSchema({ description, fields }: ResourceModel): JsonSchema {
  const { properties, ...rest } = objectSchema(fields);
  return { ...describe(description), ...rest, properties: { ...COMMON_FIELDS, ...properties } };
}

/** What controller-gen says of the fields that every object has. */
const COMMON_FIELDS: Readonly<Record<string, JsonSchema>> = {
  apiVersion: {
    description: [
      'APIVersion defines the versioned schema of this representation of an object.',
      'Servers should convert recognized schemas to the latest internal value, and',
      'may reject unrecognized values.',
      'More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources',
    ].join('\n'),
    type: 'string',
  },
  kind: {
    description: [
      'Kind is a string value representing the REST resource this object represents.',
      'Servers may infer this from the endpoint the client submits requests to.',
      'Cannot be updated.',
      'In CamelCase.',
      'More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds',
    ].join('\n'),
    type: 'string',
  },
  metadata: { type: 'object' },
};

/** The schema of a field, an item or a map's value. */
function valueSchema(value: ValueModel): JsonSchema {
  const { type, rules, class: classModel, items, values } = value;
  return {
    ...describe(value.description ?? classModel?.description),
    ...(type !== undefined && { type }),
    ...(classModel?.structType !== undefined && { 'x-kubernetes-map-type': classModel.structType }),
    ...(classModel && objectSchema(classModel.fields)),
    ...(items && { items: valueSchema(items) }),
    ...(values && { additionalProperties: valueSchema(values) }),
    ...rules,
  };
}

function objectSchema(fields: readonly FieldModel[]): JsonSchema {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, value }) => [name, valueSchema(value)])),
    ...(required.length > 0 && { required: required.sort() }),
  };
}

function describe(description: string | undefined): JsonSchema {
  return description === undefined || description === '' ? {} : { description };
}
