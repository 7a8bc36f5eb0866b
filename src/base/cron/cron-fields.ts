import { goQuoted } from '../go-quoted.js';
import { ownMember } from '../own-member.js';

/** The values of the five fields of a cron schedule. */
export interface CronFields {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Both days and weekdays are restricted, so that either of them is enough. */
  readonly isEitherDay: boolean;
}

interface Limits {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** True for `*` and `?` with a step of at most 1. */
  readonly isStar: boolean;
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Limits[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: WEEKDAYS },
];
const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

/**
 * Parses five fields, or a descriptor such as `@daily`, like github.com/robfig/cron/v3, which Kubernetes uses.
 *
 * Libraries for Node differ from it: croner 11 and cron-parser 5 accept weekday 7 and `L`, and move or drop runs where
 * clocks change. Neither has robfig's error messages, which the API server returns.
 *
 * @throws Error with robfig's message
 */
export function parseCronFields(text: string): CronFields {
  const spec = text.trim();
  if (spec.startsWith('@') && !Object.hasOwn(DESCRIPTORS, spec)) throw new Error(`unrecognized descriptor: ${spec}`);
  const texts = (ownMember(DESCRIPTORS, spec) ?? spec).split(/\s+/);
  if (texts.length !== FIELDS.length)
    throw new Error(`expected exactly ${FIELDS.length} fields, found ${texts.length}: [${texts.join(' ')}]`);
  const [minutes, hours, days, months, weekdays] = FIELDS.map((limits, index) =>
    parseField(texts[index] ?? '', limits),
  ) as [Field, Field, Field, Field, Field];
  return {
    minutes: minutes.values,
    hours: hours.values,
    days: days.values,
    months: months.values,
    weekdays: weekdays.values,
    isEitherDay: !days.isStar && !weekdays.isStar,
  };
}

/** Returns the error of a schedule, with the message of robfig's library; undefined for a valid one. */
export function cronProblem(text: string): string | undefined {
  const spec = text.replace(/^(CRON_)?TZ=\S+\s+/, '');
  if (/^@every \d/.test(spec.trim())) return undefined;
  try {
    parseCronFields(spec);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function parseField(text: string, limits: Limits): Field {
  const values = new Set<number>();
  let isStar = false;
  for (const part of text.split(',')) {
    if (part === '') continue;
    const { start, end, step, isAny } = parseRange(part, limits);
    isStar ||= isAny && step === 1;
    for (let value = start; value <= end; value += step) values.add(value);
  }
  return { values, isStar };
}

function parseRange(part: string, limits: Limits): Range & { readonly isAny: boolean } {
  const [rangeText = '', stepText, ...more] = part.split('/');
  const { start, end, isAny, isSingle } = parseBounds(rangeText, limits, part);
  if (more.length > 0) throw new Error(`too many slashes: ${part}`);
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  const range = { start, end: stepText !== undefined && isSingle ? limits.max : end, step };
  assertRange(range, limits, part);
  return { ...range, isAny };
}

function parseBounds(
  text: string,
  limits: Limits,
  part: string,
): Omit<Range, 'step'> & { readonly isAny: boolean; readonly isSingle: boolean } {
  const [low = '', high, ...more] = text.split('-');
  const isSingle = high === undefined;
  if (low === '*' || low === '?') return { start: limits.min, end: limits.max, isAny: true, isSingle };
  const start = parseValue(low, limits);
  if (more.length > 0) throw new Error(`too many hyphens: ${part}`);
  return { start, end: isSingle ? start : parseValue(high, limits), isAny: false, isSingle };
}

function assertRange(range: Range, { min, max }: Limits, part: string): void {
  const { start, end, step } = range;
  if (start < min) throw new Error(`beginning of range (${start}) below minimum (${min}): ${part}`);
  if (end > max) throw new Error(`end of range (${end}) above maximum (${max}): ${part}`);
  if (start > end) throw new Error(`beginning of range (${start}) beyond end of range (${end}): ${part}`);
  if (step === 0) throw new Error(`step of range should be a positive number: ${part}`);
}

function parseValue(text: string, { min, names = [] }: Limits): number {
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? parseNumber(text) : index + min;
}

function parseNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuoted(text)}: invalid syntax`);
}
