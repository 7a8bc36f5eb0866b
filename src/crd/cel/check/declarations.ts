import { ownMember } from '../../../base/own-member.js';
import {
  AUTHORIZER,
  BOOL,
  BYTES,
  CIDR,
  DECISION,
  DOUBLE,
  DURATION,
  DYN,
  FORMAT,
  GROUP_CHECK,
  INT,
  IP,
  JSON_PATCH,
  NULL,
  PATH_CHECK,
  QUANTITY,
  RESOURCE_CHECK,
  SEMVER,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
  URL_TYPE,
  listOf,
  mapOf,
  optionalOf,
  paramType,
  typeOf,
  type CelType,
} from './cel-type.js';
import { EXTENSION_SIGNATURES } from './extension-signatures.js';
import { STANDARD_SIGNATURES } from './standard-signatures.js';

/** An overload of a function. */
export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  /** The argument types; for member functions, the target comes first. */
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** True when the overload has type parameters. */
  readonly isGeneric: boolean;
}

const NAMED: Readonly<Record<string, CelType>> = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  duration: DURATION,
  dyn: DYN,
  int: INT,
  string: STRING,
  timestamp: TIMESTAMP,
  uint: UINT,
  quantity: QUANTITY,
  url: URL_TYPE,
  semver: SEMVER,
  format: FORMAT,
  ip: IP,
  cidr: CIDR,
  authorizer: AUTHORIZER,
  pathcheck: PATH_CHECK,
  groupcheck: GROUP_CHECK,
  resourcecheck: RESOURCE_CHECK,
  decision: DECISION,
  jsonpatch: JSON_PATCH,
};

let declared: Map<string, Overload[]> | undefined;

/** Returns the overloads of a function; undefined for unknown functions. */
export function overloadsOf(name: string): readonly Overload[] | undefined {
  declared ??= readDeclarations();
  return declared.get(name);
}

function readDeclarations(): Map<string, Overload[]> {
  const functions = new Map<string, Overload[]>();
  for (const line of (STANDARD_SIGNATURES + EXTENSION_SIGNATURES).trim().split(/\n+/)) {
    const match = /^(\S+) (\.?)([\w.-]+)\((.*)\) (\S+)$/.exec(line.trim());
    if (!match) throw new Error(`no signature: ${line}`);
    const [, name = '', dot, id = '', args = '', result = ''] = match;
    const types = args === '' ? [] : splitTypes(args).map(readType);
    const overload: Overload = {
      id,
      isMember: dot === '.',
      args: types,
      result: readType(result),
      isGeneric: /\b[A-Z]\b/.test(line),
    };
    functions.set(name, [...(functions.get(name) ?? []), overload]);
  }
  return functions;
}

/** Splits at commas outside angle brackets. */
function splitTypes(text: string): string[] {
  return text.split(/,(?![^<]*>)/);
}

function readType(text: string): CelType {
  const [, name = '', inner] = /^(\w+)(?:<(.*)>)?$/.exec(text.trim()) ?? [];
  if (inner === undefined) return ownMember(NAMED, name) ?? paramType(name);
  if (name === 'map') return mapOf(...(inner.split(',').map(readType) as [CelType, CelType]));
  const type = readType(inner);
  if (name === 'list') return listOf(type);
  return name === 'type' ? typeOf(type) : optionalOf(type);
}

/** Type names, which are also values. */
export const TYPE_NAMES: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ...[BOOL, BYTES, DOUBLE, INT, STRING, UINT, QUANTITY, URL_TYPE, SEMVER, FORMAT, IP, CIDR].map(
    (type) => [type.name, typeOf(type)] as const,
  ),
  ['google.protobuf.Duration', typeOf(DURATION)],
  ['google.protobuf.Timestamp', typeOf(TIMESTAMP)],
  ['list', typeOf(listOf(DYN))],
  ['map', typeOf(mapOf(DYN, DYN))],
  ['null_type', typeOf(NULL)],
  ['type', typeOf(TYPE)],
  ['dyn', typeOf(DYN)],
  ['optional_type', typeOf(optionalOf(paramType('V')))],
]);
