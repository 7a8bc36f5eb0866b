import type { Clock } from '../../base/clock.js';
import { silentLogger } from '../../base/logger.js';
import { ControllerManager } from '../../apiserver/controllers/controller-manager.js';
import { PodPlans } from '../../apiserver/controllers/nodes/pod-plan.js';
import type { UserInfo } from '../../apiserver/objects/user-info.js';
import { ApiServer } from '../../apiserver/server/api-server.js';
import { ObjectStore } from '../../apiserver/storage/object-store.js';
import type { StoredObject, StoreEvent } from '../../apiserver/storage/stored-object.js';

/** The bearer token of the administrator in a world; nothing outside of it accepts it. */
export const ADMIN_TOKEN = 'administrator';
export const OPERATOR_TOKEN = 'operator';

export interface ServerParts {
  readonly clock: Clock;
  readonly onCommit: (collection: string, event: StoreEvent) => void;
  readonly nodes: number;
  readonly operator: UserInfo;
}

/** An API server with its store and controllers, without a listener. */
export interface SimulatedServer {
  readonly api: ApiServer;
  readonly store: ObjectStore;
  readonly controllers: ControllerManager;
}

/** The content of a store, of which each run gets a copy. */
export class ClusterImage {
  private constructor(
    private readonly objects: readonly (readonly [string, readonly StoredObject[]])[],
    readonly revision: number,
  ) {}

  static readonly empty = new ClusterImage([], 1);

  static of({ api, store }: SimulatedServer): ClusterImage {
    const names = new Set([...api.resources.distinct()].map(({ storage }) => storage));
    const objects = [...names].map((name) => [name, [...store.collection(name).range('')]] as const);
    return new ClusterImage(objects, store.revision);
  }

  /** Returns a server with the objects of the image in its store. Its controllers are not started. */
  start({ clock, onCommit, nodes, operator }: ServerParts): SimulatedServer {
    const store = new ObjectStore({ journal: onCommit });
    for (const [name, objects] of this.objects)
      for (const { key, object, revision } of objects) store.restore(name, key, object, revision);
    if (this.objects.length > 0) store.resumeAt(this.revision);
    const plans = new PodPlans(undefined, 0);
    const api = new ApiServer({
      store,
      clock,
      token: ADMIN_TOKEN,
      staticTokens: new Map([[OPERATOR_TOKEN, operator]]),
      logger: silentLogger,
      runsControllers: true,
      podLogs: (pod) => plans.of(pod).log ?? [],
    });
    const controllers = new ControllerManager(api, clock, silentLogger, { nodes }, { caPem: AUTHORITY }, plans);
    return { api, store, controllers };
  }
}

/** The certificate authority in the ConfigMaps `kube-root-ca.crt`: nothing is signed by it. */
const AUTHORITY = '-----BEGIN CERTIFICATE-----\nc2ltdWxhdGVk\n-----END CERTIFICATE-----\n';
