import type { Console } from '../console/console.js';
import { loadClusterConfig } from '../client/cluster-config.js';
import { missingReconcile } from '../manifests/problems/missing-reconcile.js';
import { undecoratedProperties } from '../manifests/problems/undecorated-properties.js';
import { compiledClasses } from '../manifests/problems/compiled-classes.js';
import { assertReconciled } from './assert-reconciled.js';
import { kubeconfigLine, startEmbeddedServer } from './embedded-server.js';
import { loadCaches, loadResources } from './load-resources.js';
import { continueOnOutputErrors } from './output-errors.js';
import { printLine } from './print-line.js';
import { consoleOpener } from './open-console.js';
import { assertControllers, consoleLine, logSettings, runOnCluster, type OpenConsole } from './run-on-cluster.js';
import type { RunOperatorOptions, SettingsReport } from './run-operator-options.js';
import { stopSignal } from './stop-signal.js';
import { withLogger } from './with-logger.js';

/**
 * Runs the operators in files until a signal asks to stop.
 *
 * @throws the reason why they cannot run; ReportedError when it is already logged.
 */
export async function runOperator(
  patterns: readonly string[],
  options: RunOperatorOptions,
  settings: SettingsReport,
): Promise<void> {
  const signal = stopSignal();
  const { kubeconfig, context, master } = options;
  await withLogger(options, async (logger, logThreshold) => {
    continueOnOutputErrors(logger);
    const resources = await loadResources(patterns);
    const operators = { resources, caches: await loadCaches(patterns) };
    const models = resources.map(({ model }) => model);
    assertControllers(options.controller ?? {}, models);
    assertReconciled(models);
    if (options.install) for (const warning of compiledClasses(resources)) logger.warn(warning);
    const warn = (): void => {
      for (const model of models)
        for (const problem of [...missingReconcile(model), ...undecoratedProperties(model)]) logger.warn(problem);
    };
    if (options.embedded !== true) {
      const config = await loadClusterConfig({ kubeconfig, context, master });
      logSettings(settings, logger);
      warn();
      const openConsole = consoleOpener(options);
      await runOnCluster(operators, config, { ...options, logThreshold, openConsole }, logger, signal);
      return;
    }
    logSettings(settings, logger);
    warn();
    const server = await startEmbeddedServer(options, logger);
    try {
      let console: Console | undefined;
      const onServing = (): void => {
        printLine(kubeconfigLine(server.kubeconfig));
        if (console) printLine(consoleLine(console));
      };
      const open = consoleOpener(options);
      const openConsole = open && (async (...args: Parameters<OpenConsole>) => (console = await open(...args)));
      const config = await loadClusterConfig({ kubeconfig: server.kubeconfig });
      await runOnCluster(operators, config, { ...options, logThreshold, onServing, openConsole }, logger, signal);
    } finally {
      await server.stop();
    }
  });
}
