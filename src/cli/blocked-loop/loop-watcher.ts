/** The settings that the worker thread gets from the main thread. */
export interface WatcherData {
  /** Increased by the main thread's event loop once per tick. */
  readonly beats: SharedArrayBuffer;
  readonly tickMs: number;
  /** Ticks without a beat after which the main thread logs where it is blocked. */
  readonly warnTicks: number;
  /** Ticks without a beat after which the main thread ends. */
  readonly endTicks: number;
  /** The key of `Symbol.for`, at which the main thread's global object has a function that takes a Stage. */
  readonly handler: string;
}

/** The task of the main thread: log, or log and end. */
export type Stage = 'warn' | 'end';

/**
 * Runs in a worker thread and watches the event loop of the main thread. It must not use anything of this module, because
 * the thread gets its source as text: a file would need a bundle of its own.
 *
 * A debugger session pauses the main thread within its loop and calls the handler there, so that the stack is that of the
 * loop. The process ends immediately: a process goes wrong after the termination of its loop, within the state of Node. A
 * thread that does not even pause is blocked outside of JavaScript.
 */
export function loopWatcher(): void {
  const threads = process.getBuiltinModule('node:worker_threads');
  const { beats, tickMs, warnTicks, endTicks, handler } = threads.workerData as WatcherData;
  const { Session } = process.getBuiltinModule('node:inspector');
  const counter = new Int32Array(beats);
  let last = 0;
  let missed = 0;
  let isHandled = true;

  const handle = (stage: Stage): void => {
    const session = new Session();
    isHandled = false;
    session.connectToMainThread();
    session.once('Debugger.paused', ({ params }) => {
      isHandled = true;
      const expression = `globalThis[Symbol.for('${handler}')]('${stage}')`;
      const callFrameId = params.callFrames[0]?.callFrameId ?? '';
      session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression, silent: true }, () => {
        session.post('Debugger.resume');
        session.disconnect();
      });
    });
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  };

  const kill = (): void => {
    const line = 'error: the event loop is blocked outside of JavaScript, the operator ends\n';
    process.getBuiltinModule('node:fs').writeSync(2, line);
    process.kill(process.pid, 'SIGKILL');
  };

  // Time in which this thread did not run either, as in a suspended process, counts as one tick.
  process.getBuiltinModule('node:timers').setInterval(() => {
    const now = Atomics.load(counter, 0);
    missed = now === last ? missed + 1 : 0;
    last = now;
    if (missed === warnTicks) handle('warn');
    else if (missed === endTicks) handle('end');
    else if (missed === endTicks + warnTicks && !isHandled) kill();
  }, tickMs);
}
