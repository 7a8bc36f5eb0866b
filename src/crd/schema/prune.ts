import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { setMember } from '../../base/set-member.js';
import { isEmbeddedResource, memberSchema, preservesUnknown, type StructuralSchema } from './structural-schema.js';

/** The schema of the items of an undeclared list. */
const NOTHING: StructuralSchema = {};
const RESOURCE_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

/** Called for each unknown field. */
export interface PruneReport {
  unknown(path: string): void;
}

/** Returns a copy of the value without unknown fields. */
export function prune(
  schema: StructuralSchema,
  value: unknown,
  report: PruneReport,
  path = '',
  isResource = isEmbeddedResource(schema),
): unknown {
  return new Pruner(report).prune(schema, value, path, isResource);
}

class Pruner {
  constructor(private readonly report: PruneReport) {}

  /** Prunes a value; a list that preserves unknown fields also preserves those of its items. */
  prune(
    schema: StructuralSchema,
    value: unknown,
    path: string,
    isResource = isEmbeddedResource(schema),
    isKept = preservesUnknown(schema),
  ): unknown {
    if (isJsonObject(value)) return this.members(schema, value, path, isResource, isKept);
    const items = schema.items ?? (isKept ? undefined : NOTHING);
    if (!Array.isArray(value) || !items) return value;
    return value.map((item: unknown, index) =>
      this.prune(items, item, `${path}[${index}]`, isEmbeddedResource(items), isKept || preservesUnknown(items)),
    );
  }

  private members(
    schema: StructuralSchema,
    value: JsonObject,
    path: string,
    isResource: boolean,
    isKept: boolean,
  ): JsonObject {
    const result: JsonObject = {};
    for (const [name, member] of Object.entries(value)) {
      const below = path === '' ? name : `${path}.${name}`;
      const type = memberSchema(schema, name);
      if (isResource && RESOURCE_FIELDS.has(name)) setMember(result, name, member);
      else if (type) setMember(result, name, this.prune(type, member, below));
      else if (isKept || schema.additionalProperties === true) setMember(result, name, member);
      else this.report.unknown(below);
    }
    return result;
  }
}

/** Removes nulls, in place, where the schema is not nullable and has no default. */
export function pruneNulls(schema: StructuralSchema, value: unknown): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) for (const item of value as unknown[]) pruneNulls(items, item);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const type = memberSchema(schema, name);
    if (!type) continue;
    if (member === null && type.nullable !== true && type.default === undefined) Reflect.deleteProperty(value, name);
    else pruneNulls(type, member);
  }
}
