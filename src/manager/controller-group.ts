import type { ObjectKey } from '../api/objects/object-key.js';
import type { InformerFactory, InformerScope } from '../cache/informer-factory.js';
import type { Informer } from '../cache/informer.js';
import type { KindControllerOptions } from '../controller/kind-controller-options.js';
import { KindController } from '../controller/kind-controller.js';
import { EventRecorder } from '../controller/context/event-recorder.js';
import { OwnWrites } from '../controller/run/own-writes.js';
import type { ClusterMember } from '../controller/context/context-services.js';
import type { ObjectGate } from '../controller/sources/object-gate.js';
import { WriteFencedError, type WriteFence } from '../controller/write/write-fence.js';
import type { ResourceModel } from '../resource/model.js';
import type { GroupMetrics } from './metrics/group-metrics.js';
import type { RunOptions } from './run-options.js';
import { shutdownTimeoutMs } from './option-ms.js';
import type { SourceRoute } from './sources/source-server.js';
import type { ShardWork } from './sharding/shard-work.js';
import { selectsNamespaces } from './namespace-selection.js';
import { settledWithin } from './settled-within.js';

/** The parts that all controllers of a manager share. */
interface SharedParts {
  readonly informers: InformerFactory;
  readonly fence: WriteFence;
  /** Set if the objects are shared with other replicas. */
  readonly gate: ObjectGate | undefined;
  /** Shared with the groups of other clusters. */
  readonly metrics: GroupMetrics | undefined;
  /** Set if the objects are in another cluster; then the client of the options is that of their cluster. */
  readonly member?: ClusterMember | undefined;
}

/** The controller of one model, and the resources that its removal releases. */
interface Member {
  readonly controller: KindController;
  readonly informers: InformerScope;
  /** Aborted when the controller is to be removed. */
  readonly removal: AbortController;
  isRemoved: boolean;
}

/** The time for aborted reconciles to end before the shutdown continues without them. */
const ABORT_GRACE_MS = 1000;
const EVENT_FLUSH_MS = 3000;

/**
 * The controllers of a manager and the recorder of their Events.
 *
 * Order: `start` once this process may write, then either `shutDown` or `abandon`. Controllers can be added and removed
 * at any time before these.
 */
export class ControllerGroup implements ShardWork {
  /** Called when `allInformers` has changed because an object needs a watch or no longer does. */
  onWatchesChanged: () => void = () => undefined;
  private readonly members = new Map<ResourceModel, Member>();
  private readonly recorder: EventRecorder;
  private readonly shared: Omit<KindControllerOptions, 'informers' | 'metrics' | 'gate'>;
  /** Set by `start`. */
  private signal: AbortSignal | undefined;

  constructor(
    models: readonly ResourceModel[],
    private readonly options: RunOptions,
    private readonly parts: SharedParts,
  ) {
    const { client, clusters, clock, logger, strict, observer, provided, detectHotLoops = true } = options;
    const { fence, gate, metrics, member } = parts;
    const recorder = new EventRecorder({ client, clock, logger, fence });
    const isInspected = (options.debugBindAddress ?? '0') !== '0' || options.onInspectable !== undefined;
    const observed = { observer, detectHotLoops, isInspected, ownWrites: new OwnWrites() };
    this.shared = { client, clusters, member, recorder, fence, clock, logger, strict, provided, ...observed };
    this.recorder = recorder;
    for (const model of models) this.create(model);
    if (gate && !member) metrics?.measureObjects(() => this.controllers);
  }

  /** The HTTP endpoints of `@Source` methods. */
  get sourceRoutes(): SourceRoute[] {
    return this.controllers.flatMap(({ model, triggers }) => {
      const isServed = (): boolean => this.members.has(model);
      return model.sources.flatMap((source) => (source.type === 'http' ? [{ source, triggers, isServed }] : []));
    });
  }

  /** The present controllers. */
  get controllers(): readonly KindController[] {
    return [...this.members.values()].map(({ controller }) => controller);
  }

  /** The informers of all controllers, each once, with those that only some objects need. */
  get allInformers(): readonly Informer[] {
    return [...new Set([...this.informers, ...this.controllers.flatMap((controller) => controller.watchedInformers)])];
  }

  /** The informers of all required kinds, each once. */
  get informers(): readonly Informer[] {
    return [...new Set(this.controllers.flatMap(({ informers }) => informers))];
  }

  /** The informers that the start of a controller waits for and that have not synced, each once. */
  get waitingInformers(): readonly Informer[] {
    return [...new Set(this.controllers.flatMap(({ waitingInformers }) => waitingInformers))];
  }

  /** Resolves when the caches that the start of each controller waits for have synced, or can no longer. */
  async synced(signal: AbortSignal): Promise<void> {
    await Promise.allSettled(this.controllers.map((controller) => controller.synced(signal)));
  }

  /** Follows the namespaces that the informers have now. */
  renewNamespaces(): void {
    for (const controller of this.controllers) controller.renewNamespaces();
  }

  /** See ShardWork. */
  get busyKeys(): Iterable<ObjectKey> {
    return this.controllers.flatMap(({ busyKeys }) => busyKeys);
  }

  /** See ShardWork. */
  gained(isGained: (key: ObjectKey) => boolean): void {
    for (const controller of this.controllers) controller.gained(isGained);
  }

