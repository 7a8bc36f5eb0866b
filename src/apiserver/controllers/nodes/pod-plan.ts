import { controllerOf } from '../../../api/owner-reference.js';
import { eachObject } from '../../objects/api-object.js';
import { objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';

/** A pod as the simulation asks about it. */
export interface SimulatedPod {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly nodeName: string;
  readonly images: readonly string[];
  /** How often its containers have been started again. */
  readonly restarts: number;
}

/** What becomes of a pod once it is on a node. */
export interface PodPlan {
  /** Time from its creation until its containers run. Default: `podStartDelayMs`. */
  readonly startDelayMs?: number;
  /** Its containers never start; why, e.g. `ImagePullBackOff`. */
  readonly waitingReason?: string;
  /** Its containers end with this code after `runMs`. Default: 0 for the pods of Jobs; others run until deleted. */
  readonly exitCode?: number;
  /** Time its containers run before they end. Default: 0. */
  readonly runMs?: number;
  /** Time its containers take to end once it is being deleted, at most its grace. Default: a few real milliseconds. */
  readonly stopMs?: number;
  /** Lines each of its containers writes into its log when it starts. */
  readonly log?: readonly string[];
}

/** Decides over a pod each time its containers are to start; nothing when it behaves as usual. */
export type PodPlanner = (pod: SimulatedPod) => PodPlan | undefined;

/** The plan for a pod, with the defaults of its kind. */
function planFor(pod: ApiObject, planner: PodPlanner | undefined, startDelayMs: number): PodPlan {
  const usual = { startDelayMs, ...(controllerOf(pod)?.kind === 'Job' && { exitCode: 0 }) };
  return { ...usual, ...planner?.(describe(pod)) };
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
