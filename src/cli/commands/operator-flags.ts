import type { Command } from 'commander';
import {
  addressArgument,
  consoleArgument,
  durationArgument,
  featureGatesArgument,
  intervalArgument,
  listArgument,
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
import { withFlags, type Flag, type Flags, type ManagedBy, type ValuesOf } from './flag.js';

const CLUSTER_FLAGS = {
  kubeconfig: {
    argument: '<file>',
    help: 'kubeconfig file',
    defaultText: '$KUBECONFIG, then ~/.kube/config, then in-cluster',
  },
  context: { argument: '<name>', help: 'context of the kubeconfig', defaultText: 'the current context' },
  master: {
    argument: '<url>',
    help: 'address of the API server; overrides that of the kubeconfig',
    parse: serverArgument,
  },
  namespace: {
    short: '-n',
    argument: '<name>',
    help: 'namespace to watch; may be given more than once',
    defaultText: 'all',
    parse: namespacesArgument,
    manager: 'namespaces',
    conflicts: ['namespaceSelector', 'namespacePattern'],
  },
  namespaceSelector: {
    argument: '<labels>',
    help: 'watch the namespaces with these labels, e.g. team=a, which join and leave while the operator runs',
    manager: 'namespaceSelector',
  },
  namespacePattern: {
    argument: '<pattern>',
    help: 'watch the namespaces with such names, e.g. team-*; may be given more than once',
    parse: listArgument,
    manager: 'namespacePatterns',
  },
  install: { help: 'apply the CRDs first and wait until they are served' },
} as const satisfies Flags;

/** Flags of run-operator that a bundle does not have. */
export const EMBEDDED_FLAGS = {
  embedded: {
    help: 'run on an API server in this process, with the CRDs installed; no cluster is needed',
    conflicts: ['kubeconfig', 'context', 'master'],
    implies: { install: true, registerWebhooks: true, console: true },
  },
  console: {
    argument: '[port]',
    help: 'serve a page with the objects, and why each was reconciled, on 127.0.0.1; prints its URL, --console=off disables it',
    defaultText: 'off, with --embedded port 4191 or the next free one',
    parse: consoleArgument,
    conflicts: ['consoleBindAddress'],
  },
  open: {
    help: 'open the page of --console in the browser; only from a terminal, and not in CI',
    conflicts: ['consoleBindAddress'],
  },
  reload: { help: 'use saved files immediately, without a restart and without filling the caches again' },
  dataDir: {
    argument: '<folder>',
    help: 'with --embedded: keep state here across restarts',
    defaultText: 'in memory only',
    parse: pathArgument,
  },
} as const satisfies Flags;

const RECONCILE_FLAGS = {
  config: {
    argument: '<file>',
    help: 'YAML file with options in camel case, e.g. leaderElect: true; flags and KINDWRIGHT_… variables take precedence',
    parse: pathArgument,
  },
  controller: {
    argument: '<name.option=value>',
    help: 'set an option of @Controller, e.g. podset.maxConcurrentReconciles=10; may be given more than once',
    parse: overridesArgument,
    manager: 'controllers',
  },
  featureGates: {
    argument: '<gates>',
    help: 'states of feature gates, e.g. Backups=true,AllBeta=false; may be given more than once',
    defaultText: 'those of package.json, otherwise of their stages',
    parse: featureGatesArgument,
  },
  leaderElect: {
    help: 'reconcile only while holding a Lease; without it or --sharding, each replica reconciles all objects',
  },
  leaderElectionNamespace: {
    argument: '<name>',
    help: 'namespace of the Lease',
    defaultText: 'the namespace of the pod',
    parse: namespaceArgument,
  },
  leaderElectionId: {
    argument: '<name>',
    help: 'name of the Lease; without it, two replicas lead during an update that adds or removes a class',
    defaultText: "from the controllers' names",
  },
  leaderElectLeaseDuration: {
    argument: '<duration>',
    help: 'time without renewal after which another replica takes over',
    parse: durationArgument,
    default: 15_000,
    defaultText: '15s',
  },
  leaderElectRenewDeadline: {
    argument: '<duration>',
    help: 'time without renewal after which the leader stops; less than the lease duration',
    parse: durationArgument,
    default: 10_000,
    defaultText: '10s',
  },
  leaderElectRetryPeriod: {
    argument: '<duration>',
    help: 'time between two attempts to acquire or renew the Lease',
    parse: durationArgument,
    default: 2_000,
    defaultText: '2s',
  },
  sharding: {
    help: 'divide the objects among all replicas; objects move when replicas start, stop or crash',
    conflicts: ['leaderElect'],
  },
  shardingNamespace: {
    argument: '<name>',
    help: 'namespace of the Leases of the replicas',
    defaultText: 'the namespace of the pod',
    parse: namespaceArgument,
  },
  shardingId: {
    argument: '<name>',
    help: 'name of the Lease that the replicas share; without it, an update that adds or removes a class has two groups',
    defaultText: "from the controllers' names",
  },
  shardingLeaseDuration: {
    argument: '<duration>',
    help: 'time without renewal after which the objects of a replica move',
    parse: durationArgument,
    default: 3_000,
    defaultText: '3s',
  },
} as const satisfies Flags;

const SERVING_FLAGS = {
  metricsBindAddress: {
    argument: '<address>',
    help: 'address of /metrics, e.g. :8080; 0 disables it',
    parse: addressArgument,
    default: '0',
    manager: 'metricsBindAddress',
  },
  metricsAuth: {
    help: 'serve /metrics over HTTPS, only to clients whose bearer token has permission to get /metrics',
    manager: 'metricsAuth',
  },
  metricsCertDir: {
    argument: '<folder>',
    help: 'serve /metrics over HTTPS with tls.crt and tls.key of this folder',
    defaultText: 'a self-signed certificate with --metrics-auth, otherwise HTTP',
    manager: 'metricsCertDir',
  },
  healthProbeBindAddress: {
    argument: '<address>',
    help: 'address of /healthz and /readyz; 0 disables them',
    parse: addressArgument,
    default: '0',
    manager: 'healthProbeBindAddress',
  },
  debugBindAddress: {
    argument: '<address>',
    help: 'loopback address of /debug: heap snapshot, CPU profile, caches, queues and informers, e.g. 127.0.0.1:6060; 0 disables it',
    parse: loopbackArgument,
    default: '0',
    manager: 'debugBindAddress',
  },
  consoleBindAddress: {
    argument: '<address>',
    help: 'address of the console for kindwright console, over HTTPS, e.g. 127.0.0.1:8444; users see the objects that they may list, and change nothing; 0 disables it',
    parse: addressArgument,
    default: '0',
  },
  sourceBindAddress: {
    argument: '<address>',
    help: 'address of the endpoints of @Source({ path }), e.g. 127.0.0.1:8090; 0 disables them',
    parse: addressArgument,
    default: '0',
    manager: 'sourceBindAddress',
  },
  sourceCertDir: {
    argument: '<folder>',
    help: 'serve these endpoints over HTTPS with tls.crt and tls.key of this folder',
    manager: 'sourceCertDir',
  },
  tracing: {
    help: 'record reconciles and their requests as spans of OpenTelemetry, with the SDK that is registered',
    manager: 'tracing',
  },
  otelMetrics: {
    help: 'export the metrics to the MeterProvider of OpenTelemetry that is registered, with or without --metrics-bind-address',
    manager: 'otelMetrics',
  },
} as const satisfies Flags;

const WEBHOOK_FLAGS = {
  webhookPort: {
    argument: '<port>',
    help: 'port of the webhooks, with --webhook-authority, --webhook-cert-dir or --webhook-address',
    parse: portArgument,
    default: 9443,
  },
  webhookAuthority: {
    argument: '<operator>',
    help: 'serve the webhooks with certificates of the authority in the Secret <operator>-webhook-ca, which it creates, renews and sets as caBundle; needs the manifests of --certificates self',
  },
  webhookObject: {
    argument: '<name>',
    help: 'with --webhook-authority: the name of an object that kustomize has renamed; may be given more than once',
    parse: webhookObjectArgument,
  },
  webhookCertDir: {
    argument: '<folder>',
    help: 'serve the webhooks of @Mutate and @Validate with tls.crt and tls.key of this folder',
    conflicts: ['webhookAuthority'],
  },
  webhookClientCa: {
    argument: '<file>',
    help: 'accept only clients of the webhooks with a certificate of an authority in this PEM file',
    defaultText: 'all clients',
    parse: pathArgument,
    conflicts: ['registerWebhooks'],
  },
  registerWebhooks: {
    help: 'register the webhooks with the API server while the operators run, at an address that it reaches',
    conflicts: ['webhookCertDir', 'webhookAuthority'],
  },
  webhookAddress: {
    argument: '<host:port>',
    help: 'with --register-webhooks: end of a tunnel to --webhook-port of this machine',
    defaultText: 'chosen automatically',
    parse: tunnelArgument,
    conflicts: ['embedded'],
  },
} as const satisfies Flags;

const PROCESS_FLAGS = {
  cacheReport: {
    help: 'print the objects and sizes of the caches once they have synced, and again on SIGUSR1',
  },
  preflight: { isOn: true, help: 'do not check for missing permissions at startup', manager: 'preflight' },
  deleteObjects: {
    help: 'instead of running: delete all objects of the kinds that have finalizers, wait until operators that run elsewhere have released them, and exit',
    conflicts: ['embedded', 'install', 'leaderElect', 'sharding', 'reload'],
  },
  recordRbac: {
    argument: '<file>',
    help: 'record the permissions that the operators use in this file, for generate-manifests --check-rbac',
    parse: pathArgument,
  },
  watchAuditInterval: {
    argument: '<duration>',
    help: 'compare the caches with the API server at this interval, to find missed watch events; 0 disables it',
    parse: intervalArgument,
    default: 1_800_000,
    defaultText: '30m',
    manager: 'watchAuditInterval',
  },
  eventLoopTimeout: {
    argument: '<duration>',
    help: 'log where the event loop is blocked after a quarter of this time, and end the process with code 70 after it; takes 9 MB of memory, 0 disables it',
    defaultText: '4 times the lease duration, with NODE_ENV=production 0',
    parse: intervalArgument,
  },
  gracefulShutdownTimeout: {
    argument: '<duration>',
    help: 'time for running reconciles to finish',
    parse: durationArgument,
    default: 30_000,
    defaultText: '30s',
    manager: 'gracefulShutdownTimeout',
  },
} as const satisfies Flags;

/** Flags of run-operator that every bundle has. */
const RUNTIME_FLAGS = { ...RECONCILE_FLAGS, ...SERVING_FLAGS, ...WEBHOOK_FLAGS, ...PROCESS_FLAGS } as const;

/**
 * All flags of run-operator except those of the log and of simulated pods. Command line, variables, configuration file, help,
 * docs/cli.md and the options of the manager derive from this table.
 */
const OPERATOR_FLAGS = { ...CLUSTER_FLAGS, ...EMBEDDED_FLAGS, ...RUNTIME_FLAGS } as const;

/** The parsed values of the flags of run-operator. */
export type OperatorFlagValues = ValuesOf<typeof OPERATOR_FLAGS>;

/** Adds the flags that choose the cluster. */
export function withClusterFlags(command: Command): Command {
  return withFlags(command, CLUSTER_FLAGS);
}

/** Adds the flags that control how operators run. */
export function withRuntimeFlags(command: Command): Command {
  return withFlags(command, RUNTIME_FLAGS);
}

/** Returns the options of the manager that are values of flags. */
export function managerFlags(values: OperatorFlagValues): ManagedBy<typeof OPERATOR_FLAGS> {
  const given: Readonly<Record<string, unknown>> = values;
  const flags = Object.entries<Flag>(OPERATOR_FLAGS);
  return Object.fromEntries(flags.flatMap(([name, { manager }]) => (manager ? [[manager, given[name]]] : [])));
}
