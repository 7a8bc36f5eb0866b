import type { KubeObject } from '../../../api/objects/kube-object.js';
import { Backoff } from '../../../base/backoff.js';
import type { FieldPath } from '../../../base/changed-fields.js';
import type { Clock } from '../../../base/clock.js';
import type { Logger } from '../../../base/logger.js';
import type { EventRecorder } from '../../../controller/context/event-recorder.js';
import { fieldManagersOf, fieldValue } from '../../../controller/hot-loops/field-managers.js';

const LONGEST_HOLD_MS = 120_000;
const BACKOFF = { initialMs: 1000, maxMs: LONGEST_HOLD_MS, factor: 2, jitter: 0.1 };
/** A value that stayed for this time is written again immediately. */
const STABLE_MS = 10_000;
/** A value that is lost so often, without staying for an hour in between, is reported. */
const REPORTED_LOSSES = 3;
const FORGET_MS = 3600_000;

/** A value that the process keeps in an object. */
export interface KeptValue {
  /** Kind and name. */
  readonly object: string;
  readonly field: string;
  readonly value: string;
  /** The next step to end changes by other clients. */
  readonly hint: string;
}

/** Records the Events about objects with contested values. */
export interface ContestRecorder {
  readonly events: Pick<EventRecorder, 'record' | 'close'>;
  /** The component that the Events name. */
  readonly operator: string;
}

/** A value as this process wrote it last. Times are monotonic. */
interface Write {
  readonly value: string;
  readonly backoff: Backoff;
  /** Since when the object has the value. */
  sinceMs: number;
  losses: number;
  /** When to write the value again; undefined while the object has it. */
  dueMs: number | undefined;
}

/**
 * Delays the writes of values that another client changes back each time, and names that client once: in the log, and in an
 * Event about the object.
 *
 * The first write of a value, such as the next `caBundle` of a rotation, is never delayed.
 */
export class ContestedWrites {
  private readonly writes = new Map<string, Write>();

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly logger: Logger,
    private readonly recorder: ContestRecorder,
  ) {}

  /**
   * Returns true if the value may be written. Must be called when an object was read without it.
   *
   * @param read the object without the value
   * @param paths the fields that hold the value
   */
  isDue(kept: KeptValue, read: KubeObject, paths: readonly FieldPath[]): boolean {
    const write = this.writes.get(kept.object);
    if (write?.value !== kept.value) return true;
    const nowMs = this.clock.monotonic();
    if (write.dueMs === undefined) {
      const stayedMs = nowMs - write.sinceMs;
      if (stayedMs >= FORGET_MS) write.losses = 0;
      if (stayedMs >= STABLE_MS) write.backoff.reset();
      write.dueMs = nowMs + (stayedMs >= STABLE_MS ? 0 : write.backoff.next());
      if (++write.losses === REPORTED_LOSSES) this.report(kept, read, writerOf(read, paths));
    }
    return nowMs >= write.dueMs;
  }

  /** Must be called after a write. */
  wrote({ object, value }: Pick<KeptValue, 'object' | 'value'>): void {
    const sinceMs = this.clock.monotonic();
    const known = this.writes.get(object);
    if (known?.value === value) Object.assign(known, { sinceMs, dueMs: undefined });
    else {
      const backoff = new Backoff(BACKOFF, () => this.clock.monotonic());
      this.writes.set(object, { value, backoff, sinceMs, losses: 0, dueMs: undefined });
    }
  }

  /** Must be called when an object was read with the value. */
  found(object: string): void {
    const write = this.writes.get(object);
    if (write?.dueMs !== undefined) Object.assign(write, { sinceMs: this.clock.monotonic(), dueMs: undefined });
  }

  /** Returns true while a write is delayed. */
  isHeld(object: string): boolean {
    return (this.writes.get(object)?.dueMs ?? 0) > this.clock.monotonic();
  }

  /** The time until the next delayed write may be sent; Infinity without one. */
  untilDueMs(): number {
    const nowMs = this.clock.monotonic();
    return Math.min(...[...this.writes.values()].map(({ dueMs = 0 }) => (dueMs > nowMs ? dueMs - nowMs : Infinity)));
  }

  private report({ object, field, hint }: KeptValue, read: KubeObject, writer: string): void {
    const longest = `${LONGEST_HOLD_MS / 1000} s`;
    const problem = `Another client changes the ${field} of ${object} again and again`;
    this.logger.warn(`${problem}. It is set again, after up to ${longest}`, { object, writer, hint });
    const { apiVersion = '', kind = '', metadata } = read;
    const { name, namespace = '', uid = '' } = metadata;
    this.recorder.events.record({
      component: this.recorder.operator,
      about: { apiVersion, kind, name, namespace, uid },
      type: 'Warning',
      reason: 'ContestedField',
      action: 'Write',
      message: `${problem}: ${writer}. It is set again, after up to ${longest}; ${hint}`,
    });
  }
}

function writerOf(read: KubeObject, paths: readonly FieldPath[]): string {
  const managers = [...new Set(paths.flatMap((path) => fieldManagersOf(read, path)))];
  if (managers.length > 0) return `field manager ${managers.map((manager) => `"${manager}"`).join(', ')}`;
  if (paths.some((path) => fieldValue(read, path) !== undefined))
    return 'a client that owns no field, such as another installation of the operator';
  return `a client that removes it; the field managers of the object are ${fieldManagersOf(read, []).join(', ')}`;
}
