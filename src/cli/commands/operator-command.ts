import { Command } from 'commander';
import type { RunOperatorOptions, SettingsReport } from '../run-operator-options.js';
import { applySettings, effectiveSettings, unknownVariables } from '../settings/apply-settings.js';
import { withLogOptions } from './log-options.js';
import { withClusterFlags, withRuntimeFlags } from './operator-flags.js';

const EMBEDDED_ONLY = [
  ['dataDir', '--data-dir'],
  ['podDelay', '--pod-delay'],
  ['failPods', '--fail-pods'],
  ['missingImages', '--missing-images'],
] as const;

export const SIGNALS = `
Signals:
  SIGINT or SIGTERM stops the process after running reconciles have finished; a second one stops it immediately.
  SIGUSR2 changes the log level to debug, and back with the next signal.`;

/** Runs the operators of files with the options of a command line. */
export type RunOperators = (files: string[], options: RunOperatorOptions, settings: SettingsReport) => Promise<void>;

/**
 * A command that runs operators on a cluster.
 *
 * @param withMore - adds options after those of the cluster
 */
export function operatorCommand(run: RunOperators, withMore = (command: Command): Command => command): Command {
  return withLogOptions(withRuntimeFlags(withMore(withClusterFlags(new Command('run-operator')))))
    .description('Runs operators on the cluster of a kubeconfig or, in a pod, on the cluster of the pod.')
    .action(async (files: string[], options: RunOperatorOptions, command: Command) => {
      const controllers = await applySettings(command, process.env);
      if (haveSameAddress(options)) command.error('error: metrics and health probes cannot share an address');
      const stray = EMBEDDED_ONLY.find(([name]) => options[name] !== undefined && !options.embedded);
      if (stray) command.error(`error: ${stray[1]} requires --embedded`);
      if (options.open === true && (options.console ?? false) === false)
        command.error('error: --open requires --console or --embedded');
      if (ignoresPort(command, options))
        command.error('error: --webhook-port requires --webhook-authority, --webhook-cert-dir or --webhook-address');
      if (options.sharding && options.leaderElect)
        command.error('error: --sharding and --leader-elect exclude each other');
      const lease = leaseProblem(options);
      if (lease !== undefined) command.error(`error: ${lease}`);
      await run(files, options, {
        describe: (all) => effectiveSettings(command, controllers, all),
        warnings: unknownVariables(command, process.env),
      });
    });
}

/** A port that is chosen for the API server of this process, or to be reached by another one, is a free one. */
function ignoresPort(command: Command, options: RunOperatorOptions): boolean {
  if (command.getOptionValueSource('webhookPort') !== 'cli') return false;
  const { webhookAuthority, webhookCertDir, webhookAddress } = options;
  return (webhookAuthority ?? webhookCertDir ?? webhookAddress) === undefined;
}

/** The rule of client-go. */
function leaseProblem(options: RunOperatorOptions): string | undefined {
  const {
    leaderElectLeaseDuration: lease,
    leaderElectRenewDeadline: deadline,
    leaderElectRetryPeriod: retry,
  } = options;
  if (deadline >= lease) return '--leader-elect-renew-deadline must be less than --leader-elect-lease-duration';
  if (retry <= 0 || retry * 1.2 >= deadline)
    return '--leader-elect-retry-period must be more than 0 and less than 5/6 of --leader-elect-renew-deadline';
  return undefined;
}

function haveSameAddress({ metricsBindAddress, healthProbeBindAddress }: RunOperatorOptions): boolean {
  return metricsBindAddress === healthProbeBindAddress && !/^0$|:0$/.test(metricsBindAddress);
}
