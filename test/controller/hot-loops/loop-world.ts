import { type KindRef, type KubeObject, type ReconcileObserver } from 'kindwright';
import { keyOf, objectKey, splitKey } from '../../../src/api/objects/object-key.js';
import type { WriteOp } from '../../../src/api/reconcile/reconcile-observer.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { HotLoopGuard } from '../../../src/controller/hot-loops/hot-loop-guard.js';
import type { Outcome } from '../../../src/controller/run/outcome.js';
import { OwnWrites } from '../../../src/controller/run/own-writes.js';
import type { ReconcileRequest } from '../../../src/controller/run/reconcile-request.js';
import { RunRecorder } from '../../../src/controller/run/run-recorder.js';
import { Workers } from '../../../src/controller/workers.js';
import { RateLimitingQueue } from '../../../src/queue/rate-limiting-queue.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';

export const Gizmo: KindRef = {
  group: 'test.kindwright.dev',
  version: 'v1',
  kind: 'Gizmo',
  plural: 'gizmos',
  scope: 'Namespaced',
};

type State = KubeObject & Record<string, unknown>;

/** Reconciles of Gizmos beyond this many in one test do nothing, so that a loop that is not found ends too. */
const ENDLESS = 5000;

/** Objects on a server, and a controller of Gizmos with the detection of hot loops. */
export class LoopWorld {
  readonly clock = new FakeClock();
  readonly logger = new RecordingLogger();
  /** The keys reconciled so far. */
  readonly reconciled: string[] = [];
  /** Names the Gizmos to reconcile after a change; default: the Gizmo itself, and team/a for all other objects. */
  keysOf = (kind: KindRef, key: string): string[] => (kind === Gizmo ? [key] : ['team/a']);
  /** Called after each own write, such as by a second writer. */
  afterWrite: (kind: KindRef, object: KubeObject) => void = () => undefined;
  /** Whether an event of a status write triggers a reconcile. */
  isStatusWatched = false;
  /** Whether the reads of the reporter fail. */
  refusesReads = false;
  private readonly objects = new Map<string, State>();
  private readonly queue = new RateLimitingQueue({ name: 'gizmo', clock: this.clock });
  private readonly ownWrites = new OwnWrites();
  private version = 0;

  constructor(
    reconcile: (world: LoopWorld, request: ReconcileRequest) => Promise<Outcome | void>,
    observer?: ReconcileObserver,
  ) {
    const { clock, logger, queue, ownWrites } = this;
    const client = {
      get: async (kind: KindRef, name: string, { namespace }: { namespace?: string }) => {
        if (this.refusesReads) throw new Error('forbidden');
        return this.get(kind, keyOf(name, namespace));
      },
    } as never;
    const methodLine = (method: string): string => `operators/gizmo.ts#${method}`;
    const loops = new HotLoopGuard({ client, clock, logger, fieldManager: 'gizmo', methodLine });
    const recorder = new RunRecorder({ controller: 'gizmo', kind: 'Gizmo', observer, ownWrites, clock, logger });
    const run = async (request: ReconcileRequest): Promise<Outcome> => {
      this.reconciled.push(request.key);
      if (this.reconciled.length > ENDLESS) return { type: 'done' };
      return (await reconcile(this, request)) ?? { type: 'done' };
    };
    new Workers({ queue, clock, logger, reconcile: run, maxConcurrentReconciles: 1, recorder, loops }).start();
  }

  get(kind: KindRef, key: string): State | undefined {
    return this.objects.get(`${kind.kind} ${key}`);
  }

  /** Writes as the reconcile of the request, as ObjectWriter does. */
  async write(request: ReconcileRequest, action: WriteOp['do'], kind: KindRef, key: string, change: object) {
    const { run } = request;
    const before = this.get(kind, key);
    const record = run?.beginWrite(action, kind, { ...splitKey(key), before });
    if (action === 'delete') this.removeBy(run, kind, key);
    else this.putBy(run, kind, key, change, action);
    record?.succeeded(this.get(kind, key));
    const written = this.get(kind, key);
    if (written) this.afterWrite(kind, written);
  }

  private removeBy(run: ReconcileRequest['run'], kind: KindRef, key: string): void {
    run?.deleted(this.get(kind, key)?.metadata.uid ?? '');
    this.remove(kind, key);
  }

  private putBy(run: ReconcileRequest['run'], kind: KindRef, key: string, change: object, action: WriteOp['do']): void {
    const before = this.get(kind, key);
    const after = this.put(kind, key, change);
    run?.wrote(after);
    if (action !== 'status' || this.isStatusWatched) this.emit(kind, after, before);
  }

  /** A change by another client. */
  change(kind: KindRef, key: string, change: object): void {
    const before = this.get(kind, key);
    this.emit(kind, this.put(kind, key, change), before);
  }

  remove(kind: KindRef, key: string): void {
    const object = this.get(kind, key);
    if (!object) return;
    this.objects.delete(`${kind.kind} ${key}`);
    const cause = { type: 'event', source: '@Owns', kind, event: { type: 'delete', object } } as const;
    for (const owner of this.keysOf(kind, key)) this.queue.add(owner, { cause });
  }

  warnings() {
    return this.logger.lines.filter(({ level, message }) => level === 'warn' && message.startsWith('Hot loop'));
  }

  /** Creates Gizmo team/a and lets everything settle that needs no time. */
  async start(): Promise<void> {
    this.change(Gizmo, 'team/a', { spec: { size: 3 } });
    await this.clock.advance(0);
  }

  private put(kind: KindRef, key: string, change: object): State {
    this.version += 1;
    const { name, namespace } = splitKey(key);
    const present = this.get(kind, key) ?? { metadata: { name, namespace, uid: `uid-${String(this.version)}` } };
    const { metadata, ...rest } = change as Partial<State>;
    const object = {
      ...present,
      ...rest,
      metadata: { ...present.metadata, ...metadata, resourceVersion: String(this.version) },
    } as State;
    this.objects.set(`${kind.kind} ${key}`, object);
    return object;
  }

  private emit(kind: KindRef, object: KubeObject, old: KubeObject | undefined): void {
    const event = old
      ? ({ type: 'update', object, old } as const)
      : ({ type: 'add', isInitial: false, object } as const);
    const cause = { type: 'event', source: '@Owns', kind, event } as const;
    for (const key of this.keysOf(kind, objectKey(object))) this.queue.add(key, { cause: { ...cause } });
  }
}
