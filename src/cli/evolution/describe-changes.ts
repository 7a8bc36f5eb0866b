import { styleText } from 'node:util';
import type { ApiChange, Severity } from '../../evolution/api-change.js';

const COLOURS = { breaking: 'red', tightening: 'yellow', safe: 'green' } as const;
const SEVERITIES = Object.keys(COLOURS) as Severity[];

/** The changes as lines below the name of their definition, and a line with their number. */
export function describeChanges(changes: readonly ApiChange[]): string {
  const definitions = [...new Set(changes.map(({ definition }) => definition))];
  const lines = definitions.flatMap((name) => [
    name,
    ...changes.filter(({ definition }) => definition === name).map(describeChange),
  ]);
  return [...lines, count(changes)].map((line) => `${line}\n`).join('');
}

function describeChange({ severity, version, path, what }: ApiChange): string {
  const label = styleText(COLOURS[severity], severity.padEnd('tightening'.length), { stream: process.stdout });
  const place = [version, path].filter((part) => part !== undefined && part !== '').join(' ');
  return `  ${label}  ${place === '' ? '' : `${place}: `}${what}`;
}

function count(changes: readonly ApiChange[]): string {
  if (changes.length === 0) return 'no API changes';
  const counts = SEVERITIES.map((name) => `${changes.filter(({ severity }) => severity === name).length} ${name}`);
  return `API changes: ${counts.join(', ')}`;
}
