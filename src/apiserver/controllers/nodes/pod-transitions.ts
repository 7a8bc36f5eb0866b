import type { Clock } from '../../../base/clock.js';
import type { ApiObject } from '../../objects/api-object.js';

/** The exact times of the last transitions of pods: timestamps in objects have whole seconds. */
export class PodTransitions {
  /** By uid. */
  private readonly last = new Map<string, { readonly timestamp: string; readonly atMs: number }>();

  constructor(private readonly clock: Clock) {}

  /** Records a transition that happens now and has this timestamp in the object. */
  record({ metadata: { uid = '' } }: ApiObject, timestamp: string): void {
    this.last.set(uid, { timestamp, atMs: this.clock.now() });
  }

  /**
   * Returns the time of the transition with this timestamp, in milliseconds since the epoch: the exact one if it was
   * recorded, else that of the timestamp, as after a restart of the server.
   */
  timeOf({ metadata: { uid = '' } }: ApiObject, timestamp: string): number {
    const last = this.last.get(uid);
    return last?.timestamp === timestamp ? last.atMs : Date.parse(timestamp);
  }

  forget({ metadata: { uid = '' } }: ApiObject): void {
    this.last.delete(uid);
  }
}
