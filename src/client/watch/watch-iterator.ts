import type { KubeObject } from '../../api/objects/kube-object.js';
import type { StreamFlow } from '../http/call.js';
import type { WatchEvent, WatchHandler } from './watch-decoder.js';

/** Runs a watch until its signal is aborted. */
export type RunWatch = (
  onEvent: WatchHandler,
  onFlow: (flow: StreamFlow) => void,
  signal: AbortSignal,
) => Promise<void>;

/** The number of unconsumed events above which reading from the connection is paused. */
const MAX_WAITING = 1000;

/** Iterates over the events of a watch. Leaving the `for await` loop ends the watch. */
export async function* iterateWatch<T extends KubeObject>(
  run: RunWatch,
  signal?: AbortSignal,
): AsyncGenerator<WatchEvent<T>> {
  const abort = new AbortController();
  const own = signal ? AbortSignal.any([signal, abort.signal]) : abort.signal;
  let waiting: WatchEvent<T>[] = [];
  let flow: StreamFlow | undefined;
  let outcome: { readonly error?: unknown } | undefined;
  let wake: () => void = () => undefined;
  const onEvent: WatchHandler = (type, object) => {
    waiting.push({ type, object: object as unknown as T });
    if (waiting.length > MAX_WAITING) flow?.pause();
    wake();
  };
  run(onEvent, (given) => (flow = given), own).then(
    () => {
      outcome = {};
      wake();
    },
    (error: unknown) => {
      outcome = { error };
      wake();
    },
  );
  try {
    for (;;) {
      const batch = waiting;
      waiting = [];
      yield* batch;
      flow?.resume();
      if (waiting.length > 0) continue;
      if (outcome) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    if ('error' in outcome) throw outcome.error;
  } finally {
    abort.abort();
  }
}
