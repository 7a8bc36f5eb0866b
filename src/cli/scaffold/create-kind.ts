import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '../../base/operator-error.js';
import { readText } from '../../base/read-text.js';
import { copiedVersion } from './copied-version.js';
import { kindClasses } from './kind-classes.js';
import { kindFiles } from './kind-files.js';
import { kindIdentity, type KindIdentity } from './kind-identity.js';
import { presentVersions, type PresentVersion } from './present-versions.js';
import { versionFile } from './version-file.js';
import { kindwrightDependency } from './kindwright-dependency.js';
import { readRecord, writeScaffold } from './scaffold-record.js';
import type { NewFileOptions } from './write-new-files.js';

/** Command-line options of `create kind`. */
export interface CreateKindOptions extends NewFileOptions {
  readonly clusterScoped?: boolean;
}

/**
 * Adds an operator for a new kind, or another version of an existing kind, to the project of the working directory.
 *
 * @throws OperatorError when the project is missing, the kind has an invalid name, or its files exist
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
  const step = { command: 'create kind', kind: identity, testModule: tests } as const;
  writeScaffold(step, kindFiles(identity, tests), folder, kindwrightDependency(folder), options);
  if (options.dryRun) return;
  process.stdout.write(
    `\nNext: define the fields and reconcile of ${kind} in operators/${kind.toLowerCase()}.ts, then\n`,
  );
  process.stdout.write('  npx generate-manifests\n  npm test\n  npx kindwright demo\n');
  process.stdout.write(
    '\nThe file is an operator with a Deployment of its own; for one Deployment of several kinds see\n' +
      '"Which files form an operator" in docs/deployment.md.\n',
  );
}

/** The plural and the scope are those of the existing versions. */
function createVersion(
  folder: string,
  identity: KindIdentity,
  present: readonly PresentVersion[],
  options: NewFileOptions,
): void {
  const { version, kind } = identity;
  const shared = Object.assign({}, ...present.map((each) => each.options)) as Partial<Record<string, string>>;
  const plural = shared['plural'];
  const scope = shared['scope'] === 'Cluster' ? 'Cluster' : 'Namespaced';
  const step = {
    command: 'create version',
    kind: { ...identity, ...(plural !== undefined && { plural }), scope },
    hasPlural: plural !== undefined,
  } as const;
  const source = kindClasses(folder).filter((each) => present.some(({ className }) => className === each.className));
  const copied = source.find(({ isReconciled }) => isReconciled) ?? source[0];
  const content = copied && copiedVersion(step.kind, { ...copied, hasPlural: step.hasPlural });
  const file = versionFile(step.kind, step.hasPlural, content);
  const twin = present.find((each) => each.options['version'] === version && each.file !== file.path);
  if (twin)
    throw new OperatorError(`${twin.file}: ${version} of ${kind} exists already: class ${twin.className}`, {
      code: 'E_EXISTS',
      hint: `add another version: kindwright create kind ${identity.group}/v2 ${kind}`,
    });
  const recorded = { ...step, ...(content !== undefined && { content }) };
  writeScaffold(recorded, [file], folder, kindwrightDependency(folder), options);
  if (options.dryRun) return;
  const names = present.map((each) => each.className).join(', ');
  process.stdout.write(
    `\nNext: change the fields of ${version} in ${file.path}, which are those of ${copied?.className ?? names}, then\n`,
  );
  process.stdout.write('  npx generate-manifests\n  npm test\n');
}

/**
 * The test module of the project.
 *
 * @throws OperatorError when the folder has no package.json
 */
export function testModule(folder: string): string {
  const path = join(folder, 'package.json');
  if (!existsSync(path))
    throw new OperatorError(`no project in ${folder}: package.json not found`, {
      code: 'E_CONFIG',
      hint: 'create a project with kindwright init <folder>',
    });
  const manifest = JSON.parse(readText(path)) as Partial<Record<string, object>>;
  const packages = { ...manifest['dependencies'], ...manifest['devDependencies'] };
  return 'jest' in packages && !('vitest' in packages) ? '@jest/globals' : 'vitest';
}

/** Command-line options of `create api`. */
export interface CreateApiOptions extends NewFileOptions {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/**
 * `create kind` with the options of kubebuilder and operator-sdk. A group without a dot is completed by the domain of the
 * project.
 *
 * @throws OperatorError as `createKind`, and when the domain is unknown
 */
export function createApi({ group, version, kind, namespaced, ...options }: CreateApiOptions): void {
  createKind(`${group.includes('.') ? group : `${group}.${domain(group)}`}/${version}`, kind, {
    ...options,
    clusterScoped: !namespaced,
  });
}

/** The domain that `init` was given. */
function domain(group: string): string {
  for (const { step } of readRecord(resolve('.'))?.steps ?? [])
    if (step.command === 'init') return step.kind.group.replace(/^apps\./, '');
  throw new OperatorError(`the domain of the group ${group} is unknown: kindwright init has not created this project`, {
    code: 'E_CONFIG',
    hint: `pass the whole group: --group ${group}.example.com`,
  });
}
