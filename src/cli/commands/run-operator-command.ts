import { Command, Option } from 'commander';
import { DEFAULT_PATTERN } from '../find-files.js';
import type { RunOperatorOptions } from '../run-operator.js';
import {
  addressArgument,
  durationArgument,
  namespaceArgument,
  namespacesArgument,
  pathArgument,
  serverArgument,
} from './arguments.js';
import { withLogOptions } from './log-options.js';
import { withPodOptions } from './pod-options.js';

const EMBEDDED_ONLY = [
  ['dataDir', '--data-dir'],
  ['podDelay', '--pod-delay'],
  ['failPods', '--fail-pods'],
  ['missingImages', '--missing-images'],
] as const;

export function runOperatorCommand(): Command {
  return withLogOptions(withRuntimeOptions(withEmbeddedOptions(withClusterOptions(new Command('run-operator')))))
    .description('Runs operators against the cluster of a kubeconfig or, in a pod, the one it is in.')
    .argument('[files...]', `files, folders or globs (default: ${DEFAULT_PATTERN})`)
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: RunOperatorOptions, command: Command) => {
      if (clash(options)) command.error('error: metrics and health probes cannot share an address');
      const stray = EMBEDDED_ONLY.find(([name]) => options[name] !== undefined && !options.embedded);
      if (stray) command.error(`error: ${stray[1]} is for --embedded`);
      const { runOperator } = await import('../run-operator.js');
      await runOperator(files, options);
    });
}

function withClusterOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config, then in-cluster)')
    .option('--context <name>', 'context of the kubeconfig (default: its current one)')
    .option('--master <url>', "address of the API server, instead of the kubeconfig's", serverArgument)
    .option(
      '-n, --namespace <name>',
      'namespace to watch; may be given more than once (default: all)',
      namespacesArgument,
    )
    .option('--install', 'apply the CRDs first and wait until they are served');
}

function withEmbeddedOptions(command: Command): Command {
  const embedded = command
    .addOption(
      new Option('--embedded', 'run on an API server in this process: no cluster is needed, the CRDs are installed')
        .conflicts(['kubeconfig', 'context', 'master'])
        .implies({ install: true }),
    )
    .option(
      '--data-dir <folder>',
      'with --embedded: keep state here across restarts (default: in memory only)',
      pathArgument,
    );
  return withPodOptions(embedded, 'with --embedded: ');
}

function withRuntimeOptions(command: Command): Command {
  return command
    .option('--leader-elect', 'do the work only while holding a Lease, so that replicas can stand by')
    .option(
      '--leader-election-namespace <name>',
      'namespace of the Lease (default: the one it runs in)',
      namespaceArgument,
    )
    .option('--leader-election-id <name>', 'name of the Lease')
    .option('--metrics-bind-address <address>', 'serve /metrics here, e.g. :8080; 0 for not', addressArgument, '0')
    .option('--metrics-auth', 'serve /metrics only to those whose bearer token the API server lets get it')
    .option('--metrics-cert-dir <folder>', 'serve /metrics by HTTPS, with tls.crt and tls.key of this folder')
    .option('--health-probe-bind-address <address>', 'serve /healthz and /readyz here; 0 for not', addressArgument, '0')
    .option('--no-preflight', 'do not ask at the start which rights are missing')
    .option(
      '--record-rbac <file>',
      'add to this file which rights the operators use, for generate-manifests --check-rbac',
      pathArgument,
    )
    .addOption(
      new Option('--graceful-shutdown-timeout <duration>', 'time for running reconciles to finish')
        .argParser(durationArgument)
        .default(30_000, '30s'),
    );
}

function clash({ metricsBindAddress, healthProbeBindAddress }: RunOperatorOptions): boolean {
  return metricsBindAddress === healthProbeBindAddress && !/^0$|:0$/.test(metricsBindAddress);
}

const EXAMPLES = `
Examples:
  run-operator
  run-operator operators/podset.ts --install
  run-operator operators/podset.ts --embedded
  run-operator operators/podset.ts operators/helloapp.ts --namespace team-a --namespace team-b
  run-operator --leader-elect --metrics-bind-address :8080 --health-probe-bind-address :8081

Signals:
  SIGINT or SIGTERM lets running reconciles finish; a second one ends the process at once.`;
