import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '../../base/operator-error.js';
import { writeAtomically } from '../../base/write-atomically.js';
import { reporting } from '../../manifests/output/output-error.js';
import { testModule } from './create-kind.js';
import { kindClasses, type KindSource } from './kind-classes.js';
import { webhookTest, withWebhooks } from './webhook-files.js';
import { kindwrightDependency } from './kindwright-dependency.js';
import { writeScaffold } from './scaffold-record.js';
import type { NewFileOptions } from './write-new-files.js';

/** Command-line options of `create webhook`; without `mutate` and `validate` both are added. */
export interface CreateWebhookOptions extends NewFileOptions {
  readonly mutate?: boolean;
  readonly validate?: boolean;
}

/**
 * Adds methods with `@Mutate` and `@Validate` to the class of a kind, and a test for them.
 *
 * @throws OperatorError when the project has no class of the kind, or the class has such methods
 */
export function createWebhook(kind: string, options: CreateWebhookOptions): void {
  const folder = resolve('.');
  const tests = testModule(folder);
  const target = webhookTarget(kind, folder);
  const isBoth = options.mutate === options.validate;
  const added = [
    ...(isBoth || options.mutate ? ['Mutate' as const] : []),
    ...(isBoth || options.validate ? ['Validate' as const] : []),
  ];
  const present = added.find((decorator) => target.methodDecorators.includes(decorator));
  if (present !== undefined)
    throw new OperatorError(`${target.file}: ${target.className} has a method with @${present} already`, {
      code: 'E_EXISTS',
      hint: `add another method with @${present}() to the class`,
    });
  const test = webhookTest(target, added, tests);
  const step = {
    command: 'create webhook',
    file: target.file,
    className: target.className,
    hasSpec: target.hasSpec,
    mutate: added.includes('Mutate'),
    validate: added.includes('Validate'),
    testModule: tests,
  } as const;
  writeScaffold(step, [test], folder, kindwrightDependency(folder), options);
  if (options.dryRun !== true) {
    const source = join(folder, target.file);
    reporting(target.file, () => writeAtomically(source, withWebhooks(target, added), statSync(source).mode & 0o777));
  }
  process.stdout.write(`${options.dryRun === true ? 'would change' : 'changed'} ${target.file}\n`);
  if (options.dryRun) return;
  process.stdout.write(`\nNext: write the rules of ${target.className} in ${target.file}, then\n`);
  process.stdout.write('  npm test\n  npx generate-manifests\n');
}

/** The class of the kind that reconciles, or the only one: webhooks belong in one version. */
export function webhookTarget(kind: string, folder: string): KindSource {
  const found = kindClasses(folder).filter((each) => each.kind === kind);
  const reconciled = found.filter(({ isReconciled }) => isReconciled);
  const [target, another] = reconciled.length > 0 ? reconciled : found;
  if (!target)
    throw new OperatorError(`no class of kind ${kind} in operators/`, {
      code: 'E_CONFIG',
      hint: `kindwright create kind apps.example.com/v1 ${kind}`,
    });
  if (another)
    throw new OperatorError(`${target.className} and ${another.className} are classes of kind ${kind}`, {
      code: 'E_CONFIG',
      hint: 'add the method by hand to the version that reconciles',
    });
  return target;
}
