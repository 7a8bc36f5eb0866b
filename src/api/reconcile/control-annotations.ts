import { parseTime } from '../../base/timestamp.js';
import type { KubeObject, ReadonlyDeep } from '../objects/kube-object.js';
import type { Predicate } from '../events/predicate.js';

/** Stops the reconciles of an object: `true`, or the time until which they stop. */
export const PAUSED = 'kindwright.dev/paused';

/** Requests a reconcile when its value changes; the value is acknowledged in `status.lastHandledReconcileAt`. */
export const RECONCILE_REQUESTED = 'kindwright.dev/reconcile-requested-at';

/** Passes changes of the annotations with which users control the reconciles of an object. */
export const controlChanged: Predicate = (event) =>
  event.type === 'update' &&
  [PAUSED, RECONCILE_REQUESTED].some((name) => annotation(event.object, name) !== annotation(event.old, name));

function annotation({ metadata }: ReadonlyDeep<KubeObject>, name: string): string | undefined {
  return metadata.annotations?.[name];
}

/** Why an object is not reconciled. */
export interface Pause {
  /** Undefined: until the annotation changes. */
  readonly untilMs: number | undefined;
  readonly message: string;
  /** False for a value that cannot be read. */
  readonly isValid: boolean;
}

/** Returns the pause of an object, or undefined when it is to be reconciled. A value that cannot be read pauses, too. */
export function pauseOf(object: ReadonlyDeep<KubeObject>, nowMs: number): Pause | undefined {
  const value = annotation(object, PAUSED);
  if (value === undefined || value === 'false') return undefined;
  if (value === 'true')
    return { untilMs: undefined, message: `not reconciled while ${PAUSED} is "true"`, isValid: true };
  const untilMs = parseTime(value);
  if (untilMs === undefined) {
    const expected = 'neither "true", "false" nor a time such as 2030-01-31T08:00:00Z';
    return {
      untilMs,
      message: `not reconciled: ${PAUSED} is ${JSON.stringify(value)}, ${expected}; correct or remove it`,
      isValid: false,
    };
  }
  if (untilMs <= nowMs) return undefined;
  return { untilMs, message: `not reconciled until ${value}, the value of ${PAUSED}`, isValid: true };
}
