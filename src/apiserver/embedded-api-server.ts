import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { silentLogger, type Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import { ApiServer } from './server/api-server.js';
import type { AuditEvent } from './server/audit-event.js';
import { bootstrapCluster } from './bootstrap.js';
import { ControllerManager, type ClusterBehaviour, checkBehaviour } from './controllers/controller-manager.js';
import { ClusterClient } from './controllers/cluster-client.js';
import { ServiceAddressController } from './controllers/service-address-controller.js';
import { writeKubeconfig, type KubeconfigFile, kubeconfigYaml } from './kubeconfig-file.js';
import type { UserInfo } from './objects/user-info.js';
import { Compactor } from './storage/compactor.js';
import { EventExpiry } from './storage/event-expiry.js';
import { ObjectStore } from './storage/object-store.js';
import { SqliteJournal } from './storage/sqlite-journal.js';
import { createServingIdentity, type ServingIdentity } from '../pki/certificate.js';
import { Listener } from './transport/connection/listener.js';

export interface EmbeddedApiServerOptions extends ClusterBehaviour {
  /** Default: one the system chooses. */
  readonly port?: number;
  /** Keeps state here across restarts, and the key of service accounts' tokens; default: in memory only. */
  readonly dataDir?: string;
  /** Where the kubeconfig is written; default: a folder of its own that goes with the server. */
  readonly kubeconfig?: string;
  /** What the server shows its clients, and what they check it by; default: made for this server alone. */
  readonly serving?: ServingIdentity;
  /** Authority, in PEM, whose client certificates are taken: the common name is the user, organisations are groups. */
  readonly clientCaPem?: string;
  /** Users by the tokens they show, beside the administrator. */
  readonly staticTokens?: ReadonlyMap<string, UserInfo>;
  /** Whether everybody may do everything; default: what RBAC says. */
  readonly allowsAll?: boolean;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /**
   * How many events of each resource are kept for watches to resume from, as long as their objects are no more than 64
   * million characters of JSON; after 5 to 10 minutes they are forgotten.
   */
  readonly historyLimit?: number;
  /** Told of each request once it is answered; a watch is when it ends. */
  readonly audit?: (event: AuditEvent) => void;
}

/** A Kubernetes 1.36 API server in this process, with the controllers that make a cluster of it. */
export class EmbeddedApiServer {
  private constructor(
    readonly url: string,
    /** Bearer token of the administrator. */
    readonly token: string,
    readonly caPem: string,
    /** Path of a kubeconfig for the administrator, mode 0600. */
    readonly kubeconfig: string,
    private readonly store: ObjectStore,
    private readonly shutDown: () => Promise<void>,
  ) {}

  /** Starts on 127.0.0.1; ready when this resolves. */
  static async start(options: EmbeddedApiServerOptions = {}): Promise<EmbeddedApiServer> {
    const { clock = new SystemClock(), logger = silentLogger, port = 0 } = options;
    checkPort(port);
    checkBehaviour(options);
    const token = randomBytes(32).toString('base64url');
    // By the machine's time, as clients look at it, whatever the clock says.
    const identity = options.serving ?? createServingIdentity(new SystemClock().now());
    const { store, journal } = openStore(options);
    const { audit, staticTokens, allowsAll } = options;
    const api = new ApiServer({
      store,
      clock,
      token,
      logger,
      identity,
      audit,
      staticTokens,
      allowsAll,
      disableAdmissionPlugins: disabledPlugins(options),
      tokenKeyFile: options.dataDir === undefined ? undefined : join(options.dataDir, 'service-account.key'),
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
    const controllers = new ControllerManager(api, clock, logger, options, identity);
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
    return new EmbeddedApiServer(url, token, identity.caPem, file.path, store, shutDown);
  }

  /** Forgets all history, so that watches from older resourceVersions get 410 and have to list again. */
  compact(): void {
    this.store.compact();
  }

  /** Ends watches and connections, and removes the kubeconfig it made. */
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

/** Without controllers nobody makes the service accounts that admission would ask for. */
function disabledPlugins({ disableAdmissionPlugins = [], withoutControllers }: EmbeddedApiServerOptions): string[] {
  return [...disableAdmissionPlugins, ...(withoutControllers === true ? ['ServiceAccount'] : [])];
}

function checkPort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return;
  throw new OperatorError(`port ${port} is not a port`, {
    code: 'E_PORT',
    hint: 'use 0 to 65535; 0 lets the system choose',
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

/** Writes what every cluster has at once: one by one takes longer than all else of a first start. */
function bootstrap(api: ApiServer, journal: SqliteJournal | undefined): void {
  if (!journal) {
    bootstrapCluster(api);
    return;
  }
  try {
    journal.together(() => bootstrapCluster(api));
  } catch (error) {
    journal.close();
    throw error;
  }
}
