import { ownMember } from '../../../base/own-member.js';
import { UintLiteral } from '../syntax/expression.js';
import { FORMAT_CLAUSES } from '../check/format-clause.js';
import { CelError, CelTypeName, typeNameOf, type CelList, type CelMap, type CelValue } from '../values/cel-value.js';
import { formatDouble } from './conversion-functions.js';
import { CelDuration, formatDuration } from '../../formats/duration.js';
import { CelTimestamp, formatTimestamp } from '../../formats/timestamp.js';

const CLAUSE = /%(?:%|(?:\.(\d+))?(.))/gs;

/** Implements `'%d items'.format([3])`: ext/formatting.go of cel-go. */
export function formatString(text: string, args: CelList): string {
  let used = 0;
  return text.replaceAll(CLAUSE, (whole: string, precision: string | undefined, clause: string | undefined) => {
    if (clause === undefined) return '%';
    const value = args[used];
    if (value === undefined) throw new CelError(`index ${used} out of range`);
    used++;
    return formatClause(clause, value, precision === undefined ? 6 : Number(precision));
  });
}

type Write = (value: CelValue, precision: number) => string;

const WRITERS: Readonly<Record<string, Write>> = {
  s: (value) => toText(value),
  d: (value) => whole(value).toString(),
  f: (value, precision) => Number(value).toFixed(precision),
  e: (value, precision) =>
    Number(value)
      .toExponential(precision)
      .replace(/e([+-])(\d)$/, 'e$10$2'),
  b: (value) => (typeof value === 'boolean' ? String(Number(value)) : whole(value).toString(2)),
  o: (value) => whole(value).toString(8),
  x: hex,
  X: (value) => hex(value).toUpperCase(),
};

function formatClause(letter: string, value: CelValue, precision: number): string {
  const [clause, write] = [ownMember(FORMAT_CLAUSES, letter), ownMember(WRITERS, letter)];
  if (!clause || !write)
    throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${letter}"`);
  const name = typeNameOf(value);
  if (!clause.accepts.some((kind) => kind === name || (kind === 'null' && value === null)))
    throw new CelError(`error during formatting: ${clause.demand}, was given ${name}`);
  return write(value, precision);
}

function whole(value: CelValue): bigint {
  return value instanceof UintLiteral ? value.value : (value as bigint);
}

function hex(value: CelValue): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : whole(value).toString(16);
}

/** Formats a value as a string. */
export function toText(value: CelValue): string {
  if (typeof value === 'number') return formatDouble(value).replace('+Inf', 'Infinity').replace('-Inf', '-Infinity');
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof UintLiteral) return String(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof CelTypeName) return value.name;
  return structureText(value);
}

/** Strings and times inside lists and maps are quoted. */
function toElementText(value: CelValue): string {
  const isQuoted = typeof value === 'string' || value instanceof CelDuration || value instanceof CelTimestamp;
  return isQuoted ? `"${toText(value)}"` : toText(value);
}

function structureText(value: CelValue): string {
  if (Array.isArray(value)) return `[${(value as CelList).map(toElementText).join(', ')}]`;
  if (!(value instanceof Map)) throw new CelError('error during formatting: string clause cannot be used on this type');
  const entries = [...(value as CelMap)].map(([key, one]) => `${toElementText(key)}:${toElementText(one)}`);
  return `{${entries.sort().join(', ')}}`;
}
