import type { LeaderElector } from '../../src/manager/election/leader-elector.js';
import type { Model } from '../explore.js';
import { LeaseCandidate, microtasks, versionOf } from './lease-candidate.js';
import { MemoryLock } from './memory-lock.js';

export interface LeaseModelOptions {
  readonly ticks: number;
  readonly faults: number;
  /** The decision under test: returns whether a process may write. */
  readonly fence: (elector: LeaderElector) => boolean;
  /** Called at the end of each interleaving with the number of processes that have led. */
  readonly onEnd?: (leaders: number) => void;
  /** True if the server stores updates of any version. */
  readonly ignoresVersions?: boolean;
}

/**
 * Two candidates of one lease. Time passes in ticks; requests are processed, and their responses delivered, in any order
 * and at any time, also never. Faults: a process crashes, is stopped, has its event loop blocked or its machine
 * suspended, or its clock is set back.
 */
export class LeaseModel implements Model {
  private readonly lock = new MemoryLock();
  private readonly candidates: readonly LeaseCandidate[];
  private faultsLeft: number;
  private ticksLeft: number;
  /** The number of processes that have led. */
  private readonly led = new Set<string>();

  constructor(private readonly options: LeaseModelOptions) {
    this.faultsLeft = options.faults;
    this.ticksLeft = options.ticks;
    if (options.ignoresVersions) this.lock.ignoresVersions = true;
    this.candidates = ['a', 'b'].map((identity) => new LeaseCandidate(identity, this.lock));
  }

  actions(): readonly string[] {
    if (this.ticksLeft === 0) return [];
    const actions = this.candidates.flatMap((candidate) => [...this.stepsOf(candidate)]);
    return this.timeouts <= this.faultsLeft ? [...actions, 'tick'] : actions;
  }

  async run(action: string): Promise<void> {
    const [what = '', identity = '', index] = action.split(' ');
    const candidate = this.candidates.find((one) => one.identity === identity);
    if (what === 'tick') await this.tick();
    else if (candidate) await this.step(what, candidate, Number(index));
    this.forgetVain();
    this.assertOneLeader();
  }

  assertEnd(): void {
    this.options.onEnd?.(this.led.size);
  }

  state(): string {
    const states = this.candidates.map((candidate) => candidate.state(this.lock)).sort();
    return [this.ticksLeft, this.faultsLeft, ...states].join('\n');
  }

  private *stepsOf(candidate: LeaseCandidate): Iterable<string> {
    const { identity, condition, requests, hasResponse } = candidate;
    for (const [index, { call, isAwaited }] of requests.entries()) {
      if (isAwaited && hasResponse) yield `answer ${identity} ${index}`;
      // A lost response is a fault; a request that has timed out already was one.
      if (call !== 'read' && (!isAwaited || this.faultsLeft > 0)) yield `store ${identity} ${index}`;
    }
    if (isPaused(condition)) yield `resume ${identity}`;
    if (this.faultsLeft > 0) for (const fault of faultsOf(candidate)) yield `${fault} ${identity}`;
  }

  private async step(what: string, candidate: LeaseCandidate, index: number): Promise<void> {
    const request = candidate.requests[index];
    if (request) {
      if (what === 'store' && request.isAwaited) this.faultsLeft--;
      await candidate.process(request, what === 'answer');
    } else if (what === 'resume') candidate.condition = 'running';
    else this.fail(what, candidate);
    await microtasks();
    if (what === 'resume') await candidate.turn();
  }

  private fail(what: string, candidate: LeaseCandidate): void {
    this.faultsLeft--;
    if (what === 'crash') candidate.condition = 'crashed';
    else if (what === 'block') candidate.condition = 'blocked';
    else if (what === 'suspend') {
      candidate.condition = 'suspended';
      candidate.wasSuspended = true;
    } else if (what === 'set-back') {
      candidate.clock.setBack();
      candidate.isSetBack = true;
    } else candidate.stop.abort(new Error('stopped'));
  }

  /** The number of requests that time out at the next tick. */
  private get timeouts(): number {
    return this.candidates
      .filter(({ condition }) => condition === 'running')
      .flatMap(({ requests }) => requests.filter(({ isAwaited }) => isAwaited)).length;
  }

  private async tick(): Promise<void> {
    this.ticksLeft--;
    this.faultsLeft -= this.timeouts;
    for (const { clock, condition } of this.candidates) clock.pass(condition === 'suspended');
    // Writes are checked at the moment when the time has passed, before any timer runs.
    this.assertOneLeader();
    for (const candidate of this.candidates) if (candidate.condition === 'running') await candidate.turn();
  }

  /** Removes the requests that no longer have an effect, whatever happens to them. */
  private forgetVain(): void {
    const current = versionOf(this.lock.state);
    for (const { requests, condition } of this.candidates) {
      const useful = requests.filter(({ call, version, isAwaited }) => {
        if (isAwaited && condition !== 'crashed') return true;
        const canBeStored = call === 'create' ? current === undefined : version === current;
        return call !== 'read' && (canBeStored || this.options.ignoresVersions);
      });
      requests.splice(0, Infinity, ...useful);
    }
  }

  private assertOneLeader(): void {
    const leading = this.candidates.filter(
      ({ condition, elector }) => condition !== 'crashed' && condition !== 'suspended' && this.options.fence(elector),
    );
    for (const { identity } of leading) this.led.add(identity);
    if (leading.length > 1) throw new Error('two processes may write');
  }
}

function isPaused(condition: LeaseCandidate['condition']): boolean {
  return condition === 'blocked' || condition === 'suspended';
}

function faultsOf({ condition, phase, stop, isSetBack, wasSuspended }: LeaseCandidate): readonly string[] {
  if (condition !== 'running' || phase === 'ended') return [];
  return [
    'crash',
    'block',
    ...(stop.signal.aborted ? [] : ['stop']),
    // A machine that sleeps and whose clock is then set back cannot know how long it slept.
    ...(isSetBack ? [] : ['suspend']),
    ...(wasSuspended || isSetBack ? [] : ['set-back']),
  ];
}
