import type { KindRef } from '../api/kinds/kind-ref.js';
import type { ReconcileObserver } from '../api/reconcile/reconcile-observer.js';
import type { Clock } from '../base/clock.js';
import type { Duration } from '../base/duration.js';
import type { Logger } from '../base/logger.js';
import type { LogThreshold } from '../base/log-threshold.js';
import type { Metrics } from '../base/metrics.js';
import type { InformerFactory } from '../cache/informer-factory.js';
import type { AccessListener } from '../client/access/access.js';
import type { Client } from '../client/client.js';
import type { CacheUsage } from './informers/cache-usage.js';
import type { ControllerOverrides } from './controller-overrides.js';
import type { InspectedManager } from './debug/debug-state.js';

/** Options of the election of the active process among replicas. */
export interface LeaderElectionOptions {
  /** Default: the names of the controllers, joined, and `-leader`. */
  readonly leaseName?: string | undefined;
  /** Default: the namespace of the client's config, which in a pod is the pod's, otherwise `default`. */
  readonly namespace?: string | undefined;
  /** The time after the last renewal after which other replicas take over. Default 15 s. */
  readonly leaseDuration?: Duration | undefined;
  /** The time for which the leader continues without renewing its lease. Default 10 s. */
  readonly renewDeadline?: Duration | undefined;
  /** Default 2 s. */
  readonly retryPeriod?: Duration | undefined;
}

/** Options of replicas that share the objects. */
export interface ShardingOptions {
  /**
   * The name of the Lease that the replicas share, at most 63 characters. Default: the names of the controllers, joined,
   * and `-shards`.
   */
  readonly name?: string | undefined;
  /** Default: the namespace of the client's config, which in a pod is the pod's, otherwise `default`. */
  readonly namespace?: string | undefined;
  /**
   * The time after the last renewal after which other replicas take over the objects of a replica, 1 s to 10 min; it
   * stops its own work after two thirds of it. The Lease is renewed five times in this time. Default 3 s.
   */
  readonly leaseDuration?: Duration | undefined;
}

/** The authority of the certificates that the replicas of an operator issue for their webhooks. */
export interface WebhookAuthority {
  /** Reads and updates the Secret `<operator>-webhook-ca`, and sets `caBundle` where API servers read it. */
  readonly client: Client;
  /** The name of the operator in its generated manifests. */
  readonly operator: string;
  /** The names of the Secret, Service and configurations, if a prefix or suffix of kustomize has changed them. */
  readonly objectNames?: readonly string[] | undefined;
  /** The namespace of the operator. Default: that of the client's config, which in a pod is the pod's. */
  readonly namespace?: string | undefined;
}

/** How a manager serves the admission webhooks of its classes. */
export interface WebhookServing {
  /** The address to serve at. Default `:9443`, or a free port of 127.0.0.1 with `register`. */
  readonly bindAddress?: string | undefined;
  /** A folder with `tls.crt` and `tls.key`; read again when they change. */
  readonly certDir?: string | undefined;
  /**
   * A PEM file with authorities, read at the start: only clients with a certificate of one of them may call the webhooks. API
   * servers send one if their `--admission-control-config-file` configures it, but none to convert objects. Not with `register`.
   */
  readonly clientCaFile?: string | undefined;
  /**
   * Issues certificates in this process, from an authority that all replicas share and renew. The Secret and the
   * permissions are in manifests generated with `certificates: 'self'`. One of `authority`, `certDir` and `register` is
   * required.
   */
  readonly authority?: WebhookAuthority | undefined;
  /**
   * Registers the webhooks with the API server of this client until the manager stops, with a certificate of this
   * process. Needs permission to create, patch and delete webhook configurations; with permission to list them and
   * CustomResourceDefinitions, it removes what killed processes left.
   */
  readonly register?: Client | undefined;
  /**
   * With `register`: host and port at which the API server reaches this process by a tunnel, or `auto` to find an address
   * by calls of the API server. Default: a port of 127.0.0.1, for an API server on the same machine.
   */
  readonly address?: string | undefined;
  /** The time to serve on after a stop, while API servers connect to other replicas. Default 10 s; 0 with `register`. */
  readonly drainTime?: Duration | undefined;
  /**
   * Call each `@Mutate` method again with its own result, and fail the request if the method changes it: a method that is
   * not idempotent. For the clusters of `kindwright/testing`. Default false.
   *
   * @internal
   */
  readonly repeatMutations?: boolean | undefined;
  /**
   * With `register`: fail once the API server calls the webhooks. `down` refuses connections; `slow` does not respond to
   * reviews until the API server gives up. For the clusters of `kindwright/testing`. Default: none.
   *
   * @internal
   */
  readonly outage?: 'down' | 'slow' | undefined;
  /** Called when the webhooks are served and, with `register`, called by the API server. */
  readonly onServing?: (() => void) | undefined;
}

