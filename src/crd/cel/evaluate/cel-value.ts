import { UintLiteral } from '../syntax/expression.js';
import type { CelType } from '../check/cel-type.js';
import { CelDuration } from './duration.js';
import { CelTimestamp } from './timestamp.js';

/** A value of CEL while it is evaluated; what went wrong is a value too, for `||` and `&&` can do without it. */
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
/** Keys are texts, booleans and whole numbers; unsigned ones are kept as signed ones. */
export type CelMap = ReadonlyMap<string | bigint | boolean, CelValue>;

/** Why there is no value. */
export class CelError extends Error {}

/** A value that may not be there. */
export class CelOptional {
  static readonly none = new CelOptional(undefined);

  constructor(readonly value: CelValue | undefined) {}
}

/** A type as a value. */
export class CelTypeName {
  constructor(readonly name: string) {}
}

/** A value of a type that Kubernetes adds. */
export abstract class CelObject {
  /** As in the declarations: `kubernetes.Quantity`. */
  abstract readonly typeName: string;
  abstract equals(other: CelObject): boolean;
}

/** Whether a value can be passed where a type is asked for. */
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

/** The name of a value's type as rules write it. */
export function typeOfValue(value: CelValue): CelTypeName {
  const name = typeNameOf(value);
  return new CelTypeName(WELL_KNOWN[name] ?? name);
}

const WELL_KNOWN: Readonly<Record<string, string>> = {
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
};

/** The name of a value's type, without parameters. */
export function typeNameOf(value: CelValue): string {
  if (value === null) return 'null_type';
  if (value instanceof CelObject) return value.typeName;
  return PRIMITIVES[typeof value] ?? CLASSES.find(([constructor]) => value instanceof constructor)?.[1] ?? 'error';
}
