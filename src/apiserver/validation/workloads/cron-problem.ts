import { goQuoted } from '../../../base/go-quoted.js';
const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The five fields of a schedule: their limits and names. */
const FIELDS: readonly (readonly [min: number, max: number, names: readonly string[]])[] = [
  [0, 59, []],
  [0, 23, []],
  [1, 31, []],
  [1, 12, MONTHS],
  [0, 6, WEEKDAYS],
];

/** What is wrong with a schedule, in the words of the cron library Kubernetes uses. */
export function cronProblem(text: string): string | undefined {
  const spec = text.replace(/^(CRON_)?TZ=\S+\s+/, '').trim();
  if (spec.startsWith('@')) return descriptorProblem(spec);
  const fields = spec.split(/\s+/);
  if (fields.length !== FIELDS.length)
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [index, limits] of FIELDS.entries()) {
    for (const part of (fields[index] ?? '').split(',')) {
      const problem = rangeProblem(part, ...limits);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(spec: string): string | undefined {
  if (DESCRIPTORS.includes(spec) || /^@every \d/.test(spec)) return undefined;
  return `unrecognized descriptor: ${spec}`;
}

function rangeProblem(part: string, min: number, max: number, names: readonly string[]): string | undefined {
  const [range = '', step, ...more] = part.split('/');
  if (range.split('-').length > 2) return `too many hyphens: ${part}`;
  if (more.length > 0) return `too many slashes: ${part}`;
  const texts = [...boundsOf(range, step !== undefined, min, max), step ?? '1'];
  const numbers = texts.map((text) => numberOf(text, min, names));
  const bad = texts[numbers.indexOf(undefined)];
  if (bad !== undefined) return unreadable(bad);
  const [start = 0, end = 0, by = 1] = numbers as number[];
  return limitProblem(start, end, by, min, max, part);
}

function boundsOf(range: string, hasStep: boolean, min: number, max: number): [first: string, last: string] {
  const [low = '', high] = range.split('-');
  if (low === '*' || low === '?') return [String(min), String(max)];
  return [low, high ?? (hasStep ? String(max) : low)];
}

function limitProblem(
  start: number,
  end: number,
  step: number,
  min: number,
  max: number,
  part: string,
): string | undefined {
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${part}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${part}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${part}`;
  return step === 0 ? `step of range should be a positive number: ${part}` : undefined;
}

function numberOf(text: string, min: number, names: readonly string[]): number | undefined {
  const name = names.indexOf(text.toLowerCase());
  if (name >= 0) return name + min;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function unreadable(text: string): string {
  const quoted = goQuoted(text);
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${quoted}: invalid syntax`;
}
