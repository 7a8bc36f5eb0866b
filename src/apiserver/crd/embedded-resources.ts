import { invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { pathSegmentErrors } from '../../api/objects/names.js';
import { embeddedTypeProblems } from '../../crd/schema/embedded-type-problems.js';
import { isEmbeddedResource, memberSchema, type StructuralSchema } from '../../crd/schema/structural-schema.js';
import { isJsonObject, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { DecodeReport, TypeMismatch } from '../schema/decode-report.js';
import { inOrder, validateObjectMeta } from '../validation/fields/object-meta.js';
import { decodeMetadata } from './decode-metadata.js';

/** Called for each embedded resource with its path. */
type Visit = (resource: JsonObject, path: string) => void;

/** The embedded resources in objects of a schema: schema/objectmeta of apiextensions. */
export class EmbeddedResources {
  private static readonly known = new WeakMap<StructuralSchema, EmbeddedResources>();

  /** @param schema undefined when objects cannot contain embedded resources */
  private constructor(private readonly schema: StructuralSchema | undefined) {}

  static of(schema: StructuralSchema): EmbeddedResources {
    let found = this.known.get(schema);
    if (!found) this.known.set(schema, (found = new EmbeddedResources(holdsEmbedded(schema) ? schema : undefined)));
    return found;
  }

  /** Drops unknown metadata fields and rejects invalid ones. */
  coerce(body: JsonObject, report: DecodeReport): void {
    const own = new DecodeReport(true);
    this.each(body, (resource, path) => {
      coerceResource(resource, path, own);
    });
    report.problems.push(...own.problems.sort());
  }

  /** Does the same for stored objects; invalid metadata is dropped. */
  restore(body: JsonObject): void {
    this.each(body, restoreResource);
  }

  validate(body: JsonObject): FieldError[] {
    const errors: FieldError[] = [];
    this.each(body, (resource, path) => {
      errors.push(...resourceErrors(resource, path));
    });
    return errors;
  }

  private each(body: JsonObject, visit: Visit): void {
    if (this.schema) eachMember(this.schema, body, '', visit);
  }
}

function holdsEmbedded(schema: StructuralSchema): boolean {
  const { properties = {}, additionalProperties, items } = schema;
  const below = [...Object.values(properties), additionalProperties, items].filter(isJsonObject);
  return below.some((one) => isEmbeddedResource(one) || holdsEmbedded(one));
}

function eachEmbedded(schema: StructuralSchema, value: unknown, path: string, visit: Visit): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items)
      value.forEach((item, index) => {
        eachEmbedded(items, item, `${path}[${index}]`, visit);
      });
  } else if (isJsonObject(value)) {
    if (isEmbeddedResource(schema)) visit(value, path);
    eachMember(schema, value, path, visit);
  }
}

function eachMember(schema: StructuralSchema, value: JsonObject, path: string, visit: Visit): void {
  const { properties } = schema;
  for (const [name, member] of Object.entries(value)) {
    const type = memberSchema(schema, name);
    if (!type) continue;
    const isNamed = properties !== undefined && Object.hasOwn(properties, name);
    eachEmbedded(type, member, isNamed ? below(path, name) : `${path}[${name}]`, visit);
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

const TYPE = ['apiVersion', 'kind'] as const;

function coerceResource(resource: JsonObject, path: string, report: DecodeReport): void {
  for (const key of TYPE) {
    if (resource[key] !== undefined && typeof resource[key] !== 'string')
      throw refused(invalidValue(`${path}.${key}`, resource[key], 'must be a string'));
  }
  if (resource.metadata === undefined) return;
  try {
    resource.metadata = decodeMetadata(resource.metadata, report, `${path}.metadata`);
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    throw refused(invalidValue(`${path}.metadata`, inOrder(resource.metadata) ?? resource.metadata, error.message));
  }
}

function refused({ field, body }: FieldError): TypeMismatch {
  return new TypeMismatch(`${field}: ${body}`);
}

function restoreResource(resource: JsonObject): void {
  if (typeof resource.apiVersion !== 'string') delete resource.apiVersion;
  if (typeof resource.kind !== 'string') delete resource.kind;
  const { metadata } = resource;
  if (!isJsonObject(metadata)) return;
  const readable = Object.entries(metadata).filter(([key, value]) => isReadable({ [key]: value }));
  resource.metadata = decodeMetadata(Object.fromEntries(readable), new DecodeReport());
}

function isReadable(metadata: JsonObject): boolean {
  try {
    decodeMetadata(metadata, new DecodeReport());
    return true;
  } catch (error) {
    if (error instanceof TypeMismatch) return false;
    throw error;
  }
}

/** Returns the errors of a resource; a missing name is valid. */
function resourceErrors(resource: JsonObject, path: string): FieldError[] {
  const { metadata } = resource;
  const errors = embeddedTypeProblems(resource, path);
  if (!isJsonObject(metadata)) return errors;
  const named = { ...resource, metadata: { ...metadata, name: stringAt(metadata, 'name') || 'fakename' } } as ApiObject;
  const isNamespaced = stringAt(metadata, 'namespace') !== '';
  const found = validateObjectMeta(named, isNamespaced, pathSegmentErrors, true);
  return [...errors, ...found.map((error) => ({ ...error, field: `${path}.${error.field}` }))];
}
