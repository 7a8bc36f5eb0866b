import { loadClusterConfig } from '../../client/cluster-config.js';
import { configured, runCommandLine, withHelpNamed } from '../command-line.js';
import { operatorCommand, SIGNALS } from '../commands/operator-command.js';
import { checkFeatureGates, featureGatesOf } from '../../manifests/feature-gates-of.js';
import { setFeatureGates } from '../../resource/feature-gates.js';
import { consoleOpener } from '../open-console.js';
import { continueOnOutputErrors } from '../output-errors.js';
import { assertControllers, logSettings, runOnCluster } from '../run-on-cluster.js';
import type { RunOperatorOptions, SettingsReport } from '../run-operator-options.js';
import { stopSignal } from '../stop-signal.js';
import { withLogger } from '../with-logger.js';
import type { Bundle } from './bundle.js';
import { loadBundled } from './load-bundled.js';

/** Runs the command line of a bundle and returns the exit code. */
export function runBundle(bundle: Bundle, args: readonly string[]): Promise<number> {
  const command = () =>
    operatorCommand((files, options, settings) => runOperators(bundle, files, options, settings))
      .argument('[files...]', `source files of operators in this bundle (default: all): ${listOf(bundle)}`)
      .addHelpText('after', SIGNALS);
  return runCommandLine(() => withHelpNamed(configured(command(), bundle.version)), args);
}

function listOf({ files }: Bundle): string {
  return Object.keys(files).join(', ');
}

async function runOperators(
  bundle: Bundle,
  files: readonly string[],
  options: RunOperatorOptions,
  settings: SettingsReport,
): Promise<void> {
  const signal = stopSignal();
  const { kubeconfig, context, master } = options;
  await withLogger(options, async (logger, logThreshold) => {
    continueOnOutputErrors(logger);
    const { featureGates = {} } = options;
    setFeatureGates(featureGates);
    const operators = await loadBundled(bundle, files);
    const models = operators.resources.map(({ model }) => model);
    for (const warning of checkFeatureGates(featureGates, featureGatesOf(models))) logger.warn(warning);
    assertControllers(options.controller ?? {}, models);
    const config = await loadClusterConfig({ kubeconfig, context, master });
    logSettings(settings, logger);
    const serving = { ...options, logThreshold, openConsole: consoleOpener(options) };
    await runOnCluster(operators, config, serving, logger, signal);
  });
}
