import { printableText } from '../../base/printable-text.js';
import { formatTime } from '../../base/timestamp.js';
import type { CauseDetail, FieldChange, OpDetail, RunDetail, WhyReport } from '../../console/wire.js';
import { countNoun } from '../count-noun.js';
import { printLine } from '../print-line.js';
import { ConsoleClient, type ConsoleChoice } from './console-client.js';
import { findObject, titleOf, type NamedObject } from './find-object.js';

const CHANGES = 3;

/** Prints the last reconciles of an object with their causes and writes. */
export async function why(named: NamedObject, choice: ConsoleChoice): Promise<void> {
  const client = ConsoleClient.open(choice);
  const { uid } = await findObject(client, named);
  const report = await client.get<WhyReport>(`why/${encodeURIComponent(uid)}`);
  for (const line of whyLines(report)) printLine(printableText(line));
}

/** The lines of `kindwright why`. */
export function whyLines({ row, runs, findings }: WhyReport): string[] {
  const state = row.state === '' ? '' : `  ${row.state}${row.detail === undefined ? '' : `: ${row.detail}`}`;
  const none = runs.length === 0 ? ['  no reconcile of it is recorded'] : [];
  return [
    `${titleOf(row)}${state}`,
    ...findings.flatMap(({ message, hint, location }) => [
      `  ! ${message}`,
      `    ${hint}${location === undefined ? '' : `  (${location})`}`,
    ]),
    ...none,
    ...runs.flatMap(runLines),
  ];
}

function runLines(run: RunDetail): string[] {
  const { at, ms, outcome = 'running', attempt, causes, causesOmitted, ops, failure } = run;
  const time = formatTime(at).slice(11, 19);
  const tries = attempt > 1 ? `, attempt ${attempt}` : '';
  const duration = ms === undefined ? '' : ` in ${ms.toFixed(1)} ms`;
  const omitted = causesOmitted > 0 ? [`    because of ${countNoun(causesOmitted, 'more cause')}`] : [];
  const place = failure?.location === undefined ? '' : `  (${failure.location})`;
  return [
    `  ${time} ${outcome}${duration}${tries}`,
    ...causes.flatMap(causeLines),
    ...omitted,
    ...ops.filter(isWrite).flatMap(writeLines),
    ...(failure ? [`    ${failure.name}: ${failure.message}${place}`] : []),
  ];
}

function causeLines({ text, changes = [] }: CauseDetail): string[] {
  return [`    because ${text}`, ...changeLines(changes, '      ')];
}

function isWrite({ do: action, isSkipped }: OpDetail): boolean {
  return action !== 'get' && action !== 'list' && action !== 'event' && isSkipped !== true;
}

function writeLines({ do: action, kind = '', name = '', changes = [], error }: OpDetail): string[] {
  const failed = error === undefined ? '' : `: ${error}`;
  return [`    ${action} ${kind.split('.', 1)[0] ?? ''} ${name}${failed}`, ...changeLines(changes, '      ')];
}

function changeLines(changes: readonly FieldChange[], indent: string): string[] {
  const shown = changes.slice(0, CHANGES).map(({ path, from = 'absent', to = 'absent' }) => {
    return `${indent}${path === '' ? 'object' : path}: ${cut(from)} → ${cut(to)}`;
  });
  return changes.length > CHANGES ? [...shown, `${indent}… ${changes.length - CHANGES} more`] : shown;
}

function cut(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
