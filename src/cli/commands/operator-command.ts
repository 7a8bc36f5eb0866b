import { Command, Option } from 'commander';
import type { RunOperatorOptions, SettingsReport } from '../run-operator-options.js';
import { applySettings, effectiveSettings, unknownVariables } from '../settings/apply-settings.js';
import {
  addressArgument,
  durationArgument,
  intervalArgument,
  loopbackArgument,
  namespaceArgument,
  namespacesArgument,
  overridesArgument,
  pathArgument,
  portArgument,
  serverArgument,
  tunnelArgument,
  webhookObjectArgument,
} from './arguments.js';
import { withLogOptions } from './log-options.js';

const EMBEDDED_ONLY = [
  ['dataDir', '--data-dir'],
  ['podDelay', '--pod-delay'],
  ['failPods', '--fail-pods'],
  ['missingImages', '--missing-images'],
] as const;

export const SIGNALS = `
Signals:
  SIGINT or SIGTERM stops the process after running reconciles have finished; a second one stops it at once.`;

/** Runs the operators of files with the options of a command line. */
export type RunOperators = (files: string[], options: RunOperatorOptions, settings: SettingsReport) => Promise<void>;

/**
 * A command that runs operators on a cluster.
 *
 * @param withMore - adds options after those of the cluster
 */
