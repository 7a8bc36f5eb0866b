import { ownMember } from '../../../base/own-member.js';
import type { CelType } from '../check/cel-type.js';
import { UintLiteral } from '../syntax/expression.js';
import { CelDuration } from '../../formats/duration.js';
import { CelTimestamp } from '../../formats/timestamp.js';

/** A CEL value during evaluation. An error is a value too, because `||` and `&&` can absorb it. */
export type CelValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | UintLiteral
  | Uint8Array
  | CelList
  | CelMap
  | CelOptional
  | CelDuration
  | CelTimestamp
  | CelTypeName
  | CelObject
  | CelError;

export type CelList = readonly CelValue[];
/** Keys are strings, booleans and integers; uint keys are stored as int. */
export type CelMap = ReadonlyMap<string | bigint | boolean, CelValue>;

/** An evaluation error. */
export class CelError extends Error {}

/** An optional value. */
export class CelOptional {
  static readonly none = new CelOptional(undefined);

  constructor(readonly value: CelValue | undefined) {}
}

/** A type used as a value. */
export class CelTypeName {
  constructor(readonly name: string) {}
}

/** A value of a type that Kubernetes adds to CEL. */
export abstract class CelObject {
  /** The declared type name: `kubernetes.Quantity`. */
  abstract readonly typeName: string;
  abstract equals(other: CelObject): boolean;
}

/** Reports whether a value can be passed as an argument of a type. */
export function isOfType(value: CelValue, { kind, name }: CelType): boolean {
  if (kind === 'dyn' || kind === 'param') return true;
  if (kind === 'list') return Array.isArray(value);
  if (kind === 'map') return value instanceof Map;
  return kind === 'type'
    ? value instanceof CelTypeName
    : typeNameOf(value) === name || (kind === 'null' && value === null);
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'double',
  bigint: 'int',
  boolean: 'bool',
};

const CLASSES: readonly (readonly [constructor: abstract new (...args: never[]) => object, name: string])[] = [
  [UintLiteral, 'uint'],
  [Uint8Array, 'bytes'],
  [Array, 'list'],
  [Map, 'map'],
  [CelOptional, 'optional_type'],
  [CelDuration, 'duration'],
  [CelTimestamp, 'timestamp'],
  [CelTypeName, 'type'],
];

/** Returns the type of a value, as `type(value)` does in rules. */
export function typeOfValue(value: CelValue): CelTypeName {
  const name = typeNameOf(value);
  return new CelTypeName(ownMember(WELL_KNOWN, name) ?? name);
}

const WELL_KNOWN: Readonly<Record<string, string>> = {
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
};

/** Returns the name of a value's type, without type parameters. */
export function typeNameOf(value: CelValue): string {
  if (value === null) return 'null_type';
  if (value instanceof CelObject) return value.typeName;
  return PRIMITIVES[typeof value] ?? CLASSES.find(([constructor]) => value instanceof constructor)?.[1] ?? 'error';
}

/** The `jsonpatch` variable in mutations of admission policies, the target of `escapeKey`. */
class JsonPatchLibrary extends CelObject {
  readonly typeName = 'jsonpatch';

  equals(other: CelObject): boolean {
    return other === this;
  }
}

export const JSON_PATCH_LIBRARY = new JsonPatchLibrary();
