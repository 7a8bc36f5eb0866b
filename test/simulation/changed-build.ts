import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OwnMutant } from './own-mutants.ts';

/** A copy of the compiled package and the operators, to which one change at a time is made. */
export class ChangedBuild implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'kindwright-mutants-'));

  constructor(root: string) {
    for (const name of ['dist', 'operators', 'test/simulation', 'package.json', 'tsconfig.json'])
      cpSync(join(root, name), join(this.root, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.root, 'node_modules'));
  }

  /**
   * Makes a change, and returns the function that takes it back.
   *
   * @throws Error if the text of the change is not in exactly one compiled file
   */
  apply({ id, text, replacement }: OwnMutant): () => void {
    const pattern = compiledPattern(text);
    const found = globSync('dist/**/*.js', { cwd: this.root })
      .map((name) => join(this.root, name))
      .map((path) => ({ path, source: readFileSync(path, 'utf8') }))
      .filter(({ source }) => pattern.test(source));
    const [file] = found;
    if (!file || found.length > 1) throw new Error(`${id}: ${String(found.length)} compiled files contain its text`);
    const { path, source } = file;
    writeFileSync(
      path,
      source.replace(pattern, () => replacement),
    );
    return () => {
      writeFileSync(path, source);
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Matches a text as esbuild prints it: with double quotes, other spaces, fewer parentheses, and numbers after names that occur twice. */
function compiledPattern(text: string): RegExp {
  const tokens = text.trim().match(/\w+|[^\w\s]/g) ?? [];
  const parts = tokens.map((token) => {
    if (/^\w+$/.test(token)) return `${token}\\d?`;
    if (/['"]/.test(token)) return `['"]`;
    return /[()]/.test(token) ? `\\${token}?` : `\\${token}`;
  });
  return new RegExp(parts.join('\\s*'));
}
