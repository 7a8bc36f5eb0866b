import { AsyncLocalStorage } from 'node:async_hooks';
import { splitKey } from '../../api/objects/object-key.js';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { Op, Run } from '../../api/reconcile/reconcile-observer.js';
import { silentLogger } from '../../base/logger.js';
import { Client } from '../../client/client.js';
import type { ConnectedConfig } from '../../client/http/transport.js';
import { Secret } from '../../client/secret.js';
import { Manager } from '../../manager/manager.js';
import type { ResourceModel } from '../../resource/model.js';
import type { Actor, ObjectRef, SeenRecord, ReconcileRecord } from '../record/history.js';
import { OPERATOR_TOKEN } from './cluster-image.js';
import type { Sender } from './exchange.js';
import { WorldConnections } from './world-connections.js';
import { runningModels } from './operator-modules.js';
import type { Owner } from './world-step.js';
import type { World } from './world.js';
import type { OperatorLife } from './world-event.js';

/** The reconcile that the running code belongs to. */
const reconcileOf = new AsyncLocalStorage<number>();

export interface ProcessOptions {
  readonly world: World;
  readonly name: string;
  readonly life: number;
  readonly models: readonly ResourceModel[];
  readonly namespace: string;
  readonly isElected: boolean;
  /** Called when the process has ended by itself. */
  readonly onExit: (process: OperatorProcess) => void;
}

/** A life of a replica of the operator: its manager, client and caches. */
export class OperatorProcess implements OperatorLife {
  readonly owner: Owner;
  readonly running = new Map<Run, ReconcileRecord>();
  /** Times of the next attempt of keys that have failed. */
  readonly retries = new Map<string, number>();
  /** Times of requested reconciles, and how often they have come since the last change. */
  readonly timers = new Map<string, { dueMs: number; count: number }>();
  private readonly ending = new AbortController();

  constructor(private readonly options: ProcessOptions) {
    const { name, life } = options;
    this.owner = { name: `${name}.${life}`, isDead: false };
  }

  get name(): string {
    return this.options.name;
  }

  get life(): number {
    return this.options.life;
  }

  get actor(): Actor {
    const { name, life } = this.options;
    const reconcile = reconcileOf.getStore();
    return { type: 'operator', name, life, ...(reconcile !== undefined && { reconcile }) };
  }

  get isReconciling(): boolean {
    return this.running.size > 0;
  }

  /** The configuration that `loadClusterConfig` returns in this process. */
  get config(): ConnectedConfig {
    const { world, namespace } = this.options;
    const sender: Sender = { owner: this.owner, process: this, actor: () => this.actor };
    return {
      server: new URL('https://127.0.0.1:6443'),
      namespace,
      source: 'simulation',
      user: 'operator',
      auth: { token: new Secret(OPERATOR_TOKEN) },
      connections: () => new WorldConnections(world, sender),
    };
  }

  /** Starts the manager in a step of the process. */
  start(): void {
    const { world, name, life } = this.options;
    const task = { owner: this.owner, label: `start of ${name}.${life}` };
    world.scheduler.add(`process ${this.owner.name}`, task, 0, () => {
      world.emit({ point: 'start', process: this });
      if (!this.owner.isDead) void this.run();
    });
  }

  /** Ends the process without a chance to clean up: nothing of it runs any more. */
  kill(): void {
    const { world } = this.options;
    if (this.owner.isDead) return;
    this.owner.isDead = true;
    world.scheduler.drop(this.owner);
    for (const exchange of [...world.exchanges])
      if (exchange.owner === this.owner) {
        if (exchange.isWatch || exchange.commits.length > 0) exchange.abandon();
      }
  }

  /** Asks the process to stop, as SIGTERM does. */
  stop(): void {
    const { world } = this.options;
    if (this.owner.isDead) return;
    const task = { owner: this.owner, label: `stop of ${this.owner.name}` };
    world.scheduler.add(`process ${this.owner.name}`, task, 0, () => {
      this.ending.abort(new Error('SIGTERM'));
    });
  }

