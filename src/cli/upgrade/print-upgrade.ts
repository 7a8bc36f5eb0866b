import { OperatorError } from '../../base/operator-error.js';
import { unifiedDiff } from '../../manifests/output/diff.js';
import { countNoun } from '../count-noun.js';
import { printLine } from '../print-line.js';
import type { FileUpgrade } from './plan-upgrade.js';

/** Prints the files of an upgrade; with `dryRun`, also the differences. */
export function printUpgrade(changes: readonly FileUpgrade[], versions: string, dryRun: boolean): void {
  printLine(`upgrade of the scaffold from kindwright ${versions}${dryRun ? ': nothing is written' : ''}`);
  if (changes.length === 0) printLine('up to date');
  for (const change of changes) {
    printLine(`${change.outcome.padEnd('not merged'.length)} ${change.path}`);
    for (const note of change.notes) printLine(`${' '.repeat('not merged'.length + 3)}${note}`);
    if (dryRun && isWritten(change)) process.stdout.write(diffOf(change));
  }
}

/** Returns whether an upgrade writes or deletes a file. */
export function isWritten({ outcome, after }: FileUpgrade): boolean {
  return after !== undefined || outcome === 'deleted';
}

function diffOf({ path, before, after }: FileUpgrade): string {
  const from = before === undefined ? '/dev/null' : `a/${path}`;
  const to = after === undefined ? '/dev/null' : `b/${path}`;
  return unifiedDiff(from, to, before ?? '', after ?? '');
}

/** @throws OperatorError when files have conflicts or could not be merged */
export function assertMerged(changes: readonly FileUpgrade[]): void {
  const paths = (outcome: FileUpgrade['outcome']) =>
    changes.flatMap((change) => (change.outcome === outcome ? [change.path] : []));
  const [conflicts, others] = [paths('conflict'), paths('not merged')];
  if (conflicts.length + others.length === 0) return;
  const problems = [
    ...(conflicts.length > 0 ? [`conflicts in ${countNoun(conflicts.length, 'file')}: ${conflicts.join(', ')}`] : []),
    ...(others.length > 0 ? [`${countNoun(others.length, 'file')} not merged: ${others.join(', ')}`] : []),
  ];
  throw new OperatorError(problems.join('; '), {
    code: 'E_MERGE',
    hint:
      conflicts.length > 0
        ? 'choose between the lines from <<<<<<< to >>>>>>> and delete the markers, then run npm install and npm test'
        : 'make them UTF-8 text files, then run kindwright upgrade again',
  });
}