/** Options of a manager; those of `run-operator` have the same names and defaults. */
export interface ManagerOptions {
  readonly client: Client;
  /** Default: silent. */
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  /**
   * Report mistakes that are otherwise silent; costs a copy of the object per reconcile: a change to `this.spec`,
   * `this.metadata` or an undeclared status field, or by a `@Validate` method, is an error, and cached objects are frozen, so that a predicate or
   * mapper that changes them fails. Default: true unless NODE_ENV is `production`.
   */
  readonly strict?: boolean | undefined;
  /** Caches to share with the rest of the program; the manager starts and stops them. Default: its own. */
  readonly informers?: InformerFactory | undefined;
  /** Namespaces to watch. Default: all. Not used for `informers`, which have their own scope. */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Watch the namespaces with these labels, such as `team=a`, in place of those of `namespaces`. They join and leave while the
   * manager runs. Objects of a namespace that leaves are not reconciled any more, and keep their finalizers.
   */
  readonly namespaceSelector?: string | undefined;
  /** Watch the namespaces with such names, where `*` stands for any characters; with `namespaceSelector`, those that match both. */
  readonly namespacePatterns?: readonly string[] | undefined;
  /**
   * Options that replace those of `@Controller`, by the name of the controller. They also apply to classes that are added
   * while the manager runs; a warning at the start lists the names that no controller has yet.
   */
  readonly controllers?: ControllerOverrides | undefined;
  /**
   * Parts of kinds, without `fields`, that classes cache where they name the kind alone: `[partOf(Pod, { labelSelector: 'app' })]`.
   * Reads of the kind in these classes find the objects of the part. Default: all objects, as the API server sends them.
   */
  readonly caches?: readonly KindRef[] | undefined;
  /** Work only while holding a lease; default: no. */
  readonly leaderElection?: LeaderElectionOptions | boolean | undefined;
  /**
   * All replicas work, each on its part of the objects, which move when replicas start, stop or crash. Excludes
   * `leaderElection`. Default: no.
   */
  readonly sharding?: ShardingOptions | boolean | undefined;
  /** The address of `/metrics`, such as `:8080`. Default `0`: not served. */
  readonly metricsBindAddress?: string | undefined;
  /**
   * Require the bearer token of a user with permission to get `/metrics`. Default false.
   *
   * The metrics are served over HTTPS, without `metricsCertDir` with a self-signed certificate. Needs permission to create TokenReviews and SubjectAccessReviews.
   */
  readonly metricsAuth?: boolean | undefined;
  /**
   * A folder with `tls.crt` and `tls.key` to serve the metrics over HTTPS; read again when they change. Default: HTTPS
   * with a self-signed certificate if `metricsAuth` is set, otherwise HTTP.
   */
  readonly metricsCertDir?: string | undefined;
  /** The address of `/healthz` and `/readyz`. Default `0`: not served. */
  readonly healthProbeBindAddress?: string | undefined;
  /**
   * The address of `/debug`, such as `127.0.0.1:6060`: heap snapshots, CPU profiles, caches, queues, informers and the log level. Only
   * loopback addresses are accepted, because heap snapshots contain Secrets. Default `0`: not served.
   */
  readonly debugBindAddress?: string | undefined;
  /** The threshold of `logger`, which `/debug/log-level` reads and changes. Default: the level cannot be changed there. */
  readonly logThreshold?: LogThreshold | undefined;
  /** The address of the endpoints of `@Source({ path })`, such as `127.0.0.1:8090`. Default `0`: not served, with a warning. */
  readonly sourceBindAddress?: string | undefined;
  /** A folder with `tls.crt` and `tls.key` to serve them over HTTPS; read again when they change. Default: HTTP. */
  readonly sourceCertDir?: string | undefined;
  /** Serves the `@Mutate` and `@Validate` methods. Default: they are not served, and a warning is logged. */
  readonly webhooks?: WebhookServing | undefined;
  /** The time for running reconciles to finish after a stop. Default 30 s. */
  readonly gracefulShutdownTimeout?: Duration | undefined;
  /** The holder identity of the lease; default: host name and a random id. */
  readonly identity?: string | undefined;
  /** Collects the metrics, for example together with those of the client. Default: a new one if metrics are served or exported. */
  readonly metrics?: Metrics | undefined;
  /**
   * Find objects whose reconciles trigger each other without end, log each once with the field that changes, and delay
   * their reconciles by up to 16 s, with two writers 64 s, until the loop ends; default true.
   */
  readonly detectHotLoops?: boolean | undefined;
  /**
   * Called at the start with the controllers and caches, for tools that show them.
   *
   * @internal
   */
  readonly onInspectable?: ((inspected: InspectedManager) => void) | undefined;
  /** Observes each reconcile with its causes, reads and writes; `joinObservers` combines several. */
  readonly observer?: ReconcileObserver | undefined;
  /**
   * Record each reconcile and its requests as spans of OpenTelemetry, with the SDK that the program has registered. Needs the
   * package `@opentelemetry/api`. Default false.
   */
  readonly tracing?: boolean | undefined;
  /**
   * Export the metrics, of the operators and of the process too, to the MeterProvider of OpenTelemetry that the program has
   * registered, with or without `metricsBindAddress`. Needs the package `@opentelemetry/api`. Default false.
   */
  readonly otelMetrics?: boolean | undefined;
  /** Check permissions at the start and log the missing ones. Default true. */
  readonly preflight?: boolean | undefined;
  /**
   * How often each cache is compared with the server, by a list of metadata. If a watch has missed an event, it is
   * logged, counted and corrected. Default 30 minutes; 0: never.
   */
  readonly watchAuditInterval?: Duration | undefined;
  /**
   * Called once when all caches of the controllers have synced. `measure` returns what they hold at the time of its call,
   * in some 10 ms per cache.
   */
  readonly onCachesSynced?: ((measure: () => readonly CacheUsage[]) => void) | undefined;
  /** Called for requests of the manager's own client, which manages the lease. */
  readonly onAccess?: AccessListener | undefined;
}
