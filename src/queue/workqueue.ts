import type { ObjectKey } from '../api/objects/object-key.js';
import { isHigher, type Priority } from '../api/events/priority.js';
import { Fifo } from '../base/fifo.js';
import type { KeyOrder } from './key-order.js';
import { NO_CAUSES, PendingCauses, type Causes } from './pending-causes.js';
import type { AddOptions, Queue } from './queue.js';
import type { KeysInState, QueuedKey } from './queue-snapshot.js';
import type { WorkqueueMeter } from './workqueue-meter.js';

export interface WorkqueueOptions {
  /** Default: in the order in which keys became ready. */
  readonly order?: KeyOrder | undefined;
  readonly meter?: WorkqueueMeter | undefined;
}

const NORMAL: AddOptions = {};

/** A queue with the guarantees of client-go's workqueue. */
export class Workqueue implements Queue {
  protected readonly meter: WorkqueueMeter | undefined;
  private readonly ready: KeyOrder;
  /** Keys to be taken, now or when they are done, with the causes since they were last taken. */
  private readonly dirty = new Map<ObjectKey, Causes>();
  /** Keys in work, with the causes for which they were taken. */
  private readonly processing = new Map<ObjectKey, Causes>();
  /** The priorities of keys in `dirty`, other than normal. */
  private readonly priorities = new Map<ObjectKey, Priority>();
  /** The priorities with which keys in `processing` were taken, other than normal. */
  private readonly prioritiesInWork = new Map<ObjectKey, Priority>();
  /** Keys in `processing` that are held until `done`. */
  private readonly held = new Set<ObjectKey>();
  private readonly causes = new PendingCauses();
  private listener: () => void = () => undefined;
  private isWaking = false;
  private hasShutDown = false;

  constructor({ order = new Fifo<ObjectKey>(), meter }: WorkqueueOptions = {}) {
    this.ready = order;
    this.meter = meter;
  }

  get length(): number {
    return this.ready.length;
  }

  get isShuttingDown(): boolean {
    return this.hasShutDown;
  }

  onReady(listener: () => void): void {
    this.listener = listener;
    if (this.length > 0) this.wake();
  }

  add(key: ObjectKey, { cause, priority = 'normal' }: AddOptions = NORMAL): void {
    if (this.hasShutDown) return;
    const present = this.dirty.get(key);
    const causes = this.causes.add(present, cause);
    if (causes !== present) this.dirty.set(key, causes);
    if (present) {
      this.raise(key, priority);
      return;
    }
    this.meter?.added(key);
    if (priority !== 'normal') this.priorities.set(key, priority);
    if (!this.processing.has(key)) this.push(key);
  }

  take(): ObjectKey | undefined {
    const key = this.ready.shift();
    if (key === undefined) return undefined;
    const causes = this.dirty.get(key) ?? NO_CAUSES;
    this.causes.taken(causes);
    this.dirty.delete(key);
    this.processing.set(key, causes);
    const priority = this.priorities.get(key);
    if (priority !== undefined && this.priorities.delete(key)) this.prioritiesInWork.set(key, priority);
    this.meter?.taken(key);
    return key;
  }

  causesOf(key: ObjectKey): Causes {
    return this.processing.get(key) ?? NO_CAUSES;
  }

  priorityOf(key: ObjectKey): Priority {
    return this.prioritiesInWork.get(key) ?? 'normal';
  }

  /** Ends the work on a key but prevents it from being taken again until `done`. */
  protected hold(key: ObjectKey): void {
    if (!this.processing.has(key) || this.held.has(key)) return;
    this.held.add(key);
    this.meter?.done(key);
  }

  done(key: ObjectKey): void {
    if (!this.processing.delete(key)) return;
    this.prioritiesInWork.delete(key);
    if (!this.held.delete(key)) this.meter?.done(key);
    if (this.dirty.has(key) && !this.hasShutDown) this.push(key);
  }

  /** Returns the keys waiting to be taken, at most `limit` of them. */
  protected waitingKeys(limit: number): KeysInState {
    const oldest = this.meter?.waitingKeys(limit) ?? [];
    return { count: this.dirty.size, oldest: oldest.map(([key, ageMs]) => queuedKey(key, ageMs, this.dirty)) };
  }

  /** Returns the keys in work, at most `limit` of them. */
  protected keysInWork(limit: number): KeysInState {
    const oldest = this.meter?.keysInWork(limit) ?? [];
    const count = this.processing.size - this.held.size;
    return { count, oldest: oldest.map(([key, ageMs]) => queuedKey(key, ageMs, this.processing)) };
  }

  /** Returns the causes since the key was last taken. */
  protected pendingCausesOf(key: ObjectKey): Causes {
    return this.dirty.get(key) ?? NO_CAUSES;
  }

  shutDown(): void {
    this.hasShutDown = true;
    this.ready.clear();
  }

  private push(key: ObjectKey): void {
    this.ready.push(key, this.priorities.get(key) ?? 'normal');
    if (this.ready.length === 1) this.wake();
  }

  /** A key in work is not ready: `done` makes it so with the raised priority. */
  private raise(key: ObjectKey, priority: Priority): void {
    const present = this.priorities.get(key) ?? 'normal';
    if (!isHigher(priority, present)) return;
    if (priority === 'normal') this.priorities.delete(key);
    else this.priorities.set(key, priority);
    if (!this.processing.has(key)) this.ready.raise?.(key, present, priority);
  }

  private wake(): void {
    if (this.isWaking) return;
    this.isWaking = true;
    queueMicrotask(() => {
      this.isWaking = false;
      if (this.length > 0) this.listener();
    });
  }
}

function queuedKey(key: ObjectKey, ageMs: number, causes: ReadonlyMap<ObjectKey, Causes>): QueuedKey {
  return { key, ageMs, causes: causes.get(key) ?? NO_CAUSES };
}
