import type { Cancel, Clock } from '../../src/base/clock.js';
import { silentLogger } from '../../src/base/logger.js';
import { LeaderElector } from '../../src/manager/election/leader-elector.js';
import type { LeaseRecord, LeaseState } from '../../src/manager/election/lease-lock.js';
import type { MemoryLock } from './memory-lock.js';

const NEVER = new AbortController().signal;
const TICK_MS = 1000;
/** In ticks: 1 between renewals or polls, 1 until a request times out, 2 to the renew deadline, 3 to the expiry. */
const DURATIONS = { leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 1000, random: () => 0 };
/** Greater ages of a renewal or an observation make no difference. */
const OLDEST_TICKS = 4;

type Condition = 'running' | 'blocked' | 'suspended' | 'crashed';

/** The clock of one process. Its monotonic time stops while the machine is suspended. */
class ProcessClock implements Clock {
  private readonly timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  private elapsedMs = 0;
  private wallMs = Date.UTC(2026, 0, 1);

  now(): number {
    return this.wallMs;
  }

  monotonic(): number {
    return this.elapsedMs;
  }

  schedule(delayMs: number, callback: () => void): Cancel {
    const timer = { at: this.elapsedMs + delayMs, callback };
    this.timers.add(timer);
    return () => {
      this.timers.delete(timer);
    };
  }

  pass(isSuspended: boolean): void {
    this.wallMs += TICK_MS;
    if (!isSuspended) this.elapsedMs += TICK_MS;
  }

  setBack(): void {
    this.wallMs -= 3_600_000;
  }

  /** The ticks until each timer; 0 if it is due. */
  get waits(): number[] {
    return [...this.timers].map(({ at }) => Math.max(0, at - this.elapsedMs) / TICK_MS).sort();
  }

  /** Runs the next timer that is due; returns false without one. */
  fire(): boolean {
    const due = [...this.timers].filter(({ at }) => at <= this.elapsedMs).sort((a, b) => a.at - b.at)[0];
    if (due) this.timers.delete(due);
    due?.callback();
    return due !== undefined;
  }
}

/** A request on its way. The server processes it at any time, even after the client has given it up. */
interface Request {
  readonly call: 'read' | 'create' | 'update';
  /** The version that an update is for. */
  readonly version: string | undefined;
  readonly holder: string | undefined;
  readonly process: () => Promise<LeaseState | undefined>;
  readonly settle: { resolve(state: LeaseState | undefined): void; reject(error: unknown): void };
  isAwaited: boolean;
}

/** One process: it acquires the lease, keeps it, and releases it when it is stopped. */
export class LeaseCandidate {
  readonly clock = new ProcessClock();
  readonly elector: LeaderElector;
  readonly requests: Request[] = [];
  readonly stop = new AbortController();
  condition: Condition = 'running';
  phase: 'acquire' | 'renew' | 'release' | 'ended' = 'acquire';
  isSetBack = false;
  wasSuspended = false;
  /** Responses that arrived while the event loop was blocked. */
  private readonly unread: (() => void)[] = [];

  constructor(
    readonly identity: string,
    lock: MemoryLock,
  ) {
    const { clock } = this;
    const own = {
      namespace: lock.namespace,
      name: lock.name,
      read: (signal: AbortSignal) => this.send({ call: 'read', process: () => lock.read(signal) }, signal),
      create: (record: LeaseRecord, signal: AbortSignal) =>
        this.send({ call: 'create', record, process: () => lock.create(record, NEVER) }, signal) as Promise<LeaseState>,
      update: (state: LeaseState, record: LeaseRecord, signal: AbortSignal) =>
        this.send(
          { call: 'update', record, version: versionOf(state), process: () => lock.update(state, record, NEVER) },
          signal,
        ) as Promise<LeaseState>,
    };
    this.elector = new LeaderElector({ lock: own, identity, ...DURATIONS, clock, logger: silentLogger });
    void this.run();
  }

  get hasResponse(): boolean {
    return this.condition === 'running' || this.condition === 'blocked';
  }

  /** Runs what is due. As in Node, timers run before responses are read, and immediates after that. */
  async turn(): Promise<void> {
    let hasFired = false;
    while (this.clock.fire()) {
      hasFired = true;
      await microtasks();
    }
    for (const read of this.unread.splice(0)) {
      read();
      await microtasks();
    }
    if (!hasFired) return;
    await new Promise((resolve) => setImmediate(resolve));
    await microtasks();
  }

  /** Lets the server process a request, whose response arrives or is lost. */
  async process(request: Request, hasResponse: boolean): Promise<void> {
    this.requests.splice(this.requests.indexOf(request), 1);
    const { resolve, reject } = request.settle;
    const read = await request.process().then(
      (state) => () => {
        resolve(state);
      },
      (error: unknown) => () => {
        reject(error);
      },
    );
    if (!hasResponse) return;
    if (this.condition === 'blocked') this.unread.push(read);
    else read();
  }

  /** The state that later steps depend on. Names of processes are relative, because all candidates are equal. */
  state(lock: MemoryLock): string {
    const { elector, clock, condition, phase, requests, unread, isSetBack, wasSuspended } = this;
    const current = versionOf(lock.state);
    const holder = (name: string | undefined): string | undefined =>
      name === this.identity ? 'self' : name && 'other';
    const position = (state: LeaseState | undefined): unknown =>
      state && [versionOf(state) === current, holder(state.record.holder)];
    const age = (since: number, now: number): number => Math.min(OLDEST_TICKS, Math.ceil((now - since) / TICK_MS));
    const renewed = Reflect.get(elector, 'renewed') as { monotonic: number; now: number } | undefined;
    const observed = Reflect.get(elector, 'observed') as LeaseState | undefined;
    return JSON.stringify([
      [condition, phase, this.stop.signal.aborted, isSetBack, wasSuspended, unread.length, clock.waits],
      renewed && [age(renewed.monotonic, clock.monotonic()), age(renewed.now, clock.now())],
      position(observed),
      observed && age(Reflect.get(elector, 'observedMs') as number, clock.monotonic()),
      Reflect.get(elector, 'isObservedStale'),
      requests.map(({ call, version, holder: next, isAwaited }) => [
        call,
        version === current,
        holder(next),
        isAwaited,
      ]),
      holder(lock.state?.record.holder),
    ]);
  }

  private async run(): Promise<void> {
    const { elector, stop } = this;
    try {
      await elector.acquire(stop.signal);
      this.phase = 'renew';
      await elector.renew(stop.signal);
    } catch {
      // The process exits.
    }
    this.phase = 'release';
    await elector.release();
    this.phase = 'ended';
  }

  private send(
    {
      record,
      version,
      ...rest
    }: Pick<Request, 'call' | 'process'> & { record?: LeaseRecord; version?: string | undefined },
    signal: AbortSignal,
  ): Promise<LeaseState | undefined> {
    return new Promise((resolve, reject) => {
      const request: Request = {
        ...rest,
        version,
        holder: record?.holder,
        settle: { resolve, reject },
        isAwaited: true,
      };
      this.requests.push(request);
      signal.addEventListener('abort', () => {
        request.isAwaited = false;
        reject(signal.reason as Error);
      });
    });
  }
}

export function versionOf(state: LeaseState | undefined): string | undefined {
  return state?.object.metadata.resourceVersion;
}

/** Lets every promise settle that needs no timer. */
export async function microtasks(): Promise<void> {
  for (let turn = 0; turn < 16; turn++) await Promise.resolve();
}
