import type { Cancel } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { userFrames } from '../../base/user-frames.js';
import { ExitCode } from '../exit-codes.js';
import { loopWatcher, type Stage, type WatcherData } from './loop-watcher.js';

interface WatchOptions {
  readonly logger: Logger;
  /** The time after which the place of a blocked event loop is logged. */
  readonly warnMs: number;
  /** The time after which the process ends. */
  readonly endMs: number;
}

const HANDLER = 'kindwright.blockedEventLoop';
const MAX_TICK_MS = 1000;
/** Ticks until the warning at least. */
const MIN_TICKS = 4;
const MAX_FRAMES = 100;

/**
 * Watches from a worker thread whether the event loop of this thread turns. A loop without end in the code of a user would
 * otherwise stop the process without a line in the log, and signals would have no effect.
 *
 * The thread takes 9 MB of memory. Not active while a debugger is attached.
 */
export function watchEventLoop({ logger, warnMs, endMs }: WatchOptions): Cancel {
  if (isDebugged()) return () => undefined;
  const threads = process.getBuiltinModule('node:worker_threads');
  const tickMs = Math.min(MAX_TICK_MS, warnMs / MIN_TICKS);
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  const blocked = new BlockedLoop(logger, endMs);
  Object.defineProperty(globalThis, Symbol.for(HANDLER), {
    value: (stage: Stage) => {
      blocked.handle(stage);
    },
    configurable: true,
  });
  const timers = process.getBuiltinModule('node:timers');
  const beat = timers.setInterval(() => {
    Atomics.add(counter, 0, 1);
    blocked.turned();
  }, tickMs);
  beat.unref();
  const ticks = { warnTicks: Math.ceil(warnMs / tickMs), endTicks: Math.ceil(endMs / tickMs) };
  const workerData: WatcherData = { beats, tickMs, ...ticks, handler: HANDLER };
  // esbuild's keepNames, as in the bundles of kindwright build, has each function named by a helper of the module.
  const source = `const __name = (named) => named; (${loopWatcher.toString()})()`;
  const worker = new threads.Worker(source, { eval: true, workerData, execArgv: [], env: threads.SHARE_ENV });
  worker.unref();
  worker.on('error', (error) => {
    logger.warn('the event loop is not watched', { err: error });
  });
  return () => {
    timers.clearInterval(beat);
    void worker.terminate();
  };
}

/** The reaction of the main thread while, and after, its event loop does not turn. */
class BlockedLoop {
  private isWarned = false;

  constructor(
    private readonly logger: Logger,
    private readonly endMs: number,
  ) {}

  /** Called by the debugger session of the worker thread within the code that blocks the event loop. */
  handle(stage: Stage): void {
    if (isDebugged()) return;
    const err = blockingCode();
    const [place] = userFrames(err);
    const where = place ? { in: place.caller, at: place.location } : { err };
    if (stage === 'warn') {
      this.isWarned = true;
      const hint = `no other object is reconciled meanwhile, and the operator ends after ${this.endMs / 1000} s; end the loop, or await between its parts`;
      this.logger.warn('the event loop is blocked', { ...where, hint });
      return;
    }
    const hint = 'end the loop, or await between its parts; --event-loop-timeout sets the time, 0 disables the check';
    this.logger.error(`the event loop was blocked for ${this.endMs / 1000} s, the operator ends`, { ...where, hint });
    process.exit(ExitCode.blocked);
  }

  /** Called by each turn of the event loop. */
  turned(): void {
    if (this.isWarned) this.logger.info('the event loop turns again');
    this.isWarned = false;
  }
}

/** Whoever debugs the process stops its event loop. */
function isDebugged(): boolean {
  return process.getBuiltinModule('node:inspector').url() !== undefined;
}

/** An error with the stack of the code that runs now, below this module. */
function blockingCode(): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MAX_FRAMES;
  const error = new Error('the code that runs');
  Error.captureStackTrace(error, blockingCode);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
