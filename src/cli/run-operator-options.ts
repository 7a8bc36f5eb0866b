import type { ControllerOverrides } from '../manager/controller-overrides.js';
import type { EmbeddedServerOptions } from './embedded-server.js';
import type { LogOptions } from './with-logger.js';

/** Command-line options of run-operator. */
export interface RunOperatorOptions
  extends LogOptions, Pick<EmbeddedServerOptions, 'dataDir' | 'podDelay' | 'failPods' | 'missingImages'> {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly master?: string;
  /** Run on an API server in this process. */
  readonly embedded?: boolean;
  /** Namespaces to watch; none means all. */
  readonly namespace?: readonly string[];
  readonly install?: boolean;
  readonly leaderElect?: boolean;
  readonly leaderElectionNamespace?: string;
  readonly leaderElectionId?: string;
  /** In milliseconds. */
  readonly leaderElectLeaseDuration: number;
  /** In milliseconds. */
  readonly leaderElectRenewDeadline: number;
  /** In milliseconds. */
  readonly leaderElectRetryPeriod: number;
  readonly sharding?: boolean;
  readonly shardingNamespace?: string;
  readonly shardingId?: string;
  /** In milliseconds. */
  readonly shardingLeaseDuration: number;
  /** Options of controllers that replace those of `@Controller`. */
  readonly controller?: ControllerOverrides;
  readonly metricsBindAddress: string;
  readonly metricsAuth?: boolean;
  readonly metricsCertDir?: string;
  readonly healthProbeBindAddress: string;
  readonly debugBindAddress: string;
  readonly sourceBindAddress: string;
  readonly sourceCertDir?: string;
  /** Record reconciles and their requests as spans of OpenTelemetry. */
  readonly tracing?: boolean;
  readonly webhookPort: number;
  readonly webhookCertDir?: string;
  /** PEM file with the authorities of clients that may call the webhooks. */
  readonly webhookClientCa?: string;
  /** Issue the certificate of the webhooks from the authority of the operator with this name. */
  readonly webhookAuthority?: string;
  readonly webhookObject?: readonly string[];
  /** Host and port of a tunnel through which the API server reaches the webhooks. */
  readonly webhookAddress?: string;
  /** Register the webhooks with the API server while the operators run. */
  readonly registerWebhooks?: boolean;
  /** If false, permissions are not checked at the start. */
  readonly preflight?: boolean;
  /** File to add to which accesses were asked for. */
  readonly recordRbac?: string;
  /** Print the objects and sizes of the caches when they have synced, and on SIGUSR1. */
  readonly cacheReport?: boolean;
  /** In milliseconds; 0 disables it. */
  readonly watchAuditInterval: number;
  /** In milliseconds; 0 disables the check, and undefined is the default. */
  readonly eventLoopTimeout?: number;
  /** In milliseconds. */
  readonly gracefulShutdownTimeout: number;
}

/** The description of the options that is logged at the start. */
export interface SettingsReport {
  /** Describes the options that are set, or all of them. */
  readonly describe: (all: boolean) => Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}
