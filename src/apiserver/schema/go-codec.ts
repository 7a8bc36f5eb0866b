import { deepClone } from '../../base/deep-clone.js';
import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { DecodeReport, TypeMismatch } from './decode-report.js';
import { decodeScalar, isZeroScalar, NO_QUANTITY, zeroScalar } from './go-scalar.js';
import {
  SCHEMA_UNIONS,
  goStruct,
  goTypeName,
  shortStructName,
  type GoField,
  type GoStruct,
  type GoType,
} from './go-type.js';

/**
 * Decodes JSON like Go and returns it in the form of Go's encoder: unknown fields are dropped and reported, zero values
 * follow `omitempty`, quantities and times are canonical. Empty lists and maps are kept, since Go distinguishes them
 * from nil until they are encoded.
 */
export function decodeGo(structName: string, value: JsonObject, report: DecodeReport): JsonObject {
  return new Decoder(report).decode(structName, value);
}

/** Returns the first type error in the order of the JSON rather than of the fields of the struct. */
export function firstMismatch(structName: string, value: JsonObject): unknown {
  try {
    new Decoder(new DecodeReport(), true).decode(structName, value);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The location of a value in a struct, for messages. */
interface Place {
  readonly struct: string;
  /** JSON names and indexes. Structs that Go inlines are marked with @, map keys are enclosed in MAP_KEY. */
  readonly path: string;
  /** The type with the names in Go's errors. */
  readonly named: GoType;
}

const MAP_KEY = '\u0000';
const SCHEMA = { type: 'struct', name: 'apiextensions/v1.JSONSchemaProps' } as const satisfies GoType;

class Decoder {
  private mismatch: TypeMismatch | undefined;

  constructor(
    private readonly report: DecodeReport,
    private readonly isAsWritten = false,
  ) {}

  decode(structName: string, value: JsonObject): JsonObject {
    const result = this.struct(goStruct(structName), value, '');
    if (this.mismatch) throw this.mismatch;
    return result;
  }

  struct(struct: GoStruct, value: JsonObject, path: string): JsonObject {
    const result: JsonObject = {};
    const parent = path === '' ? '' : `${path}.`;
    const shortName = shortStructName(struct.name);
    for (const [name, field] of this.isAsWritten ? asWritten(value, struct) : struct.fields) {
      const raw = Object.hasOwn(value, name) ? value[name] : undefined;
      const decoded =
        raw === undefined || raw === null
          ? undefined
          : this.value(field.type, raw, { path: parent + field.via + name, struct: shortName, named: field.named });
      setField(result, field, decoded);
    }
    for (const key of Object.keys(value)) {
      if (!struct.fields.has(key)) this.report.unknown(parent.replace(/@\w+\./g, '').replaceAll(MAP_KEY, '') + key);
    }
    return result;
  }

  /** Returns the canonical value, or undefined where Go has nil. */
  private value(type: GoType, raw: unknown, place: Place): unknown {
    switch (type.type) {
      case 'pointer':
        return this.value(type.of, raw, inner(type.of, place));
      case 'scalar':
        return SCHEMA_UNIONS.has(type.name)
          ? this.schemaUnion(type.name, raw, place)
          : this.scalar(type.name, raw, () => mismatch(type, raw, place));
      case 'struct':
        if (isJsonObject(raw)) return this.struct(goStruct(type.name), raw, place.path);
        break;
      case 'list':
        if (Array.isArray(raw)) return this.list(type.of, raw as unknown[], inner(type.of, place));
        break;
      case 'map':
        if (isJsonObject(raw)) return this.map(type.of, raw, inner(type.of, place));
    }
    this.defer(mismatch(type, raw, place));
    return undefined;
  }

  /** Decodes a scalar. Custom unmarshalers fail at once; other type mismatches are reported at the end. */
  private scalar(name: string, raw: unknown, fail: () => TypeMismatch): unknown {
    try {
      return decodeScalar(name, raw, fail);
    } catch (error) {
      if (STRUCT_SCALARS.has(name) || !(error instanceof TypeMismatch)) throw error;
      this.defer(error);
      return;
    }
  }

  /** Decodes a schema or another type. Values of neither type are ignored, but are errors for schema-or-bool. */
  private schemaUnion(name: string, raw: unknown, place: Place): unknown {
    if (isJsonObject(raw)) return this.schema(raw, place.path);
    if (name === 'JSONSchemaPropsOrBool') {
      if (typeof raw === 'boolean') return raw;
      throw new TypeMismatch(NEITHER, NEITHER);
    }
    if (!Array.isArray(raw)) return null;
    const isOfTexts = name === 'JSONSchemaPropsOrStringArray';
    return raw.map((member: unknown) => {
      if (member === null) return isOfTexts ? '' : this.schema({}, place.path);
      if (isOfTexts ? typeof member === 'string' : isJsonObject(member))
        return isJsonObject(member) ? this.schema(member, place.path) : member;
      const type = isOfTexts ? STRING : SCHEMA;
      throw mismatch(type, member, { ...place, named: type });
    });
  }

  /** Decodes a schema with a custom unmarshaler, which does not report unknown fields. */
  private schema(raw: JsonObject, path: string): JsonObject {
    const decoder = new Decoder(new DecodeReport(), this.isAsWritten);
    const schema = decoder.struct(goStruct(SCHEMA.name), raw, path);
    if (decoder.mismatch) throw decoder.mismatch;
    return schema;
  }

  private defer(mismatch: TypeMismatch): void {
    this.mismatch ??= mismatch;
  }

  private list(item: GoType, raw: readonly unknown[], { path, ...place }: Place): unknown {
    return raw.map((member, index) =>
      member === null
        ? zeroValue(item)
        : (this.value(item, member, { ...place, path: `${path}[${index}]` }) ?? zeroValue(item)),
    );
  }

  private map(item: GoType, raw: JsonObject, { path, ...place }: Place): unknown {
    const keys = this.isAsWritten ? Object.keys(raw) : Object.keys(raw).sort();
    const result = Object.create(null) as JsonObject;
    for (const key of keys) {
      const member = raw[key];
      const memberPath = this.report.isOfDecoded ? path : `${path}${MAP_KEY}.${key}${MAP_KEY}`;
      const decoded = member === null ? undefined : this.value(item, member, { ...place, path: memberPath });
      result[key] = decoded ?? zeroValue(item);
    }
    return { ...result };
  }
}

function asWritten(value: JsonObject, { fields }: GoStruct): [string, GoField][] {
  return Object.keys(value).flatMap((name) => {
    const field = fields.get(name);
    return field ? [[name, field]] : [];
  });
}

/** Returns the location of the elements of a pointer, list or map; those of a named type have their plain type. */
function inner(of: GoType, place: Place): Place {
  const { named } = place;
  return { ...place, named: 'of' in named ? named.of : of };
}

function setField(target: JsonObject, field: GoField, value: unknown): void {
  if (value === undefined) {
    if (!isOmittedWhenAbsent(field)) target[field.name] = zeroValue(field.type);
  } else if (!field.omitEmpty || !isZero(field.type, value)) target[field.name] = value;
}

function isZero(type: GoType, value: unknown): boolean {
  return type.type === 'scalar' && isZeroScalar(type.name, value);
}

function isOmittedWhenAbsent({ type, omitEmpty, omitZero }: GoField): boolean {
  if (omitZero) return true;
  if (!omitEmpty) return false;
  // Go's omitempty never drops a struct held by value; Time, MicroTime and Quantity are structs too.
  return type.type !== 'struct' && !(type.type === 'scalar' && STRUCT_SCALARS.has(type.name));
}

const STRUCT_SCALARS = new Set([
  'Time',
  'MicroTime',
  'Quantity',
  'IntOrString',
  'RawExtension',
  'FieldsV1',
  'Duration',
]);

const zeroStructs = new Map<string, JsonObject>();

/** Returns what Go's encoder writes for a zero value of the type. */
function zeroValue(type: GoType): unknown {
  switch (type.type) {
    case 'scalar':
      return zeroScalar(type.name);
    case 'struct':
      return deepClone(zeroStruct(type.name));
    case 'pointer':
    case 'list':
    case 'map':
      return null;
  }
}

function zeroStruct(name: string): JsonObject {
  let zero = zeroStructs.get(name);
  if (!zero) {
    zero = {};
    for (const field of goStruct(name).fields.values()) setField(zero, field, undefined);
    zeroStructs.set(name, zero);
  }
  return zero;
}

const STRING: GoType = { type: 'scalar', name: 'string' };
const NEITHER = 'boolean or JSON schema expected';
const INT32: GoType = { type: 'scalar', name: 'int32' };

function mismatch(type: GoType, raw: unknown, { struct, path, named }: Place): TypeMismatch {
  const fields = path
    .split(MAP_KEY)
    .filter((_part, index) => index % 2 === 0)
    .join('')
    .replace(/\[\d+\]|@/g, '');
  // The custom unmarshaler reads numbers as int32.
  const wanted: GoType = type.type === 'scalar' && type.name === 'IntOrString' ? INT32 : named;
  return new TypeMismatch(
    `json: cannot unmarshal ${jsonKind(raw, wanted)} into Go struct field ${struct}.${fields} of type ${goTypeName(wanted)}`,
    conversionFailure(type, raw, named),
  );
}

/** Returns the message of runtime.fromUnstructured, which contains Go types but not the field. */
function conversionFailure(type: GoType, raw: unknown, named: GoType): string {
  const isWhole = typeof raw === 'bigint' || Number.isInteger(raw);
  const [from, kind] = isWhole ? ['int64', 'int64'] : fromKind(raw);
  switch (type.type) {
    case 'pointer':
      return conversionFailure(type.of, raw, named);
    case 'map':
      return `cannot restore map from ${kind}`;
    case 'list':
      return `cannot restore slice from ${kind}`;
    case 'struct':
      return `cannot restore struct from: ${kind}`;
    case 'scalar':
      return type.name === 'bytes' ? `cannot restore slice from ${kind}` : scalarFailure(type.name, from, raw, named);
  }
}

function scalarFailure(name: string, from: string, raw: unknown, named: GoType): string {
  if (name === 'Quantity') return NO_QUANTITY;
  if (name === 'IntOrString') return `json: cannot unmarshal ${jsonKind(raw, INT32)} into Go value of type int32`;
  if (STRUCT_SCALARS.has(name)) return `json: cannot unmarshal ${jsonTypeName(raw)} into Go value of type string`;
  return isConvertible(from, name) ? `cannot convert ${from} to ${goTypeName(named)}` : `unrecognized type: ${name}`;
}

function fromKind(raw: unknown): [string, string] {
  if (Array.isArray(raw)) return ['[]interface {}', 'slice'];
  if (typeof raw === 'string') return ['string', 'string'];
  if (typeof raw === 'boolean') return ['bool', 'bool'];
  return typeof raw === 'number' ? ['float64', 'float64'] : ['map[string]interface {}', 'map'];
}

/** Returns whether Go can convert a value: numbers to other numbers, integers to strings. */
function isConvertible(from: string, to: string): boolean {
  const isNumber = /^(u?int|float)/;
  return isNumber.test(from) && (isNumber.test(to) || (from === 'int64' && to === 'string'));
}

function jsonKind(raw: unknown, type: GoType): string {
  const isIntended = type.type === 'scalar' && type.name.startsWith('int');
  return typeof raw === 'number' && isIntended ? `number ${raw}` : jsonTypeName(raw);
}

/** Returns the name of a value's type in the errors of Go's JSON decoder. */
export function jsonTypeName(raw: unknown): string {
  if (Array.isArray(raw)) return 'array';
  if (raw === null) return 'null';
  const type = typeof raw;
  return type === 'boolean' ? 'bool' : type === 'bigint' ? 'number' : type;
}
