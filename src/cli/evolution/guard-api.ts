import { OperatorError } from '../../base/operator-error.js';
import { compareApis } from '../../evolution/compare-apis.js';
import type { CustomResourceDefinition } from '../../api/kinds.js';
import { definitionsIn } from '../../evolution/definitions-in.js';
import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { countNoun } from '../count-noun.js';
import { describeChanges } from './describe-changes.js';
import { publishedDefinitions } from './published-definitions.js';

/** What the API is compared with, and what may differ. */
export interface GuardOptions {
  /** A commit of git, or a file or folder of definitions. */
  readonly against: string;
  readonly allowBreaking: boolean;
  /** Where generated files are kept. */
  readonly folder: string;
  /** Whether the files are those of all kinds; if not, others that were published are not missed. */
  readonly isWhole: boolean;
}

/**
 * Prints how the API of generated files differs from what was published.
 *
 * @throws OperatorError when a change is breaking and may not be
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
  throw new OperatorError(`${countNoun(breaking, 'breaking change')} of the API since ${against}`, {
    code: 'E_BREAKING',
    hint: 'make them in a new version and keep the old one served, or say --allow-breaking; nothing was written',
  });
}

/** The definitions among generated files, each once: those in the folders of operators are copies. */
export function generatedDefinitions(files: readonly GeneratedFile[]): CustomResourceDefinition[] {
  return files
    .filter(({ path }) => path.endsWith('.yaml') && !path.includes('/'))
    .flatMap(({ path, content }) => definitionsIn(content, path));
}
