import type { Duration } from '../../base/duration.js';
import { appendMetadata, assertCalled, metadataKey } from '../metadata.js';
import type { Context } from '../context.js';

/** Options of `@Every`. */
export interface EveryOptions {
  /** A duration, such as `5m`: each time is delayed by a random part of it. Must be shorter than the interval. */
  readonly jitter?: Duration;
  /** IANA name of the time zone of a cron schedule, such as `Europe/Berlin`; default `UTC`. */
  readonly timeZone?: string;
}

/** The arguments of one `@Every`, and its method; without a method it is applied to the class. */
export interface EveryEntry {
  readonly schedule: string;
  readonly options: EveryOptions;
  readonly method: string | undefined;
  readonly isStatic: boolean;
}

export const EVERY = metadataKey<EveryEntry>('every');

/** Decorates a class, or a method of it that gets the context of the reconcile. */
export interface EveryDecorator {
  (target: abstract new (...args: never[]) => object): void;
  <M extends (ctx: Context) => Promise<void> | void>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}

/**
 * Reconciles each object of the kind at an interval such as `30s` or `1h30m`, or at the times of a cron schedule such as
 * `0 3 * * *`.
 *
 * An interval is counted from start to start on a fixed grid of wall-clock time, which differs for each object: objects
 * are spread over the interval, and restarts do not change their times. A time that comes while the object is being
 * reconciled leads to one more reconcile. A cron time that passes while no operator runs is not made up for.
 *
 * On a method: the method is called with each such reconcile, before `reconcile` and on the same instance; with an
 * interval, also with the first reconcile after the object appears or the operator starts. If it throws, it is retried
 * with the reconcile, with back-off. Timers run only in the process that leads, and not for an object that is being
 * deleted.
 */
export function Every(schedule: string, options: EveryOptions = {}): EveryDecorator {
  assertCalled(EVERY, schedule);
  return (target: object, method?: string) => {
    const isStatic = method !== undefined && typeof target === 'function';
    const owner = typeof target === 'function' ? target : target.constructor;
    appendMetadata(EVERY, owner, { schedule, options, method, isStatic });
  };
}
