import { durationMs } from '../../base/duration.js';
import { nearest } from '../../base/nearest.js';
import type { OperatorError } from '../../base/operator-error.js';
import type { PlannedFault, Trigger } from './plan.js';
import { formatTrigger, invalidPlan, parseTrigger } from './trigger-text.js';

type Options = NonNullable<PlannedFault['options']>;

const PREPOSITIONS = new Set(['at', 'after', 'before', 'from']);
const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/**
 * Returns a fault as text: `crash restart=later after create Secret default/a-tls`, `lag Pod 10s from delete Pod default/a-1`.
 *
 * {@link parseFault} reads it back. A kind is the option `kind`, a time span `ms`, and other options are `name=value`.
 */
export function formatFault({ fault, trigger, options = {} }: PlannedFault): string {
  const { kind, ms, ...others } = options;
  const words = [
    ...(kind === undefined ? [] : [isKindWord(kind) ? String(kind) : `kind=${valueText(kind)}`]),
    ...(ms === undefined ? [] : [isWholeMs(ms) ? durationText(Number(ms)) : `ms=${valueText(ms)}`]),
    ...Object.entries(others).map(([name, value]) => `${name}=${valueText(value)}`),
  ];
  return [fault, ...words, formatTrigger(trigger, ms === undefined ? 'after' : 'from')].join(' ');
}

/**
 * Parses the text of a fault.
 *
 * @param known the names of all faults; other names are rejected
 * @throws OperatorError (E_PLAN) that names the part that cannot be read, and how to write it
 */
export function parseFault(text: string, known?: readonly string[]): PlannedFault {
  const [fault = '', ...words] = wordsOf(text.trim());
  if (fault === '') throw invalidPlan('a fault has no name', 'write for example: crash after create Secret default/a');
  if (known && !known.includes(fault)) throw unknownFault(fault, known);
  const at = words.findIndex((word) => PREPOSITIONS.has(word));
  if (at === -1)
    throw invalidPlan(`"${text}" does not say when it happens`, `add a moment: ${fault} after create Secret default/a`);
  const options = Object.fromEntries(words.slice(0, at).map((word) => optionOf(word, fault)));
  const trigger: Trigger = parseTrigger(words.slice(at).join(' '));
  return { fault, trigger, ...(at > 0 && { options }) };
}

/** Parses several faults, separated by semicolons. */
export function parseFaults(text: string, known?: readonly string[]): PlannedFault[] {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|[^;"])+/g) ?? [];
  return parts.map((part) => parseFault(part, known));
}

/** Returns several faults as text that {@link parseFaults} reads. */
export function formatFaults(faults: readonly PlannedFault[]): string {
  return faults.map(formatFault).join('; ');
}

/** Returns the error for a name that is not the name of a fault. */
export function unknownFault(name: string, known: readonly string[]): OperatorError {
  const similar = nearest(name, known);
  const hint = similar === undefined ? `the faults are ${known.join(', ')}` : `did you mean ${similar}?`;
  return invalidPlan(`"${name}" is not the name of a fault`, hint);
}

/** Splits at spaces, except within the quotes of a value. */
function wordsOf(text: string): string[] {
  return text.match(/(?:[a-zA-Z]\w*="(?:[^"\\]|\\.)*"(?= |$))|[^ ]+/g) ?? [];
}

function optionOf(word: string, fault: string): readonly [string, Options[string]] {
  const [, name, value] = /^([a-zA-Z]\w*)=(.*)$/s.exec(word) ?? [];
  if (name !== undefined && value !== undefined) return [name, valueOf(value, word)];
  if (isKindWord(word)) return ['kind', word];
  const ms = durationMs(word);
  if (ms !== undefined) return ['ms', ms];
  throw invalidPlan(
    `"${word}" is not an option of ${fault}`,
    'write name=value, a kind such as Pod, or a time such as 10s',
  );
}

function valueOf(text: string, word: string): Options[string] {
  if (isNumberText(text)) return Number(text);
  if (isBareText(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
  } catch {
    // Reported below, like a value of another type.
  }
  throw invalidPlan(`the value of "${word}" cannot be read`, 'write a number, a word, or a text in double quotes');
}

function valueText(value: Options[string]): string {
  if (typeof value === 'number') return String(value);
  return isBareText(value) ? value : JSON.stringify(value);
}

function isBareText(text: string): boolean {
  return /^[a-zA-Z][\w./:-]*$/.test(text);
}

function isNumberText(text: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text);
}

function isKindWord(value: Options[string]): boolean {
  return typeof value === 'string' && /^[A-Z][A-Za-z0-9.]*$/.test(value);
}

function isWholeMs(value: Options[string]): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function durationText(ms: number): string {
  const [unit, size] = UNITS.find(([, length]) => ms > 0 && ms % length === 0) ?? (['ms', 1] as const);
  return `${String(ms / size)}${unit}`;
}
