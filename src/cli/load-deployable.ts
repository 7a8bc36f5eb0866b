import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { OperatorError } from '../base/operator-error.js';
import { operatorsOf, type ManifestOptions, type Operator } from '../manifests/operator.js';
import type { FeatureGates } from '../resource/feature-gates.js';
import { loadProject, type LoadedResource } from './load-resources.js';
import type { LoadedModules } from '../compiler/module-hooks.js';

/**
 * Loads the operators of files, and proves that each can also be loaded by its own Deployment, which loads only the files
 * of one operator. These can fail alone only if they are in an import cycle, where the first file decides the order.
 *
 * @param featureGates - states of feature gates, in place of those in package.json
 * @throws OperatorError as `loadResources`, and E_LOAD for an operator that cannot be loaded alone
 */
export async function loadDeployable(
  patterns: readonly string[],
  options: ManifestOptions,
  featureGates?: FeatureGates,
): Promise<LoadedResource[]> {
  const { resources, modules } = await loadProject(patterns, process.cwd(), featureGates);
  for (const operator of operatorsOf(resources, options))
    if (operator.sourceFiles.some((file) => isInCycle(resolve(file), modules))) await assertLoadsAlone(operator);
  return resources;
}

function isInCycle(path: string, { imports }: LoadedModules): boolean {
  const reached = new Set(imports.get(path));
  for (const module of reached) for (const imported of imports.get(module) ?? []) reached.add(imported);
  return reached.has(path);
}

async function assertLoadsAlone({ name, sourceFiles }: Operator): Promise<void> {
  const worker = new Worker(new URL('loader/load-alone.js', import.meta.url), { workerData: sourceFiles });
  const problem = await new Promise<unknown>((done, fail) => worker.once('message', done).once('error', fail));
  await worker.terminate();
  if (typeof problem !== 'string') return;
  throw new OperatorError(`the Deployment of ${name} loads only ${sourceFiles.join(' ')}, which fails: ${problem}`, {
    code: 'E_LOAD',
    hint:
      'remove the import cycle, or export the classes of both files from one file, ' +
      'see "Which files form an operator" in docs/deployment.md',
  });
}
