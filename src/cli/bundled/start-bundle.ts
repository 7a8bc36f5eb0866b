import { checkNodeVersion } from '../check-node-version.js';
import { exitWhenFlushed } from '../exit-when-flushed.js';
import type { Bundle } from './bundle.js';
import { mapStackTraces } from './map-stack-traces.js';

/**
 * Runs the operators of a bundle with the process's arguments, which are those of run-operator.
 *
 * The imports of this module must load in any version of Node, as those of `start`.
 */
export async function startBundle(bundle: Bundle): Promise<void> {
  if (!checkNodeVersion('operator.mjs')) return;
  mapStackTraces();
  const { runBundle } = await import('./run-bundle.js');
  await exitWhenFlushed(await runBundle(bundle, process.argv.slice(2)));
}
