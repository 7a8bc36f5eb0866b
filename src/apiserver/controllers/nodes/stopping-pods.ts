import type { Cancel, Clock } from '../../../base/clock.js';

/**
 * Default time for containers to end, by the real clock: it models the reaction time of a kubelet, and tests with a
 * stopped clock must not block deletions. A client that deletes a pod can still see it terminating.
 */
const USUAL_MS = 20;

/** Terminating pods with containers that may still run. */
export class StoppingPods {
  /** Stops by pod uid. */
  private readonly stops = new Map<string, { isOver: boolean; readonly cancel: Cancel }>();

  constructor(private readonly clock: Clock) {}

  /** Returns whether the containers have ended; otherwise calls `onOver` once they have. */
  areOver(uid: string, stopMs: number | undefined, onOver: () => void): boolean {
    const stop = this.stops.get(uid);
    if (stop) return stop.isOver;
    const end = (): void => {
      this.stops.set(uid, { isOver: true, cancel: () => undefined });
      onOver();
    };
    const cancel = stopMs === undefined ? afterUsualTime(end) : this.clock.schedule(stopMs, end);
    this.stops.set(uid, { isOver: false, cancel });
    return false;
  }

  forget(uid: string): void {
    this.stops.get(uid)?.cancel();
    this.stops.delete(uid);
  }

  stop(): void {
    for (const uid of [...this.stops.keys()]) this.forget(uid);
  }
}

function afterUsualTime(callback: () => void): Cancel {
  const timer = setTimeout(callback, USUAL_MS);
  return () => clearTimeout(timer);
}
