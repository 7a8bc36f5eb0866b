import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '../../base/operator-error.js';
import { kindFiles } from './kind-files.js';
import { kindIdentity, type KindIdentity } from './kind-identity.js';
import { presentVersions, type PresentVersion } from './present-versions.js';
import { versionFile } from './version-file.js';
import { writeNewFiles, type NewFileOptions } from './write-new-files.js';

/** What the command line of `create kind` says. */
export interface CreateKindOptions extends NewFileOptions {
  readonly clusterScoped?: boolean;
}

/**
 * Writes an operator for a new kind into the project of the working directory, or a further version of a kind that it
 * has.
 *
 * @throws OperatorError when there is no project, the kind has no valid name, or its files are there
 */
export function createKind(apiVersion: string, kind: string, options: CreateKindOptions): void {
  const folder = resolve('.');
  const tests = testModule(folder);
  const identity = kindIdentity(apiVersion, kind, options.clusterScoped ? 'Cluster' : 'Namespaced');
  const [present, ...others] = presentVersions(folder, identity.group, kind);
  const isFurther = [present, ...others].some((each) => each && each.options['version'] !== identity.version);
  if (present && isFurther) createVersion(folder, identity, [present, ...others], options);
  else createOperator(folder, identity, tests, options);
}

function createOperator(folder: string, identity: KindIdentity, tests: string, options: NewFileOptions): void {
  const { kind } = identity;
  writeNewFiles(kindFiles(identity, tests), folder, options);
  if (options.dryRun) return;
  process.stdout.write(`\nNext: say in operators/${kind.toLowerCase()}.ts what a ${kind} is and does, then\n`);
  process.stdout.write('  npx generate-manifests\n  npm test\n  npx kindwright demo\n');
}

/** What all versions have in common is taken from those that are there. */
function createVersion(
  folder: string,
  identity: KindIdentity,
  present: readonly PresentVersion[],
  options: NewFileOptions,
): void {
  const { version, kind } = identity;
  const said = Object.assign({}, ...present.map((each) => each.options)) as Partial<Record<string, string>>;
  const plural = said['plural'];
  const scope = said['scope'] === 'Cluster' ? 'Cluster' : 'Namespaced';
  const file = versionFile({ ...identity, ...(plural !== undefined && { plural }), scope }, plural !== undefined);
  const twin = present.find((each) => each.options['version'] === version && each.file !== file.path);
  if (twin)
    throw new OperatorError(`${twin.file} has ${version} of ${kind} already: class ${twin.className}`, {
      code: 'E_EXISTS',
      hint: `another version: kindwright create kind ${identity.group}/v2 ${kind}`,
    });
  writeNewFiles([file], folder, options);
  if (options.dryRun) return;
  const names = present.map((each) => each.className).join(', ');
  process.stdout.write(`\nNext: say in ${file.path} what ${version} has, beside ${names}, then\n`);
  process.stdout.write('  npx generate-manifests\n  npm test\n');
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
