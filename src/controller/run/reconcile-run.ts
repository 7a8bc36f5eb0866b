import { randomId } from '../../base/random.js';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { keyOf, objectKey, type ObjectKey } from '../../api/objects/object-key.js';
import type {
  Cause,
  End,
  EventOp,
  GetOp,
  ListOp,
  Op,
  Run,
  RunRef,
  WriteOp,
} from '../../api/reconcile/reconcile-observer.js';
import type { Clock } from '../../base/clock.js';
import { TrackedCall } from '../../base/tracked-call.js';
import type { Causes } from '../../queue/pending-causes.js';
import type { OwnWrites } from './own-writes.js';
import { thrownError } from '../../base/thrown-error.js';

/** The record of one reconcile, filled while it runs. Objects are kept by reference, never copied. */
export class ReconcileRun implements Run {
  readonly controller: string;
  readonly cluster: string | undefined;
  readonly key: ObjectKey;
  readonly causes: readonly Cause[];
  readonly causesOmitted: number;
  readonly startMs: number;
  readonly ops: Op[] = [];
  method?: string;
  end?: End;
  private uuid: string | undefined;

  constructor(
    { controller, cluster, key }: Omit<RunRef, 'id'>,
    readonly attempt: number,
    { kept, omitted }: Causes,
    private readonly clock: Clock,
    private readonly ownWrites: OwnWrites,
    /** True to record reads too, which only probes use; `located` also records the lines of user code that read. */
    private readonly reads: boolean | 'located' = true,
  ) {
    this.controller = controller;
    this.cluster = cluster;
    this.key = key;
    this.causes = kept;
    this.causesOmitted = omitted;
    this.startMs = clock.monotonic();
  }

  get id(): string {
    return (this.uuid ??= randomId('reconcile'));
  }

  readCache(
    kind: KindRef,
    name: string,
    namespace: string | undefined,
    found: ReadonlyDeep<KubeObject> | undefined,
  ): void {
    if (this.reads === false) return;
    const key = keyOf(name, namespace);
    const op = { do: 'get', kind, key, from: 'cache', startMs: this.now(), ms: 0 } as const;
    this.ops.push(this.located(found ? { ...op, found } : op));
  }

  listCache(kind: KindRef, namespace: string | undefined, found: readonly ReadonlyDeep<KubeObject>[]): void {
    if (this.reads === false) return;
    const op: ListOp = { do: 'list', kind, namespace, from: 'cache', startMs: this.now(), ms: 0, found };
    this.ops.push(this.located(op));
  }

  /** Records a read from the server. */
  async readServer<T extends KubeObject | undefined>(
    kind: KindRef,
    name: string,
    namespace: string | undefined,
    read: () => Promise<T>,
  ): Promise<T> {
    const op: GetOp = { do: 'get', kind, key: keyOf(name, namespace), from: 'server', startMs: this.now() };
    const found = await this.during(this.located(op), read);
    if (found) op.found = found;
    return found;
  }

  /** Records a list from the server. */
  async listServer<T extends KubeObject>(
    kind: KindRef,
    namespace: string | undefined,
    read: () => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const op: ListOp = { do: 'list', kind, namespace, from: 'server', startMs: this.now() };
    const found = await this.during(this.located(op), read);
    op.found = found;
    return found;
  }

  /** Begins the record of a write, which the result completes. */
  beginWrite(action: WriteOp['do'], kind: KindRef, { name, namespace, before }: Target): WriteRecord {
    const op: WriteOp = { do: action, kind, key: keyOf(name, namespace), before, startMs: this.now() };
    this.ops.push(op);
    return {
      succeeded: (after) => {
        if (after) op.after = after;
        op.ms = this.now() - op.startMs;
      },
      failed: (error) => {
        op.error = thrownError(error);
        op.ms = this.now() - op.startMs;
      },
    };
  }

  /** Records the call of user code that has just begun a write. */
  calledBy(caller: NonNullable<WriteOp['caller']>): void {
    const op = this.ops.at(-1);
    if (op && 'before' in op) op.caller ??= caller;
  }

  /** Records a write that was not sent because the object is as desired. */
  skipped(action: WriteOp['do'], kind: KindRef, object: ReadonlyDeep<KubeObject>): void {
    const op = { do: action, kind, key: objectKey(object), before: object, after: object, isSkipped: true } as const;
    this.ops.push({ ...op, startMs: this.now(), ms: 0 });
  }

  event(type: EventOp['type'], reason: string, message: string): void {
    this.ops.push({ do: 'event', type, reason, message, startMs: this.now(), ms: 0 });
  }

  /** Must be called with the answer to a write before the cache takes it over. */
  wrote(answer: KubeObject): void {
    this.ownWrites.wrote(answer, this);
  }

  deleted(uid: string): void {
    this.ownWrites.deleted(uid, this);
  }

  /** Adds the line of user code that has just called, if it is recorded. */
  private located<O extends GetOp | ListOp>(op: O): O {
    if (this.reads === 'located') op.caller = new TrackedCall(() => op.do);
    return op;
  }

  private now(): number {
    return this.clock.monotonic();
  }

  private async during<T>(op: Op, call: () => Promise<T>): Promise<T> {
    this.ops.push(op);
    try {
      return await call();
    } catch (error) {
      op.error = thrownError(error);
      throw error;
    } finally {
      op.ms = this.now() - op.startMs;
    }
  }
}

/** The object of a write, and its cached state before. */
export interface Target {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly before: ReadonlyDeep<KubeObject> | undefined;
}

/** The record of a write that has begun. One of the methods must be called, once. */
export interface WriteRecord {
  /** The write has stored the object; undefined if it has deleted it. */
  succeeded(after: ReadonlyDeep<KubeObject> | undefined): void;
  failed(error: unknown): void;
}
