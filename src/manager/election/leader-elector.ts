import { randomNumber } from '../../base/random.js';
import { sleep, type Clock } from '../../base/clock.js';
import { deepEqual } from '../../base/deep-equal.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import { scheduleAfterPoll } from '../../base/schedule-after-poll.js';
import { formatMicroTime } from '../../base/timestamp.js';
import { ApiError, ConflictError } from '../../client/api-error.js';
import { aborted } from '../aborted.js';
import type { LeaseLock, LeaseRecord, LeaseState } from './lease-lock.js';
import { LeaseLostError } from './lease-lost-error.js';

export interface LeaderElectorOptions {
  readonly lock: Pick<LeaseLock, 'namespace' | 'name' | 'read' | 'create' | 'update'>;
  /** The holder identity; must be unique to the process. */
  readonly identity: string;
  /** The time after the last observed renewal after which other processes take over, in ms. */
  readonly leaseDurationMs: number;
  /** The time for which the leader continues without a successful renewal, in ms. */
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random?: () => number;
}

const JITTER = 1.2;
/** The time between two attempts to acquire the lease, as a part of the retry period. */
const SHORTEST_POLL = 0.4;
const LONGEST_POLL = 0.7;
const RELEASE_TRIES = 3;

/**
 * Acquires and renews a lease by the rules of client-go, so that it can compete with programs that use client-go.
 *
 * Flow: `acquire` resolves when this process holds the lease; `renew` keeps it until it is aborted or the lease is
 * lost; `release` gives it up, so that a successor need not wait for its expiry.
 * Guarantees: the expiry of another holder is measured by this process's clock from the last observed change of the
 * record, so clocks need not agree; `isLeading` becomes false by the clock alone, before another process may take over.
 * Assumptions: clocks run at about the same rate.
 * Errors: failed requests are logged and retried; only a lost lease is thrown.
 */
export class LeaderElector {
  private observed: LeaseState | undefined;
  private observedMs = 0;
  /** The time at which the last successful renewal was sent, by both clocks: one stops while a laptop sleeps. */
  private renewed: { readonly monotonic: number; readonly now: number } | undefined;
  private lastFailure: string | undefined;
  /** The last write that acquires the lease. */
  private taking: Promise<void> | undefined;
  private isObservedStale = false;

  constructor(private readonly options: LeaderElectorOptions) {
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = options;
    if (leaseDurationMs > renewDeadlineMs && renewDeadlineMs > retryPeriodMs * JITTER && retryPeriodMs > 0) return;
    throw new OperatorError(
      `leader election with leaseDuration ${leaseDurationMs} ms, renewDeadline ${renewDeadlineMs} ms and retryPeriod ${retryPeriodMs} ms cannot work`,
      { code: 'E_LEADER_ELECTION', hint: `leaseDuration > renewDeadline > ${JITTER} × retryPeriod > 0` },
    );
  }

  /** True only while this process certainly holds the lease. */
  get isLeading(): boolean {
    if (!this.renewed) return false;
    const { clock, leaseDurationMs, renewDeadlineMs } = this.options;
    const isWithinDeadline = clock.monotonic() - this.renewed.monotonic < renewDeadlineMs;
    return isWithinDeadline && clock.now() - this.renewed.now < leaseDurationMs;
  }

  /** Resolves when this process holds the lease; rejects with the reason of an abort. */
  async acquire(signal: AbortSignal): Promise<void> {
    const { clock, logger, identity } = this.options;
    logger.info('Attempting to acquire leader lease', { lease: this.leaseName });
    while (!(await this.attempt(signal))) await sleep(clock, this.untilNextAttemptMs(), signal);
    logger.info('Successfully acquired lease', { lease: this.leaseName, identity });
  }

