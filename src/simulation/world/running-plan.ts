import type { ResourceModel } from '../../resource/model.js';
import { provideClusterConfig } from '../../client/cluster-config.js';
import type { Plan, WorkloadStep } from '../plan/plan.js';
import type { History, Snapshot } from '../record/history.js';
import { Administrator, stepRecord, type ServerAnswer } from './administrator.js';
import { OperatorProcess } from './operator-process.js';
import { MOST_CHANGES, untilQuiet } from './quiet.js';
import type { Owner } from './world-step.js';
import type { World } from './world.js';
import type { WorldEvent } from './world-event.js';

/** Virtual time between the death of a process and its next life. */
const RESTART_MS = 1000;
/** Virtual time after which the user goes on although objects still change. */
const PATIENCE_MS = 600_000;
/** Lives of a replica after which it is not started again: it ends in each. */
const MOST_LIVES = 30;

/** The faults of a plan. */
export interface PlanFaults {
  /** Begins the faults with triggers that happen now. */
  happened(event: WorldEvent): void;
  /** Resolves when the faults that have begun are over, at the latest after an hour. */
  settled(): Promise<void>;
  /** Ends all faults, also those that have not begun. */
  end(): void;
}

export interface PlanParts {
  readonly faults: (run: RunningPlan) => PlanFaults;
  /** Revision of the prepared cluster: older objects of the system are not part of snapshots. */
  readonly since: number;
  readonly namespace: string;
  readonly models: readonly ResourceModel[];
  /** Loads the user's modules again. */
  readonly load: () => Promise<ResourceModel[]>;
}

/** One run of a plan: its phases, the operator's processes and the faults. */
export class RunningPlan {
  /** The present process of each replica. */
  readonly processes = new Map<string, OperatorProcess>();
  /** Replicas that a fault keeps from starting. */
  readonly down = new Set<string>();
  readonly faults: PlanFaults;
  readonly user: Administrator;
  private readonly lives = new Map<string, number>();
  private readonly onRejection: (reason: unknown) => void;
  /** Called with each event, by faults that last. */
  readonly listeners = new Set<(event: WorldEvent) => void>();
  private readonly afterStep: (() => void)[] = [];
  private isRestarting = true;

  constructor(
    readonly world: World,
    readonly plan: Plan,
    private readonly parts: PlanParts,
  ) {
    this.user = new Administrator(world, { type: 'user', name: 'user' });
    this.faults = parts.faults(this);
    world.onEvent = (event) => {
      if (!world.scheduler.isDiverged) this.faults.happened(event);
      for (const listener of this.listeners) listener(event);
    };
    world.onError = (owner, error, kind) => {
      this.failed(owner, error, kind);
    };
    this.onRejection = (reason) => {
      world.onError(world.task.owner, reason, 'unhandled rejection');
    };
    process.on('unhandledRejection', this.onRejection);
    provideClusterConfig(() => this.processOf(world.task.owner)?.config);
  }

  /** Plays all phases. */
  async run(): Promise<History> {
    const { world, plan } = this;
    await this.play(() => this.prepare());
    for (const name of this.replicas) await this.start(name);
    await this.play(() => this.act());
    this.faults.end();
    for (const name of this.replicas) if (!this.isAlive(name)) await this.start(name);
    const calm = await this.settled();
    // The state after faults equals that without faults, where the operator starts again.
    const isEndless = world.ownChanges > MOST_CHANGES;
    const poked = plan.faults.length === 0 && !isEndless ? await this.startAgain() : undefined;
    const removed = isEndless ? undefined : await this.removed();
    const { recorder } = world;
    const { models } = this.parts;
    const named = ({ kind, group }: { kind: string; group: string }): string =>
      group === '' ? kind : `${kind}.${group}`;
    return {
      plan,
      commits: recorder.commits,
      requests: recorder.requests,
      reconciles: recorder.reconciles,
      deliveries: recorder.deliveries,
      steps: recorder.steps,
      calm,
      poked,
      removed,
      breakdowns: recorder.breakdowns,
      fired: recorder.fired,
      definedKinds: models.filter(({ definesKind }) => definesKind).map(({ kind }) => named(kind)),
      ownedKinds: [...new Set(models.flatMap(({ owns }) => owns.map(({ kind }) => named(kind))))],
      fieldManagers: [...new Set(models.map(({ controller }) => controller.fieldManager))],
      hash: recorder.digest(),
    };
  }

