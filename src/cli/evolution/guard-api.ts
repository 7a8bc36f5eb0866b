import { styleText } from 'node:util';
import type { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { OperatorError } from '../../base/operator-error.js';
import type { ApiChange, Severity } from '../../evolution/api-change.js';
import { compareApis } from '../../evolution/compare-apis.js';
import { definitionsIn } from '../../evolution/definitions-in.js';
import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { countNoun } from '../count-noun.js';
import { publishedDefinitions } from './published-definitions.js';
import { printableText } from '../../base/printable-text.js';

/** The API to compare with, and whether breaking changes are allowed. */
export interface GuardOptions {
  /** A commit of git, or a file or folder of definitions. */
  readonly against: string;
  readonly allowBreaking: boolean;
  /** Output folder of generate-manifests. */
  readonly folder: string;
  /** True if the files cover all kinds; otherwise missing kinds are not reported. */
  readonly isWhole: boolean;
}

/**
 * Prints how the API of generated files differs from the published one.
 *
 * @throws OperatorError when a change is breaking and `allowBreaking` is not set
 */
export async function guardApi(files: readonly GeneratedFile[], options: GuardOptions): Promise<void> {
  const { against, allowBreaking, folder, isWhole } = options;
  const next = generatedDefinitions(files);
  const names = new Set(next.map(({ metadata }) => metadata.name));
  const published = await publishedDefinitions(against, folder);
  const changes = compareApis(
    published.filter(({ metadata }) => isWhole || names.has(metadata.name)),
    next,
  );
  process.stdout.write(describeChanges(changes));
  const breaking = changes.filter(({ severity }) => severity === 'breaking').length;
  if (breaking === 0 || allowBreaking) return;
  throw new OperatorError(`${countNoun(breaking, 'breaking API change')} since ${against}`, {
    code: 'E_BREAKING',
    hint: 'make the change in a new version and keep serving the old one, or pass --allow-breaking; nothing was written',
  });
}

/** The definitions among generated files; those in the folders of operators are copies and omitted. */
export function generatedDefinitions(files: readonly GeneratedFile[]): CustomResourceDefinition[] {
  return files
    .filter(({ path }) => path.endsWith('.yaml') && !path.includes('/'))
    .flatMap(({ path, content }) => definitionsIn(content, path));
}

const COLORS = { breaking: 'red', tightening: 'yellow', safe: 'green' } as const;
const SEVERITIES = Object.keys(COLORS) as Severity[];

/** The changes as lines below the name of their definition, and a line with their number. */
function describeChanges(changes: readonly ApiChange[]): string {
  const definitions = [...new Set(changes.map(({ definition }) => definition))];
  const lines = definitions.flatMap((name) => [
    name,
    ...changes.filter(({ definition }) => definition === name).map(describeChange),
  ]);
  return [...lines, count(changes)].map((line) => `${line}\n`).join('');
}

function describeChange({ severity, version, path, what }: ApiChange): string {
  const label = styleText(COLORS[severity], severity.padEnd('tightening'.length), { stream: process.stdout });
  const place = [version, path].filter((part) => part !== undefined && part !== '').join(' ');
  return `  ${label}  ${printableText(`${place === '' ? '' : `${place}: `}${what}`)}`;
}

function count(changes: readonly ApiChange[]): string {
  if (changes.length === 0) return 'no API changes';
  const counts = SEVERITIES.map((name) => `${changes.filter(({ severity }) => severity === name).length} ${name}`);
  return `API changes: ${counts.join(', ')}`;
}
