import type { ScaffoldFiles } from '../scaffold/scaffold-step.js';
import { mergePackageJson } from './merge-package-json.js';
import { mergeText, type SideLabels } from './merge-text.js';

/** A file of the project as it is: its text, or the reason why it cannot be merged; undefined without a file. */
export type PresentFile = { readonly text: string } | { readonly unmergeable: string } | undefined;

/** The effect of an upgrade on one file. */
export interface FileUpgrade {
  readonly path: string;
  readonly outcome: 'added' | 'updated' | 'merged' | 'conflict' | 'not merged' | 'restored' | 'deleted' | 'kept';
  /** The text before; undefined without a file, or for a file that is not text. */
  readonly before: string | undefined;
  /** The text to write; undefined if the file is deleted or stays as it is. */
  readonly after: string | undefined;
  readonly notes: readonly string[];
}

/** The effects of an upgrade on the files of a project. */
export interface UpgradePlan {
  /** Without the files that stay as they are and need no attention. */
  readonly changes: readonly FileUpgrade[];
  /** The generated files from which the next upgrade starts. */
  readonly files: ScaffoldFiles;
}

/**
 * Merges the changes from one scaffold to another into the files of a project.
 *
 * A file that did not change in the scaffold is not read. A file of the user with the name of a new one is not changed.
 *
 * @param before the scaffold from which the files of the project come
 * @param after the scaffold of the running version
 * @throws OperatorError when package.json is invalid
 */
export function planUpgrade(
  before: ScaffoldFiles,
  after: ScaffoldFiles,
  present: (path: string) => PresentFile,
  labels: SideLabels,
): UpgradePlan {
  const changes: FileUpgrade[] = [];
  const files = new Map(after);
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [base, next] = [before.get(path), after.get(path)];
    if (base === next) continue;
    const change = upgradeFile({ path, base, next, file: present(path), labels });
    if (change) changes.push(change);
    if (base === undefined && change?.outcome === 'kept') files.delete(path);
    if (base !== undefined && change?.outcome === 'not merged') files.set(path, base);
  }
  return { changes, files };
}

interface Sides {
  readonly path: string;
  readonly base: string | undefined;
  readonly next: string | undefined;
  readonly file: PresentFile;
  readonly labels: SideLabels;
}

function upgradeFile(sides: Sides): FileUpgrade | undefined {
  const { path, base, next, file } = sides;
  const change = (outcome: FileUpgrade['outcome'], after: string | undefined, ...notes: string[]): FileUpgrade => ({
    ...{ path, outcome, after, notes },
    before: file && 'text' in file ? file.text : undefined,
  });
  if (!file) return missing(sides, change);
  if ('unmergeable' in file) {
    if (next === undefined || base === undefined) return change('kept', undefined, file.unmergeable);
    return change('not merged', undefined, `${file.unmergeable}; the scaffold changes it`);
  }
  if (next === undefined) return removed(file.text, base ?? '', change);
  if (sameLines(file.text, next)) return undefined;
  if (base === undefined) return change('kept', undefined, 'the new scaffold contains a file with this name');
  return merged(file.text, { ...sides, base, next }, change);
}

type Change = (outcome: FileUpgrade['outcome'], after: string | undefined, ...notes: string[]) => FileUpgrade;

/** The upgrade of a file that the user deleted, or that is new. */
function missing({ base, next }: Sides, change: Change): FileUpgrade | undefined {
  if (next === undefined) return undefined;
  if (base === undefined) return change('added', next);
  return change(
    'restored',
    next,
    'you deleted it, and the new scaffold changes it; delete it again if it is not needed',
  );
}

function removed(text: string, base: string, change: Change): FileUpgrade {
  if (sameLines(text, base)) return change('deleted', undefined, 'the new scaffold does not have it');
  return change('kept', undefined, 'the new scaffold does not have it, but you changed it');
}

function merged(
  text: string,
  { path, base, next, labels }: Sides & { readonly base: string; readonly next: string },
  change: Change,
): FileUpgrade | undefined {
  if (path === 'package.json') {
    const { text: after, notes } = mergePackageJson(base, text, next);
    if (after !== text) return change(sameLines(text, base) ? 'updated' : 'merged', after, ...notes);
    return notes.length > 0 ? change('kept', undefined, ...notes) : undefined;
  }
  const result = mergeText(base, text, next, labels);
  if (!result) return change('not merged', undefined, 'too many changed lines');
  if (result.conflicts > 0)
    return change('conflict', result.text, result.conflicts === 1 ? '1 conflict' : `${result.conflicts} conflicts`);
  if (result.text === text) return undefined;
  return change(sameLines(text, base) ? 'updated' : 'merged', result.text);
}

function sameLines(a: string, b: string): boolean {
  return withLineFeeds(a) === withLineFeeds(b);
}

function withLineFeeds(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
