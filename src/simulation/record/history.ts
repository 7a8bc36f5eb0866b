import type { KubeObject } from '../../api/objects/kube-object.js';
import type { Plan, PlannedFault } from '../plan/plan.js';

/** The program or person that did something. */
export interface Actor {
  readonly type: 'operator' | 'user' | 'fault' | 'controller';
  /** Name of the built-in controller or the fault; replica of the operator (`operator-1`). */
  readonly name: string;
  /** The number of the life of an operator: 1, or more after crashes. */
  readonly life?: number;
  /** The operator's reconcile: index in `History.reconciles` of the reconcile that caused it, if known. */
  readonly reconcile?: number;
}

/** An object by the place of its kind on the server. */
export interface ObjectRef {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** A change of the store. */
export interface Commit {
  readonly index: number;
  /** Milliseconds of virtual time since the start of the run. */
  readonly at: number;
  readonly actor: Actor;
  readonly verb: 'create' | 'update' | 'delete';
  readonly object: ObjectRef;
  readonly uid: string;
  readonly before?: KubeObject | undefined;
  readonly after?: KubeObject | undefined;
  /** Index in `History.requests`; undefined for built-in controllers. */
  readonly request?: number | undefined;
}

/** A request to the server. */
export interface RequestRecord {
  readonly index: number;
  readonly at: number;
  readonly actor: Actor;
  /** The verb of RBAC, or `apply`. */
  readonly verb: string;
  readonly object: Omit<ObjectRef, 'name'> & { readonly name?: string | undefined };
  readonly subresource?: string | undefined;
  readonly body?: string | undefined;
  answeredAt?: number;
  /** HTTP status; undefined when the answer was lost or never came. */
  status?: number | undefined;
  /** The error of the client, without an answer. */
  lost?: 'reset' | 'timeout' | 'refused' | undefined;
  /** File and line of the user's code that sent it, where recorded. */
  place?: string | undefined;
}

/** A version of an object that a reconcile saw: in a read from the cache or the server, or in the answer to a write. */
export interface SeenRecord {
  /** Undefined for a list. */
  readonly object?: ObjectRef | undefined;
  /** The kind of a list. */
  readonly listed?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  /** File and line of the user's code, where recorded. */
  readonly place?: string | undefined;
}

export interface ReconcileRecord {
  readonly index: number;
  readonly at: number;
  readonly actor: Actor;
  readonly controller: string;
  readonly object: ObjectRef;
  /** The last version of the object that the process had received when it began; undefined without one. */
  readonly own?: SeenRecord | undefined;
  /** The other objects that it read from the cache or the server; empty if it did not end. */
  readonly reads: readonly SeenRecord[];
  /** The objects in the answers to its writes; for a write that changes nothing and is not sent, the object in the cache. */
  readonly answers: readonly SeenRecord[];
  /** Undefined if the process ended before. */
  endedAt?: number | undefined;
  outcome?: 'done' | 'requeueAfter' | 'requeue' | 'aborted' | 'failed' | 'terminal' | 'timeout';
  error?: { readonly name: string; readonly message: string; readonly stack?: string | undefined } | undefined;
}

/** All versions that a reconcile saw. */
export function seenIn({ own, reads, answers }: ReconcileRecord): SeenRecord[] {
  return [...(own ? [own] : []), ...reads, ...answers];
}

/** An event of a watch, or an object of a list, that was delivered to the operator. */
export interface Delivery {
  readonly at: number;
  readonly actor: Actor;
  readonly type: 'added' | 'modified' | 'deleted' | 'listed';
  readonly object: ObjectRef;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** The answer to one step of the workload. */
export interface StepRecord {
  readonly at: number;
  readonly answeredAt?: number;
  readonly status?: number;
  /** The message of the server's error. */
  readonly message?: string;
}

/** All objects of the store at one moment. */
export interface Snapshot {
  readonly at: number;
  /** False when changes did not end within the limit of virtual time. */
  readonly isQuiet: boolean;
  readonly objects: readonly KubeObject[];
}

/** Something that is wrong without any comparison. */
export interface Breakdown {
  readonly at: number;
  readonly actor: Actor;
  readonly reason:
    'unhandled rejection' | 'uncaught exception' | 'endless step' | 'endless reconcile' | 'real input or output';
  readonly message: string;
  readonly stack?: string | undefined;
}

/** A fault that happened. */
export interface FiredFault {
  readonly fault: PlannedFault;
  readonly at: number;
}

/** Everything that happened in one run. */
export interface History {
  readonly plan: Plan;
  readonly commits: readonly Commit[];
  readonly requests: readonly RequestRecord[];
  readonly reconciles: readonly ReconcileRecord[];
  readonly deliveries: readonly Delivery[];
  readonly steps: readonly StepRecord[];
  /** After all faults ended. */
  readonly calm: Snapshot;
  /** After a restart of the operator with empty memory. */
  readonly poked?: Snapshot | undefined;
  /** After all objects of the operator's kinds were deleted. */
  readonly removed?: Snapshot | undefined;
  readonly breakdowns: readonly Breakdown[];
  readonly fired: readonly FiredFault[];
  /** Kinds that the operator's classes define, and those they own, as `Kind.group`. */
  readonly definedKinds: readonly string[];
  readonly ownedKinds: readonly string[];
  readonly fieldManagers: readonly string[];
  /** Rolling hash of all steps: equal for equal runs. */
  readonly hash: string;
}