  /**
   * Resolves when aborted.
   * @throws LeaseLostError when another process holds the lease, or when it was not renewed in time.
   */
  async renew(signal: AbortSignal): Promise<void> {
    const { renewDeadlineMs } = this.options;
    try {
      for (;;) await this.within(this.untilDeadlineMs(), signal, (term) => this.renewOnce(term));
    } catch (error) {
      if (signal.aborted) return;
      this.renewed = undefined;
      if (error instanceof LeaseLostError) throw error;
      const why = this.lastFailure ?? 'the process was blocked';
      throw new LeaseLostError(this.leaseName, `not renewed within ${renewDeadlineMs} ms (${why})`);
    }
  }

  /** Releases the lease if this process holds it. Never rejects: a lease that cannot be released expires. */
  async release(): Promise<void> {
    this.renewed = undefined;
    try {
      await this.within(this.options.renewDeadlineMs / 2, undefined, (signal) => this.releaseHeld(signal));
    } catch (error) {
      this.options.logger.warn('Lease could not be released', { lease: this.leaseName, err: error });
    }
  }

  private get leaseName(): string {
    const { namespace, name } = this.options.lock;
    return `${namespace}/${name}`;
  }

  /** The time for which the lease may be held without another renewal. */
  private untilDeadlineMs(): number {
    const { clock, renewDeadlineMs } = this.options;
    return this.renewed ? this.renewed.monotonic + renewDeadlineMs - clock.monotonic() : 0;
  }

  /**
   * The time until the next attempt to acquire the lease: at the latest when the lease of the holder expires, and so
   * short that a released lease is noticed soon.
   */
  private untilNextAttemptMs(): number {
    const { clock, retryPeriodMs, random = () => randomNumber('poll of a lease') } = this.options;
    const pollMs = retryPeriodMs * (SHORTEST_POLL + (LONGEST_POLL - SHORTEST_POLL) * random());
    if (!this.observed || !this.isHeldByOther(this.observed.record)) return pollMs;
    return Math.min(pollMs, this.observedMs + this.durationMs(this.observed.record) - clock.monotonic());
  }

  /** Resolves after one successful renewal. */
  private async renewOnce(signal: AbortSignal): Promise<void> {
    const { clock, identity, retryPeriodMs } = this.options;
    do {
      await sleep(clock, retryPeriodMs, signal);
      // After the event loop was blocked, this timer may run before that of the deadline.
      if (this.untilDeadlineMs() <= 0) throw new Error('the renew deadline has passed');
      if (await this.attempt(signal)) return;
    } while (this.observed?.record.holder === identity);
    throw new LeaseLostError(this.leaseName, `it is held by ${this.observed?.record.holder ?? 'another process'}`);
  }

  /** Returns whether this process holds the lease now. An error is logged once and returns false. */
  private async attempt(signal: AbortSignal): Promise<boolean> {
    const { clock, renewDeadlineMs } = this.options;
    const sent = { monotonic: clock.monotonic(), now: clock.now() };
    try {
      // Half the deadline, so that a second connection can be tried after a silent one.
      const isHeld = await this.within(renewDeadlineMs / 2, signal, (bounded) => this.acquireOrRenew(bounded));
      if (isHeld) this.renewed = sent;
      this.lastFailure = undefined;
      return isHeld;
    } catch (error) {
      signal.throwIfAborted();
      this.reportFailure(error);
      return false;
    }
  }

