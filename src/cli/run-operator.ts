import type { Logger } from '../base/logger.js';
import { Client } from '../client/client.js';
import { loadClusterConfig, type ClusterConfig } from '../client/cluster-config.js';
import { missingReconcile } from '../manifests/problems/missing-reconcile.js';
import { undecoratedProperties } from '../manifests/problems/undecorated-properties.js';
import { compiledClasses } from '../manifests/problems/compiled-classes.js';
import { assertReconciled } from './assert-reconciled.js';
import { kubeconfigLine, startEmbeddedServer } from './embedded-server.js';
import type { ResourceModel } from '../resource/model.js';
import { createSamples } from './create-samples.js';
import { loadCaches } from './load-resources.js';
import { ProjectLoader } from './loader/project-loader.js';
import { continueOnOutputErrors } from './output-errors.js';
import { printLine } from './print-line.js';
import { consoleOpener } from './open-console.js';
import { lastingPlace } from './reload/lasting-place.js';
import { logError } from './report-error.js';
import { assertControllers, logSettings, runOnCluster, type ServingOptions } from './run-on-cluster.js';
import type { RunOperatorOptions, SettingsReport } from './run-operator-options.js';
import { showConsole } from './show-console.js';
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
    const loader = new ProjectLoader(patterns, process.cwd(), options.featureGates);
    const resources = await loader.load();
    const operators = { resources, caches: await loadCaches(patterns) };
    const models = resources.map(({ model }) => model);
    assertControllers(options.controller ?? {}, models);
    assertReconciled(models);
    if (options.install) for (const warning of compiledClasses(resources)) logger.warn(warning);
    const run: Run = async (config, onServing) => {
      logSettings(settings, logger);
      for (const model of models)
        for (const problem of [...missingReconcile(model), ...undecoratedProperties(model)]) logger.warn(problem);
      const serving = { ...options, logThreshold, onServing, openConsole: consoleOpener(options) };
      if (options.reload !== true) return runOnCluster(operators, config, serving, logger, signal);
      const { runReloading } = await import('./reload/run-reloading.js');
      return runReloading(operators, config, { ...serving, loader, patterns }, logger, signal);
    };
    if (options.embedded === true) await runEmbedded(options, models, run, logger, signal);
    else await run(await loadClusterConfig({ kubeconfig, context, master }));
  });
}

type Run = (config: ClusterConfig, onServing?: ServingOptions['onServing']) => Promise<void>;

/** Runs operators on an API server of this process. */
async function runEmbedded(
  options: RunOperatorOptions,
  models: readonly ResourceModel[],
  run: Run,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const place = options.reload === true ? await lastingPlace(process.cwd(), logger) : {};
  const server = await startEmbeddedServer({ ...options, ...place }, logger);
  try {
    const config = await loadClusterConfig({ kubeconfig: server.kubeconfig });
    const client = new Client(config, { logger });
    try {
      await run(config, (console) => {
        printLine(kubeconfigLine(server.kubeconfig));
        if (console) showConsole(console, options, logger);
        if (options.samples !== true) return;
        createSamples(client, models, signal).catch((error: unknown) => {
          if (!signal.aborted) logError(logger, error, false);
        });
      });
    } finally {
      client.close();
    }
  } finally {
    await server.stop();
  }
}
