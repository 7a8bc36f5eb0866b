import type { ObjectEvent } from '../../api/object-event.js';
import { objectKey, type ObjectKey } from '../../api/object-key.js';
import type { Clock } from '../../base/clock.js';
import type { AddOptions } from '../../queue/queue.js';
import type { ResourceModel } from '../../resource/model.js';
import type { TimerModel } from '../../resource/triggers/timer-models.js';
import type { Enqueue } from '../event-handler.js';
import { DueMethods } from './due-methods.js';
import { ObjectTimers } from './object-timers.js';
import type { TriggerMetrics } from './trigger-metrics.js';

export interface TriggersOptions {
  readonly clock: Clock;
  readonly enqueue: Enqueue;
  readonly metrics?: TriggerMetrics | undefined;
}

/**
 * The triggers of a controller other than watches.
 *
 * Order: `follow` each event of the own kind while this process leads, then `stop`.
 */
export class Triggers {
  readonly due = new DueMethods();
  private readonly timers: ObjectTimers;

  constructor(
    private readonly model: ResourceModel,
    private readonly options: TriggersOptions,
  ) {
    const { clock } = options;
    this.timers = new ObjectTimers({
      timers: model.timers,
      clock,
      onDue: (key, timer) => {
        this.fire(key, timer);
      },
    });
  }

  /** Starts what runs for an object that appears, and stops it for one that is being deleted. */
  follow({ type, object }: ObjectEvent): void {
    const key = objectKey(object);
    if (type === 'delete' || object.metadata.deletionTimestamp !== undefined) this.forget(key);
    else this.appeared(key, object.metadata.uid ?? '');
  }

  stop(): void {
    this.timers.stop();
  }

  private appeared(key: ObjectKey, uid: string): void {
    if (this.model.timers.length === 0 || !this.timers.add(key, uid)) return;
    this.due.forget(key);
    for (const { method, schedule } of this.model.timers)
      if (method !== undefined && schedule.type === 'interval') this.due.add(key, method);
  }

  private forget(key: ObjectKey): void {
    this.timers.remove(key);
    this.due.forget(key);
  }

  private fire(key: ObjectKey, { name, method }: TimerModel): void {
    if (method !== undefined) this.due.add(key, method);
    this.options.metrics?.timerFired(name);
    this.options.enqueue(key, triggeredBy(name));
  }
}

/** Low priority: no object has changed, and changes of users come first. */
function triggeredBy(source: string): AddOptions {
  return { cause: { type: 'trigger', source }, priority: 'low' };
}
