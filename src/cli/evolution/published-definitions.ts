import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '../../base/operator-error.js';
import type { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { definitionsIn } from '../../evolution/definitions-in.js';
import { displayPath } from '../../base/display-path.js';
import { decodeText, readText } from '../../base/read-text.js';
import { isYaml, yamlFilesAt } from '../yaml-files.js';

const execute = promisify(execFile);

const AGAINST = 'pass a git commit, or a file or folder with the published CRDs, to --against';

/**
 * Returns the definitions that a new state is compared with.
 *
 * @param source a file or folder with CustomResourceDefinitions, or a git commit from which `folder` is read
 * @throws OperatorError if the source is neither, or is a file or folder without definitions; a commit may have none
 */
export async function publishedDefinitions(source: string, folder: string): Promise<CustomResourceDefinition[]> {
  const place = statSync(source, { throwIfNoEntry: false });
  if (!place) return committedDefinitions(source, folder);
  const definitions = yamlFilesAt(source, AGAINST).flatMap((file) => definitionsIn(readText(file), displayPath(file)));
  if (definitions.length > 0) return definitions;
  throw new OperatorError(`no CustomResourceDefinition of apiextensions.k8s.io/v1 in ${source}`, {
    code: 'E_NO_FILE',
    hint: AGAINST,
  });
}

async function committedDefinitions(commit: string, folder: string): Promise<CustomResourceDefinition[]> {
  await assertCommit(commit);
  const path = relative(process.cwd(), folder) || '.';
  const listed = (await git('ls-tree', '-r', '-z', '--name-only', commit, '--', path)).toString();
  const files = listed.split('\0').filter(isYaml);
  const contents = await Promise.all(files.map((file) => git('show', `${commit}:./${file}`)));
  return contents.flatMap((content, index) => {
    const name = `${commit}:${files[index] ?? ''}`;
    return definitionsIn(decodeText(content, name), name);
  });
}

async function assertCommit(commit: string): Promise<void> {
  try {
    await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`);
  } catch (cause) {
    throw new OperatorError(`${commit} is neither a file nor a git commit`, {
      code: 'E_NO_FILE',
      hint: `list commits with git log --oneline; in CI, fetch it first: git fetch origin ${commit}`,
      cause,
    });
  }
}

/** @throws the error of git, or of the system when git is not installed */
async function git(...args: string[]): Promise<Buffer> {
  const { stdout } = await execute('git', args, { maxBuffer: 2 ** 28, encoding: 'buffer' });
  return stdout;
}
