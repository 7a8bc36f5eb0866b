import { inspect } from 'node:util';
import type { TriggerRun } from '../../api/reconcile/reconcile-observer.js';
import { Backoff } from '../../base/backoff.js';
import { sleep, type Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import { thrownError } from '../../base/thrown-error.js';
import type { SourceContext, SourceKey } from '../../resource/decorators/source.js';
import type { SourceModel } from '../../resource/triggers/source-models.js';
import type { TriggerMetrics } from './trigger-metrics.js';
import type { TriggerRecorder } from './trigger-recorder.js';

export interface SourceRunnerOptions {
  readonly context: Omit<SourceContext, 'signal'>;
  /** Reconciles the object. @throws OperatorError when the key is invalid. */
  readonly emit: (key: SourceKey, source: string, run: TriggerRun | undefined) => void;
  readonly recorder: TriggerRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: TriggerMetrics | undefined;
}

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** Runs a source that is an async iterable or a poll, until it is aborted. Never rejects. */
export async function runSource(source: SourceModel, options: SourceRunnerOptions, signal: AbortSignal): Promise<void> {
  const { clock, metrics } = options;
  const backoff = new Backoff(
    { initialMs: FIRST_RETRY_MS, maxMs: LONGEST_RETRY_MS, factor: 2, jitter: 0.2, resetAfterMs: 2 * LONGEST_RETRY_MS },
    () => clock.monotonic(),
  );
  for (let isAborted = false; !isAborted; isAborted = signal.aborted) {
    metrics?.sourceRunning(source.name, true);
    const delayMs = await runUntilRetry(source, options, signal, backoff);
    // A poll counts as running between its calls.
    if (source.type !== 'poll') metrics?.sourceRunning(source.name, false);
    await sleep(clock, delayMs, signal).catch(() => undefined);
  }
  metrics?.sourceRunning(source.name, false);
}

/** Runs the source once, and returns the time until it is run again. */
async function runUntilRetry(
  source: SourceModel,
  options: SourceRunnerOptions,
  signal: AbortSignal,
  backoff: Backoff,
): Promise<number> {
  const { logger, metrics } = options;
  const { name } = source;
  try {
    const read = source.type === 'poll' ? callPoll : readIterable;
    await options.recorder.during({ source: name }, signal, (run) => read(source, options, signal, run));
    if (source.type === 'poll') {
      backoff.reset();
      return source.intervalMs;
    }
    const delayMs = backoff.next();
    if (!signal.aborted) logger.info(`${name} has ended and is started again`, { delayMs: Math.round(delayMs) });
    return delayMs;
  } catch (error) {
    const delayMs = Math.max(backoff.next(), source.type === 'poll' ? source.intervalMs : 0);
    if (signal.aborted) return delayMs;
    metrics?.sourceFailed(name);
    logger.error(`${name} failed and is retried`, { err: thrownError(error), delayMs: Math.round(delayMs) });
    return delayMs;
  }
}

/**
 * Returns the keys that a method returned as a list. A string is iterable too, so that the compiler accepts a single key.
 *
 * @throws OperatorError for anything else.
 */
export function keysOf({ name }: SourceModel, returned: unknown): SourceKey[] {
  if (typeof returned === 'object' && returned !== null && Symbol.iterator in returned)
    return [...(returned as Iterable<SourceKey>)];
  throw new OperatorError(`${name} returned ${inspect(returned, { depth: 0 })}, which is not a list of keys`, {
    code: 'E_SOURCE',
    hint: `return ['default/a'], or [] for none`,
  });
}

async function callPoll(
  source: SourceModel,
  options: SourceRunnerOptions,
  signal: AbortSignal,
  run: TriggerRun | undefined,
): Promise<void> {
  const { context, emit } = options;
  const call = source.call as (context: SourceContext) => Promise<unknown>;
  for (const key of keysOf(source, await call({ ...context, signal }))) emit(key, source.name, run);
}

async function readIterable(
  source: SourceModel,
  options: SourceRunnerOptions,
  signal: AbortSignal,
  run: TriggerRun | undefined,
): Promise<void> {
  const { context, emit } = options;
  const call = source.call as (context: SourceContext) => AsyncIterable<SourceKey>;
  const iterator = call({ ...context, signal })[Symbol.asyncIterator]();
  // A generator that waits for an event sees the abort only by its signal; one that waits in `yield` ends here.
  const end = (): void => {
    iterator.return?.().catch(() => undefined);
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      try {
        emit(next.value, source.name, run);
      } catch (error) {
        // Otherwise a generator with an invalid key would keep its connection when it is started again.
        await iterator.return?.().catch(() => undefined);
        throw error;
      }
    }
  } finally {
    signal.removeEventListener('abort', end);
  }
}
