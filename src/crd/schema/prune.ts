import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { setMember } from '../../base/set-member.js';
import { isEmbeddedResource, memberSchema, preservesUnknown, type StructuralSchema } from './structural-schema.js';

const RESOURCE_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

/** Told of each field that the schema does not know. */
export interface PruneReport {
  unknown(path: string): void;
}

/** A copy of the value without what the schema does not know. */
export function prune(
  schema: StructuralSchema,
  value: unknown,
  report: PruneReport,
  path = '',
  isResource = false,
): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return value.map((item: unknown, index) =>
      items ? prune(items, item, report, `${path}[${index}]`, isEmbeddedResource(items)) : item,
    );
  }
  return isJsonObject(value) ? pruneMembers(schema, value, report, path, isResource) : value;
}

function pruneMembers(
  schema: StructuralSchema,
  value: JsonObject,
  report: PruneReport,
  path: string,
  isResource: boolean,
): JsonObject {
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const below = path === '' ? name : `${path}.${name}`;
    const type = memberSchema(schema, name);
    if (isResource && RESOURCE_FIELDS.has(name)) setMember(result, name, member);
    else if (type) setMember(result, name, prune(type, member, report, below, isEmbeddedResource(type)));
    else if (preservesUnknown(schema) || schema.additionalProperties === true) setMember(result, name, member);
    else report.unknown(below);
  }
  return result;
}
