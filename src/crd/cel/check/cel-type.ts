import { ownMember } from '../../../base/own-member.js';
import { isReserved } from '../../../api/schema/cel-name.js';
import { type LiteralValue, UintLiteral } from '../syntax/expression.js';

/** A CEL type: cel-go's common/types.Type. */
export interface CelType {
  readonly kind: Kind;
  readonly name: string;
  readonly params: readonly CelType[];
  /** The fields of a struct that a schema declares. */
  readonly fields?: ReadonlyMap<string, CelType>;
}

export type Kind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'dyn'
  | 'duration'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'param'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'uint';

const simple = (kind: Kind, name: string = kind): CelType => ({ kind, name, params: [] });

export const BOOL = simple('bool');
export const BYTES = simple('bytes');
export const DOUBLE = simple('double');
export const DYN = simple('dyn');
export const DURATION = simple('duration');
export const ERROR = simple('error', '!error!');
export const INT = simple('int');
export const NULL = simple('null');
export const STRING = simple('string');
export const TIMESTAMP = simple('timestamp');
export const UINT = simple('uint');
export const TYPE = simple('type');

export const QUANTITY = simple('struct', 'kubernetes.Quantity');
export const URL_TYPE = simple('struct', 'kubernetes.URL');
export const SEMVER = simple('struct', 'kubernetes.Semver');
export const FORMAT = simple('struct', 'kubernetes.NamedFormat');
export const AUTHORIZER = simple('struct', 'kubernetes.authorization.Authorizer');
export const PATH_CHECK = simple('struct', 'kubernetes.authorization.PathCheck');
export const GROUP_CHECK = simple('struct', 'kubernetes.authorization.GroupCheck');
export const RESOURCE_CHECK = simple('struct', 'kubernetes.authorization.ResourceCheck');
export const DECISION = simple('struct', 'kubernetes.authorization.Decision');
/** The type of `jsonpatch` in the mutations of a MutatingAdmissionPolicy. */
export const JSON_PATCH = simple('struct', 'jsonpatch');
export const IP = simple('opaque', 'net.IP');
export const CIDR = simple('opaque', 'net.CIDR');

export const listOf = (item: CelType): CelType => ({ kind: 'list', name: 'list', params: [item] });
export const mapOf = (key: CelType, value: CelType): CelType => ({ kind: 'map', name: 'map', params: [key, value] });
export const optionalOf = (value: CelType): CelType => ({ kind: 'opaque', name: 'optional_type', params: [value] });
export const typeOf = (type: CelType): CelType => ({ kind: 'type', name: 'type', params: [type] });
export const paramType = (name: string): CelType => simple('param', name);

/** Returns a type parameter that is present for this kind of type. */
export function paramOf({ params }: CelType, index: number): CelType {
  return params[index] ?? DYN;
}

export function isOptional({ kind, name }: CelType): boolean {
  return kind === 'opaque' && name === 'optional_type';
}

/** Returns the type inside an optional; other types are returned unchanged. */
export function unwrapOptional(type: CelType): CelType {
  return isOptional(type) ? paramOf(type, 0) : type;
}

export function isSameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((param, index) => isSameType(param, paramOf(b, index)))
  );
}

/** Formats a type as in cel-go's error messages. */
export function formatType({ name, params }: CelType): string {
  return params.length === 0 ? name : `${name}(${params.map(formatType).join(', ')})`;
}

const DECLARED_NAMES: Partial<Record<string, string>> = {
  null: 'null_type',
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
};

/** Formats a type as cel-go declares it, which differs from most of its error messages. */
export function declaredTypeName({ name, params }: CelType): string {
  const declared = ownMember(DECLARED_NAMES, name) ?? name;
  return params.length === 0 ? declared : `${declared}(${params.map(declaredTypeName).join(', ')})`;
}

export function literalType(value: LiteralValue): CelType {
  if (value === null) return NULL;
  if (value instanceof UintLiteral) return UINT;
  if (value instanceof Uint8Array) return BYTES;
  switch (typeof value) {
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'boolean':
      return BOOL;
    default:
      return STRING;
  }
}

/** Returns the type of a field; a reserved word may be written unescaped. */
export function structField({ fields }: CelType, name: string): CelType | undefined {
  return fields?.get(name) ?? (isReserved(name) ? fields?.get(`__${name}__`) : undefined);
}
