import type { Probe } from '../api/probe.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { Metrics } from '../base/metrics.js';
import type { InformerFactory } from '../cache/informer-factory.js';
import type { AccessListener } from '../client/access/access.js';
import type { Client } from '../client/client.js';

/** How the process that does the work is chosen among replicas. */
export interface LeaderElectionOptions {
  /** Default: the names of the controllers, joined, and `-leader`. */
  readonly leaseName?: string | undefined;
  /** Default: the namespace of the client's config, which in a pod is the pod's, else `default`. */
  readonly namespace?: string | undefined;
  /** How long others wait after the leader's last sign of life; default 15,000. */
  readonly leaseDurationMs?: number | undefined;
  /** How long the leader works on without having renewed its lease; default 10,000. */
  readonly renewDeadlineMs?: number | undefined;
  /** Default 2,000. */
  readonly retryPeriodMs?: number | undefined;
}

export interface ManagerOptions {
  readonly client: Client;
  /** Default: silent. */
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  /**
   * Report mistakes that are otherwise silent, at the price of a copy per reconcile: a change to `this.spec`,
   * `this.metadata` or an undeclared status field is an error, and cached objects are frozen, so that a predicate or
   * mapper that changes them fails. Default: true unless NODE_ENV is `production`.
   */
  readonly strict?: boolean | undefined;
  /** Caches to share with the rest of the program; the manager starts and stops them. Default: its own. */
  readonly informers?: InformerFactory | undefined;
  /** Namespaces to watch; default: all. Informers that are given watch what they were made for. */
  readonly namespaces?: readonly string[] | undefined;
  /** Work only while holding a lease; default: no. */
  readonly leaderElection?: LeaderElectionOptions | boolean | undefined;
  /** Where to serve `/metrics`, such as `:8080`; default `0`: nowhere. */
  readonly metricsBindAddress?: string | undefined;
  /**
   * Serve the metrics only to whoever the API server lets get `/metrics`, by a bearer token; default: to everyone.
   *
   * Needs the rights to create TokenReviews and SubjectAccessReviews.
   */
  readonly metricsAuth?: boolean | undefined;
  /** A folder with `tls.crt` and `tls.key`, read anew when they change: serve the metrics by HTTPS. */
  readonly metricsCertDir?: string | undefined;
  /** Where to serve `/healthz` and `/readyz`; default `0`: nowhere. */
  readonly healthProbeBindAddress?: string | undefined;
  /** How long running reconciles may go on after a stop; default 30,000. */
  readonly gracefulShutdownTimeoutMs?: number | undefined;
  /** The holder identity of the lease; default: host name and a random id. */
  readonly identity?: string | undefined;
  /** Collects the metrics, for example together with the client's; default: own ones, if they are served. */
  readonly metrics?: Metrics | undefined;
  /**
   * Find objects whose reconciles trigger each other without end, log each once with the field that changes, and delay
   * their reconciles by up to 16 s until the loop ends; default true.
   */
  readonly detectHotLoops?: boolean | undefined;
  /** Observes each reconcile with its causes, reads and writes; `joinProbes` combines several. */
  readonly probe?: Probe | undefined;
  /** Whether to ask at the start which rights are missing, and log them; default true. */
  readonly preflight?: boolean | undefined;
  /** Told of what the manager asks for with a client of its own: its lease. */
  readonly onAccess?: AccessListener | undefined;
}
