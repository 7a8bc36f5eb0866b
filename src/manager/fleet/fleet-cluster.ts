import type { Informer } from '../../cache/informer.js';
import { InformerFactory } from '../../cache/informer-factory.js';
import type { Client } from '../../client/client.js';
import type { KindController } from '../../controller/kind-controller.js';
import type { ObjectGate } from '../../controller/sources/object-gate.js';
import { WriteFencedError, type WriteFence } from '../../controller/write/write-fence.js';
import type { ResourceModel } from '../../resource/model.js';
import { ControllerGroup } from '../controller-group.js';
import type { GroupMetrics } from '../metrics/group-metrics.js';
import { InformerSupervision } from '../informers/informer-supervision.js';
import { reportMissingPermissions } from '../missing-permissions.js';
import type { RunOptions } from '../run-options.js';

/** The parts of a manager that the controllers of all clusters share. */
export interface FleetParts {
  readonly options: RunOptions;
  readonly fence: WriteFence;
  /** Set if the clusters are divided among replicas, by their names. */
  readonly gate: ObjectGate | undefined;
  readonly metrics: GroupMetrics | undefined;
  /** Aborted when the manager stops. */
  readonly signal: AbortSignal;
}

/**
 * The controllers of one cluster other than the operator's own, with its caches.
 *
 * The caches fill from the start. Order: `start` when this process may write, then `shutDown`, `abandon` or `leave`, then
 * `close`.
 */
export class FleetCluster {
  private readonly models: ResourceModel[] = [];
  private readonly options: RunOptions;
  private readonly caches: InformerFactory;
  private readonly group: ControllerGroup;
  private readonly supervision: InformerSupervision;
  private hasLeft = false;
  private isClosed = false;

  constructor(
    readonly name: string,
    readonly client: Client,
    private readonly parts: FleetParts,
  ) {
    const { clock, namespaces = [], strict } = parts.options;
    const logger = parts.options.logger.child({ cluster: name });
    this.options = { ...parts.options, client, logger };
    this.caches = new InformerFactory(client, { clock, logger, namespaces, freeze: strict });
    const { gate } = parts;
    const fence: WriteFence = (key) => {
      if (this.hasLeft) throw new WriteFencedError(`the manager no longer watches cluster ${name}`);
      parts.fence(gate ? name : key);
    };
    const member = { name, home: parts.options.client };
    const shared = {
      informers: this.caches,
      fence,
      gate: gate && {
        get isOpen() {
          return gate.isOpen;
        },
        owns: () => gate.owns(name),
      },
      metrics: parts.metrics,
      member,
    };
    this.group = new ControllerGroup([], this.options, shared);
    this.supervision = new InformerSupervision(this.models, this.options, parts.metrics, name);
    this.group.onWatchesChanged = this.supervise;
    this.caches.start();
    logger.info('Watching cluster');
  }

  /** The caches of all controllers, each once. */
  get informers(): readonly Informer[] {
    return this.group.informers;
  }

  /** Those and the caches of `ctx.watch`. */
  get allInformers(): readonly Informer[] {
    return this.group.allInformers;
  }

  get controllers(): readonly KindController[] {
    return this.group.controllers;
  }

  /** True if the cluster has no controller. */
  get isEmpty(): boolean {
    return this.models.length === 0;
  }

  /** Creates the controller of a model, and starts it if the cluster has started. Has no effect if the controller exists. */
  add(model: ResourceModel): void {
    if (this.models.includes(model)) return;
    const { client, logger, namespaces = [], preflight = true } = this.options;
    this.models.push(model);
    this.group.add(model);
    this.supervise();
    const { signal } = this.parts;
    if (preflight) void reportMissingPermissions([model], { client, logger, namespaces, signal, cluster: this.name });
  }

  /** Resolves when the controller of a model has ended. */
  async remove(model: ResourceModel): Promise<void> {
    const index = this.models.indexOf(model);
    if (index < 0) return;
    this.models.splice(index, 1);
    await this.group.remove(model);
    this.supervise();
  }

  /** Starts the controllers; each works as soon as its caches have synced. */
  start(signal: AbortSignal): void {
    this.group.start(signal).catch((error: unknown) => {
      if (!signal.aborted) this.options.logger.error('cannot start the controllers of the cluster', { err: error });
    });
  }

  /** See ControllerGroup. */
  shutDown(lost: Promise<void>): Promise<void> {
    return this.group.shutDown(lost);
  }

  /** See ControllerGroup. */
  abandon(reason: Error): Promise<void> {
    return this.group.abandon(reason);
  }

  /** Aborts the running reconciles and tasks. */
  abort(reason: Error): void {
    this.group.abort(reason);
  }

  /** Continues after `abort`. */
  resumed(): void {
    this.group.resumed();
  }

  /**
   * Ends all work on the cluster, which may be unreachable or closed; resolves when its reconciles have ended. With a reason,
   * they are aborted and can no longer write; without one, as when another replica takes over, they may finish.
   */
  async leave(reason?: Error): Promise<void> {
    this.hasLeft = reason !== undefined;
    this.supervise();
    await this.group.dispose(reason);
    this.hasLeft = true;
    await this.close();
    this.options.logger.info('Stopped watching cluster');
  }

  /** Stops the watches. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.supervise();
    await this.caches.stop();
  }

  private readonly supervise = (): void => {
    this.supervision.supervise(this.hasLeft || this.isClosed ? [] : this.group.allInformers);
  };
}
