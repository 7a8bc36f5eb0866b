import type { KubeObject } from '../../api/objects/kube-object.js';

/** An object by kind and name, as a plan and a timeline spell it: `Deployment default/web`, `Node node-1`. */
export type ObjectText = string;

/** One action of the user of the operator, in order. */
export type WorkloadStep = {
  /** When the step is sent: after the answer of the step before, or when nothing happens any more. Default: `answered`. */
  readonly after?: 'answered' | 'quiet';
} & (
  | { readonly do: 'create'; readonly object: KubeObject }
  /** A JSON merge patch of the object. */
  | { readonly do: 'patch'; readonly object: ObjectText; readonly patch: object }
  | {
      readonly do: 'delete';
      readonly object: ObjectText;
      readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
    }
);

/** The moment of a run at which a fault begins. It names what happens, so that it survives changes of the code. */
export interface Trigger {
  readonly point:
    /** A request of the operator was sent, but has not reached the server. */
    | 'sent'
    /** A write changed the store; its answer is not delivered yet. */
    | 'committed'
    /** The operator has received the answer. */
    | 'answered'
    /** An event of a watch is delivered to the operator. */
    | 'delivered'
    | 'reconcile begins'
    | 'reconcile ends'
    /** The user's n-th step was answered. */
    | 'step'
    | 'start';
  /** Verb of a request: get, list, watch, create, update, patch, apply, delete; of an event: added, modified, deleted. */
  readonly verb?: string;
  /** In canonical spelling: generated suffixes are replaced. */
  readonly object?: ObjectText;
  /** `status` and other subresources. */
  readonly subresource?: string;
  /** Which occurrence, from 1. */
  readonly nth: number;
}

export interface PlannedFault {
  /** Name of the fault: `crash`, `lag`. */
  readonly fault: string;
  readonly trigger: Trigger;
  /** Values of the fault: `{ restart: 'later' }`, `{ ms: 10_000 }`. */
  readonly options?: Readonly<Record<string, string | number>>;
}

/** Everything that one run depends on; the same plan gives the same run. */
export interface Plan {
  readonly seed: number;
  /** Objects that exist before the operator starts. */
  readonly given: readonly KubeObject[];
  readonly workload: readonly WorkloadStep[];
  readonly faults: readonly PlannedFault[];
  readonly replicas: number;
  readonly nodes: number;
  /** How the next step is chosen among those that are due: the first, or by the seed. */
  readonly schedule: 'first' | 'random' | 'priorities';
  /** From a moment on, another future: no fault begins, and the schedule is random. */
  readonly divergence?: Divergence | undefined;
}

/** The moment after which a run differs from the run of its plan. */
export interface Divergence {
  /** Milliseconds of virtual time. */
  readonly afterMs: number;
  /** Seed of the schedule from then on. */
  readonly seed: number;
}
