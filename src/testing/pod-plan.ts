import type { PodPlanner as ServerPlanner, SimulatedPod } from '../apiserver/controllers/nodes/pod-plan.js';
import type { Duration } from '../base/duration.js';
import { optionMs } from '../base/option-ms.js';
import { renamedError } from '../base/renamed.js';

/** The simulated behavior of a pod on its node. */
export interface PodPlan {
  /** Time from its creation until its containers run. Default: `podStartDelay`. */
  readonly startDelay?: Duration;
  /** The containers never start, for this reason, e.g. `ImagePullBackOff`. */
  readonly waitingReason?: string;
  /**
   * Exit code of the containers after `runTime`. Default: 0 for the pods of Jobs, and for containers with `stdin` and
   * `stdinOnce`, to which no client can attach; others run until deleted.
   */
  readonly exitCode?: number;
  /** Time the containers run before they exit. Default: 0. */
  readonly runTime?: Duration;
  /** Time the containers take to exit on deletion, at most the grace period. Default: a few real milliseconds. */
  readonly stopTime?: Duration;
  /** Lines that each container logs at its start. */
  readonly log?: readonly string[];
}

/** Plans the behavior of a pod at each start of its containers; undefined for the default behavior. */
export type PodPlanner = (pod: SimulatedPod) => PodPlan | undefined;

/** Former names of members, and the member to write instead. */
const RENAMED = { startDelayMs: 'startDelay', runMs: 'runTime', stopMs: 'stopTime' };

/** Returns the planner of the embedded server for a planner of a test. */
export function serverPlanner(planner: PodPlanner): ServerPlanner {
  return (pod) => {
    const { startDelay, runTime, stopTime, ...plan } = planner(pod) ?? {};
    for (const [former, name] of Object.entries(RENAMED))
      if (Object.hasOwn(plan, former)) throw renamedError(`planPod: ${former}`, `${name}: '5s'`);
    return {
      ...plan,
      ...(startDelay !== undefined && { startDelayMs: optionMs('startDelay', startDelay, 0) }),
      ...(runTime !== undefined && { runMs: optionMs('runTime', runTime, 0) }),
      ...(stopTime !== undefined && { stopMs: optionMs('stopTime', stopTime, 0) }),
    };
  };
}