export function operatorCommand(run: RunOperators, withMore = (command: Command): Command => command): Command {
  return withLogOptions(withRuntimeOptions(withMore(withClusterOptions(new Command('run-operator')))))
    .description('Runs operators on the cluster of a kubeconfig or, in a pod, on the cluster of the pod.')
    .action(async (files: string[], options: RunOperatorOptions, command: Command) => {
      const controllers = await applySettings(command, process.env);
      if (haveSameAddress(options)) command.error('error: metrics and health probes cannot share an address');
      const stray = EMBEDDED_ONLY.find(([name]) => options[name] !== undefined && !options.embedded);
      if (stray) command.error(`error: ${stray[1]} requires --embedded`);
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

function withClusterOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config, then in-cluster)')
    .option('--context <name>', 'context of the kubeconfig (default: the current context)')
    .option('--master <url>', 'address of the API server; overrides that of the kubeconfig', serverArgument)
    .option(
      '-n, --namespace <name>',
      'namespace to watch; may be given more than once (default: all)',
      namespacesArgument,
    )
    .option('--install', 'apply the CRDs first and wait until they are served');
}

function withRuntimeOptions(command: Command): Command {
  return command
    .option(
      '--config <file>',
      'YAML file with options in camel case, e.g. leaderElect: true; flags and KINDWRIGHT_… variables take precedence',
      pathArgument,
    )
    .option(
      '--controller <name.option=value>',
      'set an option of @Controller, e.g. podset.maxConcurrentReconciles=10; may be given more than once',
      overridesArgument,
    )
    .option('--leader-elect', 'reconcile only while holding a Lease; other replicas stand by')
    .option(
      '--leader-election-namespace <name>',
      'namespace of the Lease (default: the namespace of the pod)',
      namespaceArgument,
    )
    .option('--leader-election-id <name>', 'name of the Lease')
    .addOption(
      new Option(
        '--leader-elect-lease-duration <duration>',
        'time without renewal after which another replica takes over',
      )
        .argParser(durationArgument)
        .default(15_000, '15s'),
    )
    .addOption(
      new Option('--leader-elect-renew-deadline <duration>', 'time without renewal after which the leader stops')
        .argParser(durationArgument)
        .default(10_000, '10s'),
    )
    .addOption(
      new Option('--leader-elect-retry-period <duration>', 'time between two attempts to acquire or renew the Lease')
        .argParser(durationArgument)
        .default(2_000, '2s'),
    )
    .addOption(
      new Option(
        '--sharding',
        'divide the objects among all replicas; objects move when replicas start, stop or crash',
      ).conflicts('leaderElect'),
    )
    .option(
      '--sharding-namespace <name>',
      'namespace of the Leases of the replicas (default: the namespace of the pod)',
      namespaceArgument,
    )
    .option('--sharding-id <name>', 'name of the Lease that the replicas share')
    .addOption(
      new Option(
        '--sharding-lease-duration <duration>',
        'time without renewal after which the objects of a replica move',
      )
        .argParser(durationArgument)
        .default(3_000, '3s'),
    )
    .option('--metrics-bind-address <address>', 'address of /metrics, e.g. :8080; 0 disables it', addressArgument, '0')
    .option(
      '--metrics-auth',
      'serve /metrics over HTTPS, only to clients whose bearer token has permission to get /metrics',
    )
    .option('--metrics-cert-dir <folder>', 'serve /metrics over HTTPS with tls.crt and tls.key of this folder')
    .option(
      '--health-probe-bind-address <address>',
      'address of /healthz and /readyz; 0 disables them',
      addressArgument,
      '0',
    )
    .option(
      '--debug-bind-address <address>',
      'loopback address of /debug: heap snapshot, CPU profile, caches, queues and informers, e.g. 127.0.0.1:6060; 0 disables it',
      loopbackArgument,
      '0',
    )
    .option(
      '--source-bind-address <address>',
      'address of the endpoints of @Source({ path }), e.g. 127.0.0.1:8090; 0 disables them',
      addressArgument,
      '0',
    )
    .option('--source-cert-dir <folder>', 'serve these endpoints over HTTPS with tls.crt and tls.key of this folder')
    .option(
      '--tracing',
      'record reconciles and their requests as spans of OpenTelemetry, with the SDK that is registered',
    )
    .addOption(
      new Option(
        '--webhook-port <port>',
        'port of the webhooks, with --webhook-authority, --webhook-cert-dir or --webhook-address',
      )
        .argParser(portArgument)
        .default(9443),
    )
    .option(
      '--webhook-authority <operator>',
      'serve the webhooks with certificates of the authority in the Secret <operator>-webhook-ca, which it creates, renews and sets as caBundle; needs the manifests of --certificates self',
    )
    .option(
      '--webhook-object <name>',
      'with --webhook-authority: the name of an object that kustomize has renamed; may be given more than once',
      webhookObjectArgument,
    )
    .addOption(
      new Option(
        '--webhook-cert-dir <folder>',
        'serve the webhooks of @Mutate and @Validate with tls.crt and tls.key of this folder',
      ).conflicts('webhookAuthority'),
    )
    .addOption(
      new Option(
        '--webhook-client-ca <file>',
        'accept only clients of the webhooks with a certificate of an authority in this PEM file (default: all clients)',
      )
        .argParser(pathArgument)
        .conflicts('registerWebhooks'),
    )
    .addOption(
      new Option(
        '--register-webhooks',
        'register the webhooks with the API server while the operators run, at an address that it reaches',
      ).conflicts(['webhookCertDir', 'webhookAuthority']),
    )
    .addOption(
      new Option(
        '--webhook-address <host:port>',
        'with --register-webhooks: end of a tunnel to --webhook-port of this machine (default: chosen automatically)',
      )
        .argParser(tunnelArgument)
        .conflicts('embedded'),
    )
    .option('--cache-report', 'print the objects and sizes of the caches once they have synced, and again on SIGUSR1')
    .option('--no-preflight', 'do not check for missing permissions at startup')
    .option(
      '--record-rbac <file>',
      'record the permissions that the operators use in this file, for generate-manifests --check-rbac',
      pathArgument,
    )
    .addOption(
      new Option(
        '--watch-audit-interval <duration>',
        'compare the caches with the API server at this interval, to find missed watch events; 0 disables it',
      )
        .argParser(intervalArgument)
        .default(1_800_000, '30m'),
    )
    .addOption(
      new Option(
        '--event-loop-timeout <duration>',
        'log where the event loop is blocked after a quarter of this time, and end the process with code 70 after it; takes 9 MB of memory, 0 disables it (default: 4 times the lease duration, with NODE_ENV=production 0)',
      ).argParser(intervalArgument),
    )
    .addOption(
      new Option('--graceful-shutdown-timeout <duration>', 'time for running reconciles to finish')
        .argParser(durationArgument)
        .default(30_000, '30s'),
    );
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
