import type { Cancel, Clock } from '../../../base/clock.js';

/**
 * Time containers take to end where no plan says how long: by the real clock, as it is what a kubelet needs to act, so
 * that tests whose clock stands still see their pods go. A client that deletes a pod finds it on its way out.
 */
const USUAL_MS = 20;

/** Which pods being deleted still have containers that run. */
export class StoppingPods {
  /** By uid. */
  private readonly stops = new Map<string, { isOver: boolean; readonly cancel: Cancel }>();

  constructor(private readonly clock: Clock) {}

  /** Whether the containers have ended; tells `onOver` once they have. */
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