  private async acquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const { lock } = this.options;
    if (this.isLeading && this.observed && (await this.renewUnread(this.observed, signal))) return true;
    const latest = await lock.read(signal);
    if (latest) this.observe(latest);
    if (latest && this.isHeldByOther(latest.record)) return false;
    this.taking = this.take(latest);
    await Promise.race([this.taking, aborted(signal)]);
    signal.throwIfAborted();
    return true;
  }

  /** Not canceled by an abort, because `release` must know whether this process got the lease. */
  private async take(latest: LeaseState | undefined): Promise<void> {
    const { lock, renewDeadlineMs } = this.options;
    const record = this.ownRecord(latest?.record);
    try {
      await this.within(renewDeadlineMs / 2, undefined, async (signal) => {
        this.observe(latest ? await lock.update(latest, record, signal) : await lock.create(record, signal));
      });
    } catch (error) {
      // Without a response the server may have stored it.
      if (!(error instanceof ApiError)) this.isObservedStale = true;
      throw error;
    }
  }

  /** A renewal is one write. If the Lease was changed by others, it is read first. */
  private async renewUnread(state: LeaseState, signal: AbortSignal): Promise<boolean> {
    try {
      this.observe(await this.options.lock.update(state, this.ownRecord(state.record), signal));
      return true;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  private isHeldByOther(record: LeaseRecord): boolean {
    const { clock, identity } = this.options;
    if (record.holder === '' || record.holder === identity) return false;
    return clock.monotonic() - this.observedMs < this.durationMs(record);
  }

  /**
   * The time after which a held lease expires. Never less than the own duration: the holder works by the duration that it
   * was started with, also after an edit of the Lease.
   */
  private durationMs({ durationSeconds }: LeaseRecord): number {
    return Math.max(this.options.leaseDurationMs, durationSeconds * 1000);
  }

  private ownRecord(previous: LeaseRecord | undefined): LeaseRecord {
    const { clock, identity, leaseDurationMs } = this.options;
    const now = formatMicroTime(clock.now());
    const isRenewal = previous?.holder === identity;
    return {
      holder: identity,
      durationSeconds: Math.max(1, Math.ceil(leaseDurationMs / 1000)),
      acquireTime: isRenewal && previous.acquireTime !== '' ? previous.acquireTime : now,
      renewTime: now,
      transitions: previous ? previous.transitions + (isRenewal ? 0 : 1) : 0,
    };
  }

  private observe(state: LeaseState): void {
    const { clock, logger, identity } = this.options;
    const before = this.observed?.record;
    const { holder } = state.record;
    this.observed = state;
    if (deepEqual(before, state.record)) return;
    this.observedMs = clock.monotonic();
    if (holder !== before?.holder && holder !== identity && holder !== '') {
      logger.info('Lease is held by another process', { lease: this.leaseName, holder });
    }
  }

  private async releaseHeld(signal: AbortSignal): Promise<void> {
    const { lock, identity, clock } = this.options;
    await this.taking?.catch(() => undefined);
    if (this.isObservedStale) this.observed = await lock.read(signal);
    for (let tries = 1; this.observed?.record.holder === identity; tries++) {
      const now = formatMicroTime(clock.now());
      const { transitions } = this.observed.record;
      const released = { holder: '', durationSeconds: 1, acquireTime: now, renewTime: now, transitions };
      try {
        this.observe(await lock.update(this.observed, released, signal));
      } catch (error) {
        if (!(error instanceof ConflictError) || tries === RELEASE_TRIES) throw error;
        this.observed = await lock.read(signal);
      }
    }
  }

  private reportFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.lastFailure) return;
    this.lastFailure = message;
    // Another candidate wrote first, which is normal.
    if (error instanceof ConflictError) return;
    this.options.logger.warn('Lease could not be acquired or renewed', { lease: this.leaseName, err: error });
  }

  /** Runs `act` with a signal that is aborted after `ms`, or with `outer`. */
  private async within<T>(
    ms: number,
    outer: AbortSignal | undefined,
    act: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    outer?.throwIfAborted();
    const inner = new AbortController();
    const relay = (): void => {
      inner.abort(outer?.reason);
    };
    const cancel = scheduleAfterPoll(this.options.clock, ms, () => {
      inner.abort(new Error(`no answer within ${ms} ms`));
    });
    outer?.addEventListener('abort', relay, { once: true });
    try {
      return await act(inner.signal);
    } finally {
      cancel();
      outer?.removeEventListener('abort', relay);
    }
  }
}
