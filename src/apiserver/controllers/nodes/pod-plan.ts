import { controllerOf } from '../../../api/kinds/owner-reference.js';
import { eachObject, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';

/** A pod, as passed to the planner. */
export interface SimulatedPod {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly nodeName: string;
  readonly images: readonly string[];
  /** Number of restarts of its containers. */
  readonly restarts: number;
}

/** The simulated behavior of a pod on its node. */
export interface PodPlan {
  /** Time from its creation until its containers run. Default: `podStartDelayMs`. */
  readonly startDelayMs?: number;
  /** The containers never start, for this reason, e.g. `ImagePullBackOff`. */
  readonly waitingReason?: string;
  /**
   * Exit code of the containers after `runMs`. Default: 0 for the pods of Jobs, and for
   * containers with `stdin` and `stdinOnce`, to which no client can attach; others run until deleted.
   */
  readonly exitCode?: number;
  /** Time the containers run before they exit. Default: 0. */
  readonly runMs?: number;
  /** Time the containers take to exit on deletion, at most the grace period. Default: a few real milliseconds. */
  readonly stopMs?: number;
  /** Lines that each container logs at its start. */
  readonly log?: readonly string[];
}

/** Plans the behavior of a pod at each start of its containers; undefined for the default behavior. */
export type PodPlanner = (pod: SimulatedPod) => PodPlan | undefined;

/** Returns the plan for a pod, with the defaults of its kind. */
function planFor(pod: ApiObject, planner: PodPlanner | undefined, startDelayMs: number): PodPlan {
  const ends = controllerOf(pod)?.kind === 'Job' || readsStandardInput(pod);
  const usual = { startDelayMs, ...(ends && { exitCode: 0 }) };
  return { ...usual, ...planner?.(describe(pod)) };
}

/**
 * Returns whether a container reads from the client that attaches to it, as those of `kubectl run -it`. Nothing can be
 * attached here, so its standard input is at its end.
 */
function readsStandardInput({ spec }: ApiObject): boolean {
  return eachObject(objectAt({ spec }, 'spec').containers).some(
    ({ stdin, stdinOnce }) => stdin === true && stdinOnce === true,
  );
}

/** The plans of pods. The planner is called once for each start of a pod's containers. */
export class PodPlans {
  private readonly plans = new Map<string, { readonly restarts: number; readonly plan: PodPlan }>();

  constructor(
    private readonly planner: PodPlanner | undefined,
    private readonly startDelayMs: number,
  ) {}

  of(pod: ApiObject): PodPlan {
    const { uid = '' } = pod.metadata;
    const restarts = restartsOf(pod);
    const known = this.plans.get(uid);
    if (known?.restarts === restarts) return known.plan;
    const plan = planFor(pod, this.planner, this.startDelayMs);
    this.plans.set(uid, { restarts, plan });
    return plan;
  }

  forget({ metadata: { uid = '' } }: ApiObject): void {
    this.plans.delete(uid);
  }
}

export function restartsOf({ status }: ApiObject): number {
  const [container] = eachObject(objectAt({ status }, 'status').containerStatuses);
  return Number(container?.restartCount ?? 0);
}

function describe(pod: ApiObject): SimulatedPod {
  const { name, namespace = '', labels = {}, annotations = {} } = pod.metadata;
  const images = eachObject(objectAt(pod, 'spec').containers).map((container) => stringAt(container, 'image'));
  const nodeName = stringAt(pod.spec, 'nodeName');
  return { name, namespace, labels, annotations, nodeName, images, restarts: restartsOf(pod) };
}