  /** Ends what is left of the run. */
  end(): void {
    for (const process of this.processes.values()) process.kill();
    process.off('unhandledRejection', this.onRejection);
  }

  get replicas(): string[] {
    return Array.from({ length: Math.max(1, this.plan.replicas) }, (_, index) => `operator-${index + 1}`);
  }

  /** Returns whether a class of the operator defines the kind. */
  definesKind(name: string): boolean {
    return this.parts.models.some(({ definesKind, kind }) => definesKind && kind.kind === name);
  }

  isAlive(name: string): boolean {
    return this.processes.get(name)?.owner.isDead === false;
  }

  processOf(owner: Owner): OperatorProcess | undefined {
    for (const process of this.processes.values()) if (process.owner === owner) return process;
    return undefined;
  }

  /** Starts the next life of a replica, with modules of its own. */
  async start(name: string): Promise<void> {
    const { world, plan, parts } = this;
    const life = (this.lives.get(name) ?? 0) + 1;
    if (life > MOST_LIVES) return;
    this.lives.set(name, life);
    const models = await world.scheduler.pausedFor(parts.load());
    const process = new OperatorProcess({
      world,
      name,
      life,
      models,
      namespace: parts.namespace,
      isElected: plan.replicas > 1,
      onExit: (ended) => {
        this.exited(ended);
      },
    });
    this.processes.set(name, process);
    process.start();
  }

  /** Kills the process of a replica. It starts again after a time, or when `restart` is called. */
  crash(name: string, restartMs?: number): void {
    this.processes.get(name)?.kill();
    if (restartMs !== undefined) this.restartAfter(name, restartMs);
  }

  restartAfter(name: string, delayMs: number): void {
    const { world } = this;
    world.scheduler.add(`restart ${name}`, { owner: world.user, label: `restart of ${name}` }, delayMs, () => {
      this.restart(name);
    });
  }

  restart(name: string): void {
    if (this.isRestarting && !this.isAlive(name)) void this.start(name);
  }

  /** Deletes the objects of the user, and returns the state when nothing happens any more. */
  private async removed(): Promise<Snapshot> {
    await this.play(() => this.remove());
    return this.settled();
  }

  /** Starts all replicas again, and returns the state when nothing happens any more. */
  private async startAgain(): Promise<Snapshot> {
    this.isRestarting = false;
    for (const process of this.processes.values()) process.kill();
    this.isRestarting = true;
    for (const name of this.replicas) await this.start(name);
    return this.settled();
  }

  private exited(process: OperatorProcess): void {
    const { name } = process;
    process.kill();
    this.restartAfter(name, RESTART_MS);
  }

  /** Records what a process has thrown outside of a reconcile; it ends then, and starts again. */
  private failed(owner: Owner, error: unknown, kind: 'unhandled rejection' | 'uncaught exception'): void {
    const process = this.processOf(owner);
    if (owner.isDead) return;
    const actor = process?.actor ?? { type: 'controller', name: owner.name };
    this.world.recorder.breakdown(actor, kind, error);
    if (process) this.exited(process);
  }

  private async settled(): Promise<Snapshot> {
    const isQuiet = await untilQuiet(this.world, () => this.processes.values());
    return this.world.snapshot(isQuiet, this.parts.since);
  }

  /** Runs the world until an activity of the user has ended. */
  private async play(activity: () => Promise<void>): Promise<void> {
    const { world } = this;
    let isDone = false;
    let thrown: unknown;
    world.scheduler.add('user', { owner: world.user, label: 'user' }, 0, () => {
      activity().then(
        () => (isDone = true),
        (error: unknown) => {
          thrown = error;
          isDone = true;
        },
      );
    });
    await world.scheduler.run(() => isDone, Infinity);
    if (thrown !== undefined) throw thrown as Error;
  }

