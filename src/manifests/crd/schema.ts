import type { JsonSchema } from '../../api/schema/json-schema.js';
import {
  isOfDefinition,
  type ClassModel,
  type FieldModel,
  type ValueModel,
} from '../../resource/fields/value-model.js';
import type { ResourceModel } from '../../resource/model.js';
import { shortDescription } from './short-description.js';

/** The structural schema of a kind's objects. */
export function openApiSchema({ description, classModel, version }: ResourceModel): JsonSchema {
  const limit = version.maxDescriptionLength ?? Infinity;
  const { properties, ...rest } = objectSchema(classModel, limit);
  const { metadata, ...own } = properties ?? {};
  const fields = {
    ...(version.hasCommonFields && limited(COMMON_FIELDS, limit)),
    ...own,
    ...(metadata && { metadata: metadataSchema(metadata) }),
  };
  return {
    ...describe(description, classModel.maxDescriptionLength ?? limit),
    ...rest,
    ...classModel.rules,
    ...(Object.keys(fields).length > 0 && { properties: fields }),
  };
}

/** The schemas that controller-gen writes for the fields of every object. */
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

function limited(schemas: Readonly<Record<string, JsonSchema>>, limit: number): Record<string, JsonSchema> {
  const entries = Object.entries(schemas).map(([name, { description, ...schema }]) => {
    return [name, { ...describe(description, limit), ...schema }] as const;
  });
  return Object.fromEntries(entries);
}

/** The API server defines metadata itself, and accepts only rules for name and generateName. */
function metadataSchema({ properties }: JsonSchema): JsonSchema {
  return { type: 'object', ...(properties && { properties }) };
}

/** The schema of a field, an item or a map's value; `limit` is the maximum length of its description. */
export function valueSchema(value: ValueModel, limit: number, kindLimit: number): JsonSchema {
  const { type, rules, class: classModel, items, values, schema } = value;
  if (schema) return schema;
  const own = value.maxDescriptionLength ?? limit;
  // A class has its own limits; a definition of Kubernetes has the limit of the field.
  const below = isOfDefinition(classModel) ? own : kindLimit;
  return {
    ...describeValue(value, own),
    ...(type !== undefined && { type }),
    ...(classModel && objectSchema(classModel, below)),
    ...(items && { items: valueSchema(items, own, kindLimit) }),
    ...(values && { additionalProperties: values === true || valueSchema(values, own, kindLimit) }),
    ...rules,
  };
}

function describeValue({ description, class: classModel }: ValueModel, limit: number): JsonSchema {
  if (description !== undefined || !classModel) return describe(description, limit);
  return describe(classModel.description, classModel.maxDescriptionLength ?? limit);
}

function objectSchema(classModel: ClassModel, kindLimit: number): JsonSchema {
  const { fields, required, maxDescriptionLength, undeclared } = classModel;
  const names = required ?? namesOfRequired(fields);
  const schemas = fields.map(({ name, value }) => {
    return [name, valueSchema(value, maxDescriptionLength ?? kindLimit, kindLimit)] as const;
  });
  return {
    type: 'object',
    properties: { ...Object.fromEntries(schemas), ...undeclared },
    ...(names.length > 0 && { required: [...names] }),
  };
}

function namesOfRequired(fields: readonly FieldModel[]): string[] {
  return fields
    .filter(({ isRequired }) => isRequired)
    .map(({ name }) => name)
    .sort();
}

function describe(description: string | undefined, limit: number): JsonSchema {
  const text = shortDescription(description ?? '', limit);
  return text === '' ? {} : { description: text };
}