  /** See ShardWork. */
  lost(): void {
    for (const controller of this.controllers) controller.lost();
  }

  /** Aborts the running reconciles and tasks. */
  abort(reason: Error): void {
    for (const controller of this.controllers) controller.abort(reason);
  }

  /** See ShardWork. */
  resumed(): void {
    for (const controller of this.controllers) controller.resumed();
  }

  /** Resolves when the workers of all controllers have started; rejects with the reason of an abort. */
  async start(signal: AbortSignal): Promise<void> {
    this.signal = signal;
    await Promise.all([...this.members.values()].map((member) => startMember(member, signal)));
  }

  /** Creates the controller of a model, and starts it if the group has started; errors of the start are logged. */
  add(model: ResourceModel): void {
    const member = this.create(model);
    const { signal } = this;
    if (!signal) return;
    startMember(member, signal).catch((error: unknown) => {
      if (!signal.aborted)
        this.options.logger.error(`cannot start the controller of ${model.className}`, { err: error });
    });
  }

  /**
   * Ends the controller of a model as `shutDown` does, removes its metrics, and stops the informers that no other
   * controller uses. A reconcile that does not end can no longer write.
   */
  async remove(model: ResourceModel): Promise<void> {
    const member = this.members.get(model);
    if (!member) return;
    const reason = removedReason(model);
    member.removal.abort(new Error(reason));
    await this.end([member.controller], reason);
    member.isRemoved = true;
    this.members.delete(model);
    this.parts.metrics?.remove(model, this.parts.member?.name);
    await member.informers.release();
  }

  /** Uses another version of a class, see KindController.replace. */
  async replace(previous: ResourceModel, next: ResourceModel, signal: AbortSignal): Promise<void> {
    const member = this.members.get(previous);
    if (!member) return;
    const { metrics, member: cluster } = this.parts;
    await member.controller.replace({
      model: next,
      triggerMetrics: metrics?.of(next, cluster?.name).triggers,
      signal: AbortSignal.any([signal, member.removal.signal]),
    });
    this.members.delete(previous);
    this.members.set(next, member);
  }

  /**
   * Removes all controllers as `remove` does. With a reason, running reconciles are aborted immediately, and Events that are not
   * yet written are dropped.
   */
  async dispose(reason: Error | undefined): Promise<void> {
    if (reason) this.abort(reason);
    await Promise.all([...this.members.keys()].map((model) => this.remove(model)));
    await this.recorder.close(reason ? 0 : EVENT_FLUSH_MS);
  }

  /** Waits for running reconciles to finish; they are aborted after the grace period, or when `lost` rejects. */
  async shutDown(lost: Promise<void>): Promise<void> {
    await this.end(this.controllers, 'the manager is shutting down', lost);
    await this.recorder.close(EVENT_FLUSH_MS);
  }

  /** Aborts running reconciles immediately and drops Events that are not yet written. */
  async abandon(reason: Error): Promise<void> {
    abort(this.controllers, reason);
    await settledWithin(this.options.clock, ABORT_GRACE_MS, stop(this.controllers));
    await this.recorder.close(0);
  }

  private create(model: ResourceModel): Member {
    const informers = this.parts.informers.scope();
    const removal = new AbortController();
    const fence: WriteFence = (...args) => {
      if (member.isRemoved) throw new WriteFencedError(removedReason(model));
      this.parts.fence(...args);
    };
    const controller = new KindController(model, {
      ...this.shared,
      gate: model.controller.sharding === false ? undefined : this.parts.gate,
      informers,
      selectsNamespaces: selectsNamespaces(this.options),
      onWatchesChanged: () => {
        this.onWatchesChanged();
      },
      fence,
      metrics: this.parts.metrics?.of(model, this.parts.member?.name),
    });
    const member: Member = { controller, informers, removal, isRemoved: false };
    this.members.set(model, member);
    return member;
  }

  private async end(controllers: readonly KindController[], why: string, lost?: Promise<void>): Promise<void> {
    const { clock, logger } = this.options;
    const timeoutMs = shutdownTimeoutMs(this.options);
    const keysOf = (): string[] => controllers.flatMap(({ runningKeys }) => runningKeys);
    const keys = keysOf();
    if (keys.length > 0) logger.info('Waiting for running reconciles', { keys, timeoutMs });
    const stopped = stop(controllers);
    const ended = lost?.catch((error: unknown) => {
      abort(controllers, error as Error);
    });
    if (!(await settledWithin(clock, timeoutMs, ended ? Promise.race([stopped, ended]) : stopped))) {
      logger.warn('Running reconciles are aborted', { keys: keysOf() });
      abort(controllers, new Error(why));
    }
    await settledWithin(clock, ABORT_GRACE_MS, stopped);
  }
}

/** Resolves also when the controller is removed before its caches have synced. */
async function startMember({ controller, removal }: Member, signal: AbortSignal): Promise<void> {
  try {
    await controller.start(AbortSignal.any([signal, removal.signal]));
  } catch (error) {
    if (!removal.signal.aborted) throw error;
  }
}

async function stop(controllers: readonly KindController[]): Promise<void> {
  await Promise.all(controllers.map((controller) => controller.stop()));
}

function abort(controllers: readonly KindController[], reason: Error): void {
  for (const controller of controllers) controller.abort(reason);
}

function removedReason({ className }: ResourceModel): string {
  return `${className} was removed from the manager`;
}