  private async prepare(): Promise<void> {
    const { plan, user } = this;
    const needed = new Set<string>();
    const created = plan.workload.flatMap((step) => (step.do === 'create' ? [step.object] : []));
    for (const { kind, metadata } of plan.given) if (kind === 'Namespace') needed.delete(metadata.name);
    for (const { metadata } of [...plan.given, ...created])
      if (metadata.namespace !== undefined) needed.add(metadata.namespace);
    for (const name of needed)
      if (!this.world.find(`Namespace ${name}`))
        await user.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    for (const object of plan.given) await user.create(object);
  }

  private async act(): Promise<void> {
    const { world, plan } = this;
    for (const step of plan.workload) {
      if (step.after === 'quiet') await this.quietUser();
      const at = world.at;
      const answer = await this.perform(step);
      world.recorder.steps.push(stepRecord(at, world.at, answer));
      world.emit({ point: 'step' });
      for (const callback of this.afterStep.splice(0)) callback();
    }
    if (plan.faults.length === 0) return;
    // Triggers can come after the answer to the last step.
    await this.quietUser();
    await this.faults.settled();
  }

  private perform(step: WorkloadStep): Promise<ServerAnswer> {
    const { user } = this;
    switch (step.do) {
      case 'create':
        return user.create(step.object);
      case 'patch':
        return user.patch(step.object, step.patch);
      case 'delete':
        return user.delete(step.object, step.propagation);
    }
  }

  /** Calls back when the next step of the user was answered. */
  afterNextStep(callback: () => void): void {
    this.afterStep.push(callback);
  }

  /** A second user, which writes for a fault. */
  rival(fault: string): Administrator {
    return new Administrator(this.world, { type: 'fault', name: fault });
  }

  /** Runs an activity of a fault in steps of its own. */
  begin(activity: () => Promise<void>): void {
    const { world } = this;
    world.scheduler.add('fault', { owner: world.user, label: 'fault' }, 0, () => void activity());
  }

  after(delayMs: number, callback: () => void): void {
    const { world } = this;
    world.scheduler.add('fault waits', { owner: world.user, label: 'fault waits' }, delayMs, callback, false);
  }

  /** Calls back when nothing has changed for a time. */
  whenQuiet(forMs: number, callback: () => void): void {
    const wait = this.world.lastChangeMs + forMs - this.world.at;
    if (wait <= 0) callback();
    else
      this.after(wait, () => {
        this.whenQuiet(forMs, callback);
      });
  }

  /** Waits, as the user, until nothing has happened for a while; not for ever, if the operator is never quiet. */
  async quietUser(forMs = 30_000): Promise<void> {
    const { world } = this;
    const endMs = world.at + PATIENCE_MS;
    for (;;) {
      const wait = Math.min(world.lastChangeMs + forMs, endMs) - world.at;
      if (wait <= 0 || world.ownChanges > MOST_CHANGES) return;
      await this.wait(wait);
    }
  }

  /** Waits in virtual time, as the user. */
  wait(delayMs: number): Promise<void> {
    const { world } = this;
    return new Promise((resolve) => {
      world.scheduler.add('user waits', { owner: world.user, label: 'user waits' }, delayMs, resolve, false);
    });
  }

  /** Deletes all objects of the kinds that the operator defines. */
  private async remove(): Promise<void> {
    const { world, user, parts } = this;
    const kinds = new Set(
      parts.models.filter(({ definesKind }) => definesKind).map(({ kind }) => `${kind.group}/${kind.kind}`),
    );
    for (const object of world.objects(0)) {
      const [group = ''] = (object.apiVersion ?? '').split('/');
      const { namespace, name } = object.metadata;
      if (kinds.has(`${group}/${object.kind}`))
        await user.delete(`${object.kind} ${namespace ? `${namespace}/` : ''}${name}`);
    }
  }
}
