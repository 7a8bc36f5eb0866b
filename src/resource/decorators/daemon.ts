import type { Context } from '../context.js';
import { appendMetadata, assertCalled, metadataKey } from '../metadata.js';

/** The task of one object: the second argument of a `@Daemon` method. */
export interface DaemonTask {
  /** Aborted when the object changes its spec or is deleted, at shutdown, and when the lease is lost. */
  readonly signal: AbortSignal;
  /** Reconciles the object. */
  reconcile(): void;
  /** Resolves after a time in milliseconds; rejects with the reason when the signal is aborted. */
  sleep(ms: number): Promise<void>;
}

/** The method of one `@Daemon`. */
export interface DaemonEntry {
  readonly method: string;
  readonly isStatic: boolean;
}

export const DAEMON = metadataKey<DaemonEntry>('daemon');

type DaemonDecorator = <M extends (ctx: Context, task: DaemonTask) => Promise<void>>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/**
 * Runs the method as a task for each object, from when the object appears until it is being deleted.
 *
 * A task that throws is started again with back-off, from 1 s to 1 min; one that returns is finished. A change of the
 * spec (`metadata.generation`; of kinds without it, of anything but the status) stops the task and starts another one,
 * also for a finished task, so `this` has the current spec. There are never two tasks of a method for one object: the next one waits until the previous one has ended, so
 * the method must end soon after its signal is aborted. Changes of `this.status` are not written: use `ctx.patch`, or
 * `task.reconcile()`. Tasks run in the process that leads.
 */
export function Daemon(): DaemonDecorator;
export function Daemon(first?: unknown): DaemonDecorator {
  assertCalled(DAEMON, first);
  return (target, method) => {
    const isStatic = typeof target === 'function';
    appendMetadata(DAEMON, isStatic ? target : target.constructor, { method, isStatic });
  };
}
