/** `PodSet.apps.example.com`, or `Pod` for the core group; identifies a kind in rows and URLs. */
export type KindId = string;

export interface KindInfo {
  readonly id: KindId;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** The controllers that reconcile objects of the kind; empty for kinds that are only watched. */
  readonly controllers: readonly string[];
  /** The part of the objects that the operator caches. */
  readonly shape: 'whole' | 'fields' | 'metadata only';
  readonly objects: number;
}

export interface ControllerInfo {
  readonly name: string;
  readonly kind: KindId;
  readonly className: string;
  readonly maxConcurrentReconciles: number;
}

/** Names one object; `uid` is missing when it is unknown, as for an object that could not be created. */
export interface ObjectRefWire {
  readonly kind: KindId;
  /** Missing for objects of cluster scope. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  /** Missing for the operator's own cluster. */
  readonly cluster?: string;
}

/** `ok`: as desired; `progress`: on the way; `error`: a person should look; `none`: the object has no status. */
export type StateLevel = 'ok' | 'progress' | 'error' | 'none';

/** One line of the list of objects. */
export interface ObjectRow extends ObjectRefWire {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly createdAt: number;
  readonly level: StateLevel;
  /** One or two words: `Ready`, `Degraded`, `Available`, `Running`, `Terminating`; empty for level `none`. */
  readonly state: string;
  /** Reason or message of the condition that `state` comes from. */
  readonly detail?: string;
  readonly generation?: number;
  readonly observedGeneration?: number;
  /** uid of the owner that controls it, or of its first owner. */
  readonly owner?: string;
  readonly isDeleting?: true;
  /** The last recorded run of the object. */
  readonly lastRun?: { readonly id: string; readonly at: number; readonly outcome?: RunOutcome };
  /** Runs in the last minute; missing for 0. */
  readonly runsPerMinute?: number;
}

export interface ObjectPage {
  readonly rows: readonly ObjectRow[];
  /** Number of all objects that match. */
  readonly total: number;
  /** To be passed as `after`; missing on the last page. */
  readonly next?: string;
}

export interface ObjectDetail {
  readonly row: ObjectRow;
  /** Without managedFields; values of Secrets are `‹redacted 1f9a3c07›`. */
  readonly yaml: string;
  /** True when the operator caches only a part, so that `yaml` is incomplete and cannot be edited. */
  readonly isPartial?: true;
  readonly conditions: readonly ConditionWire[];
  /** The controllers that reconcile the object. */
  readonly controllers: readonly string[];
  /** Undefined when no reconcile is waiting. */
  readonly waiting?: { readonly controller: string; readonly dueInMs: number; readonly isHeldByHotLoop?: true };
}

export interface ConditionWire {
  readonly type: string;
  readonly status: string;
  readonly level: StateLevel;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly transitionAt?: number;
  /** The values that were seen since the console runs, the oldest first, without the present one; at most 50. */
  readonly history: readonly ConditionChange[];
}

export interface ConditionChange {
  readonly at: number;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The object with its owners above it and everything they own. */
export interface ObjectTree {
  readonly root: TreeNode;
  /** uid of the requested object. */
  readonly selected: string;
}

export interface TreeNode {
  /** An owner that is not cached has level `none`, state `not cached`, and an empty resourceVersion. */
  readonly row: ObjectRow;
  readonly children: readonly TreeNode[];
  /** Children that are left out, by kind; empty if all are there. */
  readonly omitted: readonly { readonly kind: KindId; readonly count: number }[];
}

export interface EventLine {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The component that reported it. */
  readonly source: string;
}

export interface EventList {
  /** The newest first. */
  readonly events: readonly EventLine[];
  /** Set when the events could not be read, for example for lack of permission. */
  readonly error?: string;
}

export type RunOutcome = 'done' | 'requeueAfter' | 'requeue' | 'aborted' | 'failed' | 'terminal' | 'timeout';
