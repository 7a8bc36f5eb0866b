import { deepEqual } from '../../base/deep-equal.js';
import { eachObject, isJsonObject, objectAt, type JsonObject } from '../../base/json-object.js';
import type { SchemaProps } from '../schema-props.js';

const HOISTED = ['subresources', 'schema', 'additionalPrinterColumns', 'selectableFields'] as const;

type Hoisted = (typeof HOISTED)[number];

/**
 * The spec of a CustomResourceDefinition as the server validates it: fields that are equal in all versions are moved
 * to the top level, and errors refer to them there (apiextensions/v1/conversion.go).
 */
export interface HoistedSpec extends Readonly<Partial<Record<Hoisted, unknown>>> {
  readonly spec: JsonObject;
  /** The versions without the fields that were moved to the top level. */
  readonly versions: readonly JsonObject[];
}

export function hoistedSpec(spec: JsonObject): HoistedSpec {
  const versions = eachObject(spec.versions);
  const common = HOISTED.filter((key) => versions.every((version) => isSame(version[key], versions[0]?.[key])));
  const top = Object.fromEntries(common.map((key) => [key, versions[0]?.[key] ?? undefined]));
  const rest = versions.map((version) =>
    Object.fromEntries(Object.entries(version).filter(([key, value]) => !isOneOf(key, common) && value !== null)),
  );
  return { spec, versions: rest, ...top };
}

function isOneOf(key: string, keys: readonly string[]): boolean {
  return keys.includes(key);
}

function isSame(a: unknown, b: unknown): boolean {
  return deepEqual(orNothing(a), orNothing(b));
}

/** Kubernetes' semantic equality treats an empty list as absent. */
function orNothing(value: unknown): unknown {
  if (value === null || (Array.isArray(value) && value.length === 0)) return undefined;
  return value;
}

/** Returns the schema of a version or of the top level, if set. */
export function schemaIn(holder: unknown): SchemaProps | undefined {
  const schema = objectAt(holder, 'schema').openAPIV3Schema;
  return isJsonObject(schema) ? schema : undefined;
}

/** Returns all schemas of a spec. */
export function schemasIn(spec: JsonObject): SchemaProps[] {
  return eachObject(spec.versions).flatMap((version) => schemaIn(version) ?? []);
}
