import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { silentLogger, type Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import { ApiServer } from './server/api-server.js';
import type { AuditEvent } from './server/audit-event.js';
import type { ServerFaults } from './server/server-faults.js';
import { bootstrapCluster } from './bootstrap.js';
import { ControllerManager, type ClusterBehavior, assertBehavior } from './controllers/controller-manager.js';
import { ClusterClient } from './controllers/cluster-client.js';
import { PodPlans } from './controllers/nodes/pod-plan.js';
import { ServiceAddressController } from './controllers/service-address-controller.js';
import type { PodLogSource } from './handlers/subresource/pods/pod-log.js';
import { writeKubeconfig, type KubeconfigFile, kubeconfigYaml } from './kubeconfig-file.js';
import type { UserInfo } from './objects/user-info.js';
import { Compactor } from './storage/compactor.js';
import { EventExpiry } from './storage/event-expiry.js';
import { ObjectStore } from './storage/object-store.js';
import { SqliteJournal } from './storage/sqlite-journal.js';
import { createServingIdentity, type ServingIdentity } from '../pki/certificate.js';
import { Listener } from './transport/connection/listener.js';

export interface EmbeddedApiServerOptions extends ClusterBehavior {
  /** Default: a free port. */
  readonly port?: number;
  /** Folder of the state and of the key of service account tokens, kept across restarts; default: in memory only. */
  readonly dataDir?: string;
  /** Path of the kubeconfig; default: a temporary folder that is removed with the server. */
  readonly kubeconfig?: string;
  /** The serving certificate and its authority; default: generated for this server. */
  readonly serving?: ServingIdentity;
  /** Authority of client certificates, in PEM: the common name is the user, organizations are the groups. */
  readonly clientCaPem?: string;
  /** Users by bearer token, beside the administrator. */
  readonly staticTokens?: ReadonlyMap<string, UserInfo>;
  /** Allows every request; default: RBAC decides. */
  readonly allowsAll?: boolean;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /**
   * Number of events of each resource kept for watches to resume from, up to 64 million characters of JSON. Events are
   * discarded after 5 to 10 minutes.
   */
  readonly historyLimit?: number;
  /** Called with each answered request; watches are answered when they end. */
  readonly audit?: (event: AuditEvent) => void;
}

/** A Kubernetes 1.36 API server in this process, with controllers, a scheduler and simulated nodes. */
export class EmbeddedApiServer {
  private constructor(
    readonly url: string,
    /** Bearer token of the administrator. */
    readonly token: string,
    readonly caPem: string,
    /** Path of a kubeconfig for the administrator, mode 0600. */
    readonly kubeconfig: string,
    /** Disturbs requests, for tests of programs. */
    readonly faults: ServerFaults,
    private readonly store: ObjectStore,
    private readonly shutDown: () => Promise<void>,
  ) {}

  /** Starts on 127.0.0.1; ready when this resolves. */
  static async start(options: EmbeddedApiServerOptions = {}): Promise<EmbeddedApiServer> {
    const { clock = new SystemClock(), logger = silentLogger, port = 0 } = options;
    assertPort(port);
    assertBehavior(options);
    const token = randomBytes(32).toString('base64url');
    // Clients validate certificates by the system time, not by `clock`.
    const identity = options.serving ?? createServingIdentity(new SystemClock().now());
    const { store, journal } = openStore(options);
    const { audit, staticTokens, allowsAll } = options;
    const plans = podPlans(options);
    const api = new ApiServer({
      store,
      clock,
      token,
      logger,
      identity,
      audit,
      staticTokens,
      allowsAll,
      podLogs: podLogs(options, plans),
      runsControllers: options.withoutControllers !== true,
      disableAdmissionPlugins: disabledPlugins(options),
      tokenKeyFile: tokenKeyFile(options),
    });
    bootstrap(api, journal);
    const listener = new Listener(
      identity,
      [options.clientCaPem, identity.caKey && identity.caPem].filter((pem) => pem !== undefined),
      (message, response) => void api.handle(message, response),
    );
    let url: string;
    let file: KubeconfigFile;
    try {
      url = `https://127.0.0.1:${await listener.listen(port)}`;
      file = writeKubeconfig(options.kubeconfig, kubeconfigYaml(url, identity.caPem, token));
    } catch (error) {
      await listener.close();
      journal?.close();
      throw error;
    }
    const controllers = new ControllerManager(api, clock, logger, options, identity, plans);
    const upkeep = [
      new Compactor(store, clock),
      new EventExpiry(store, clock, logger),
      new ServiceAddressController(new ClusterClient(api, clock, logger, 'kube-apiserver')),
    ];
    const shutDown = async (): Promise<void> => {
      controllers.stop();
      for (const task of upkeep) task.stop();
      api.stop();
      await listener.close();
      journal?.close();
      file.remove();
    };
    await startOr(shutDown, controllers);
    return new EmbeddedApiServer(url, token, identity.caPem, file.path, api.faults, store, shutDown);
  }

  /** Discards the history: watches from older resourceVersions get 410 Gone. */
  compact(): void {
    this.store.compact();
  }

  /** Ends watches and connections, and removes a temporary kubeconfig. */
  stop(): Promise<void> {
    return this.shutDown();
  }
}

async function startOr(shutDown: () => Promise<void>, controllers: ControllerManager): Promise<void> {
  try {
    controllers.start();
  } catch (error) {
    await shutDown();
    throw error;
  }
}

function podPlans({ planPod, podStartDelayMs = 0 }: EmbeddedApiServerOptions): PodPlans {
  return new PodPlans(planPod, podStartDelayMs);
}

/** Returns the logs of planned pods; only simulated kubelets have logs. */
function podLogs(
  { withoutControllers, withoutKubelets }: EmbeddedApiServerOptions,
  plans: PodPlans,
): PodLogSource | undefined {
  if (withoutControllers === true || withoutKubelets === true) return undefined;
  return (pod) => plans.of(pod).log ?? [];
}

function tokenKeyFile({ dataDir }: EmbeddedApiServerOptions): string | undefined {
  return dataDir === undefined ? undefined : join(dataDir, 'service-account.key');
}

/** Disables the ServiceAccount plugin when no controllers run, since nothing creates service accounts. */
function disabledPlugins({ disableAdmissionPlugins = [], withoutControllers }: EmbeddedApiServerOptions): string[] {
  return [...disableAdmissionPlugins, ...(withoutControllers === true ? ['ServiceAccount'] : [])];
}

function assertPort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return;
  throw new OperatorError(`port ${port} is out of range`, {
    code: 'E_PORT',
    hint: 'use an integer from 0 to 65535; 0 selects a free port',
  });
}

function openStore({ dataDir, historyLimit }: EmbeddedApiServerOptions): {
  store: ObjectStore;
  journal: SqliteJournal | undefined;
} {
  const journal = dataDir === undefined ? undefined : new SqliteJournal(dataDir);
  const store = new ObjectStore({
    ...(historyLimit !== undefined && { history: { events: historyLimit } }),
    ...(journal && { journal: (collection, event) => journal.write(collection, event) }),
  });
  try {
    journal?.restore(store);
  } catch (error) {
    journal?.close();
    throw error;
  }
  return { store, journal };
}

/** Stores the default objects in one transaction, which is much faster than one each. */
function bootstrap(api: ApiServer, journal: SqliteJournal | undefined): void {
  if (!journal) {
    bootstrapCluster(api);
    return;
  }
  try {
    journal.writeAtStart(() => bootstrapCluster(api));
  } catch (error) {
    journal.close();
    throw error;
  }
}