  private async run(): Promise<void> {
    const { world, models, isElected, namespace, onExit } = this.options;
    const client = new Client(this.config, { clock: world });
    try {
      const manager = new Manager({
        client,
        clock: world,
        logger: silentLogger,
        preflight: false,
        strict: true,
        identity: this.owner.name,
        leaderElection: isElected && { namespace, leaseName: 'simulated-leader' },
        observer: {
          ...(world.isTraced && { needsReads: 'located' }),
          began: (run) => {
            this.began(run);
          },
          within: (run, reconcile) => {
            reconcileOf.run(this.running.get(run)?.index ?? 0, reconcile);
          },
          ended: (run) => {
            this.ended(run);
          },
        },
      });
      for (const model of runningModels(models)) manager.add(model);
      await manager.run(this.ending.signal);
    } catch {
      // A lost lease, or a failure of the start: run-operator ends then, and Kubernetes starts it again.
    }
    if (!this.owner.isDead) onExit(this);
  }

  private began(run: Run): void {
    const { world, models, name, life } = this.options;
    const { recorder } = world;
    const model = models.find(({ controller }) => controller.name === run.controller);
    const object = refOf(model?.kind, run.key);
    const record: ReconcileRecord = {
      index: recorder.reconciles.length,
      at: world.at,
      actor: { type: 'operator', name, life, reconcile: recorder.reconciles.length },
      controller: run.controller,
      object,
      own: this.lastReceived(object),
      reads: [],
      answers: [],
    };
    recorder.reconciles.push(record);
    this.running.set(run, record);
    this.retries.delete(keyOf(run));
    world.emit({
      point: 'reconcile begins',
      object: recorder.texts.of(object),
      process: this,
      place: object,
    });
  }

  /** Returns the last version of an object in a list or an event of a watch. */
  private lastReceived({ group, kind, namespace, name }: ObjectRef): SeenRecord | undefined {
    const received = this.options.world.recorder.deliveries.findLast(
      ({ actor, object }) =>
        object.name === name &&
        object.namespace === namespace &&
        object.kind === kind &&
        object.group === group &&
        actor.name === this.name &&
        actor.life === this.life,
    );
    return received && { object: received.object, uid: received.uid, resourceVersion: received.resourceVersion };
  }

  private ended(run: Run): void {
    const { world } = this.options;
    const record = this.running.get(run);
    if (!record || this.owner.isDead) return;
    const { end } = run;
    this.running.delete(run);
    const [reads, answers] = [run.ops.flatMap(readsOf), run.ops.flatMap(answersOf)];
    Object.assign(record, { reads, answers, endedAt: world.at, outcome: end?.outcome });
    if (end?.error) record.error = { name: end.error.name, message: end.error.message, stack: end.error.stack };
    this.recordNext(run);
    world.recorder.note(`${record.controller} ${run.key} ${record.outcome}`);
    world.emit({
      point: 'reconcile ends',
      object: world.recorder.texts.of(record.object),
      process: this,
      place: record.object,
    });
  }

  private recordNext(run: Run): void {
    const { world } = this.options;
    const { outcome, nextMs } = run.end ?? {};
    const key = keyOf(run);
    if (outcome !== 'requeueAfter') this.timers.delete(key);
    if (nextMs === undefined) return;
    const dueMs = world.at + nextMs;
    if (outcome !== 'requeueAfter') {
      this.retries.set(key, dueMs);
      return;
    }
    const count = this.timers.get(key)?.count ?? 0;
    this.timers.set(key, { dueMs, count: count + 1 });
  }
}

function keyOf({ controller, key }: Run): string {
  return `${controller} ${key}`;
}

function refOf(kind: KindRef | undefined, key: string): ObjectRef {
  const { namespace, name } = splitKey(key);
  return {
    group: kind?.group ?? '',
    version: kind?.version ?? '',
    kind: kind?.kind ?? '',
    plural: kind?.plural ?? '',
    namespace: namespace === '' ? undefined : namespace,
    name,
  };
}

function readsOf(op: Op): SeenRecord[] {
  const place = op.do === 'get' || op.do === 'list' ? op.caller?.location : undefined;
  if (op.do === 'get') return [{ ...readOf(op.kind, op.key, op.found), place }];
  if (op.do !== 'list') return [];
  const { kind, group } = op.kind;
  const listed = { listed: group === '' ? kind : `${kind}.${group}`, place };
  const found = (op.found ?? []).map((object) => {
    const { namespace, name } = object.metadata;
    return readOf(op.kind, namespace ? `${namespace}/${name}` : name, object);
  });
  return [listed, ...found];
}

function answersOf(op: Op): SeenRecord[] {
  return 'after' in op ? [readOf(op.kind, op.key, op.after)] : [];
}

function readOf(kind: KindRef, key: string, found: ReadonlyDeep<KubeObject> | undefined): SeenRecord {
  const { uid, resourceVersion } = found?.metadata ?? {};
  return { object: refOf(kind, key), uid, resourceVersion };
}
