import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '../../base/operator-error.js';
import { kindFiles } from './kind-files.js';
import { kindIdentity } from './kind-identity.js';
import { writeNewFiles, type NewFileOptions } from './write-new-files.js';

/** What the command line of `create kind` says. */
export interface CreateKindOptions extends NewFileOptions {
  readonly clusterScoped?: boolean;
}

/**
 * Writes an operator for a new kind into the project of the working directory.
 *
 * @throws OperatorError when there is no project, the kind has no valid name, or its files are there
 */
export function createKind(apiVersion: string, kind: string, options: CreateKindOptions): void {
  const folder = resolve('.');
  const tests = testModule(folder);
  const identity = kindIdentity(apiVersion, kind, options.clusterScoped ? 'Cluster' : 'Namespaced');
  writeNewFiles(kindFiles(identity, tests), folder, options);
  if (options.dryRun) return;
  const file = `operators/${kind.toLowerCase()}.ts`;
  process.stdout.write(`\nNext: say in ${file} what a ${kind} is and does, then\n`);
  process.stdout.write('  npx generate-manifests\n  npm test\n  npx kindwright demo\n');
}

/** The module that the project's tests import. */
function testModule(folder: string): string {
  const path = join(folder, 'package.json');
  if (!existsSync(path))
    throw new OperatorError(`there is no project in ${folder}: it has no package.json`, {
      code: 'E_CONFIG',
      hint: 'make one, with a first operator in it: kindwright init <folder>',
    });
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<string, object>>;
  const packages = { ...manifest['dependencies'], ...manifest['devDependencies'] };
  return 'jest' in packages && !('vitest' in packages) ? '@jest/globals' : 'vitest';
}
