import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { transformFileSync } from '@swc/core';

const here = import.meta.dirname;

/** The folder of the peers, which stay built between runs. */
export const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'kindwright-bench');

export function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Copies a folder of a peer to the cache and returns the path of the copy. */
export function copied(folder: string): string {
  const target = join(cache, folder);
  cpSync(join(here, folder), target, { recursive: true });
  return target;
}

/** Builds a Go program into its folder in the cache. */
export function goBuild(folder: string, output: string, program = '.'): void {
  run('go', ['build', '-o', output, program], copied(folder));
}

/** Compiles a TypeScript file with decorators to `.build`, within the package, so that `kindwright` means its own dist/. */
export function compiledCandidate(file: string): string {
  const { code } = transformFileSync(join(here, file), {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  });
  const compiled = join(here, '.build', `${basename(file, '.ts')}.js`);
  mkdirSync(join(here, '.build'), { recursive: true });
  writeFileSync(compiled, code);
  return compiled;
}
