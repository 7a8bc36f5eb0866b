import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type {
  Cause,
  EventOp,
  GetOp,
  ListOp,
  Op,
  Run,
  RunRef,
  WriteOp,
  End,
} from '../../api/reconcile/reconcile-observer.js';
import type { CauseDetail, OpDetail } from '../wire.js';

/** A read without the objects that it found. */
export type ReadRecord = Pick<GetOp | ListOp, 'do' | 'kind' | 'from' | 'startMs' | 'ms' | 'error'> & {
  readonly key?: string | undefined;
  readonly namespace?: string | undefined;
  readonly count: number;
};

/** A controller and an object that it reconciles. */
export type RunObject = Omit<RunRef, 'id'>;

export type OpRecord = ReadRecord | WriteOp | EventOp;

/** The details of a run that remain when its objects are dropped. */
export interface FrozenDetails {
  readonly why: string;
  readonly causes: readonly CauseDetail[];
  readonly ops: readonly OpDetail[];
}

/**
 * A run as the console keeps it. The states that it names are references to objects of the cache, so that recording costs
 * no copy. When they need too much memory, `frozen` replaces them.
 */
export interface RunRecord extends RunRef {
  readonly attempt: number;
  readonly startMs: number;
  readonly end: End | undefined;
  readonly causesOmitted: number;
  /** Writes that were sent. */
  readonly writes: number;
  readonly isNotable: boolean;
  causes: readonly Cause[];
  ops: readonly OpRecord[];
  frozen?: FrozenDetails;
  /** The versions of objects that a frozen run wrote. */
  versions?: readonly string[];
  /** Estimated, without states. */
  bytes: number;
}

/** Runs that take longer are kept like those that wrote. */
const SLOW_MS = 1000;
const RUN_BYTES = 500;
const OP_BYTES = 160;
const CAUSE_BYTES = 160;

/** Records a run that has ended, or is still running. */
export function recordOf(run: Run): RunRecord {
  const { id, controller, cluster, key, attempt, startMs, end, causes, causesOmitted } = run;
  const ops = run.ops.map(recordOp);
  return {
    id,
    controller,
    cluster,
    key,
    attempt,
    startMs,
    end,
    causes,
    causesOmitted,
    ops,
    writes: ops.filter(isSentWrite).length,
    isNotable: isNotable(run),
    bytes: RUN_BYTES + ops.length * OP_BYTES + causes.length * CAUSE_BYTES,
  };
}

/** Returns whether a run is worth more than those that changed nothing: it is running, wrote, failed or was slow. */
export function isNotable({ ops, end }: Pick<Run, 'ops' | 'end'>): boolean {
  return !end || !isRoutineEnd(end) || ops.some(isSentWrite);
}

function isRoutineEnd({ outcome, ms }: End): boolean {
  return (outcome === 'done' || outcome === 'requeueAfter') && ms < SLOW_MS;
}

function recordOp(op: Op): OpRecord {
  if (op.do === 'get') {
    const { do: action, kind, key, from, startMs, ms, error, found } = op;
    return { do: action, kind, key, from, startMs, ms, error, count: found ? 1 : 0 } as ReadRecord;
  }
  if (op.do === 'list') {
    const { do: action, kind, namespace, from, startMs, ms, error, found } = op;
    return { do: action, kind, namespace, from, startMs, ms, error, count: found?.length ?? 0 } as ReadRecord;
  }
  return 'caller' in op && op.ms !== undefined ? withoutCaller(op) : op;
}

/** The stack of the call is not shown, and holds more memory than the rest. */
function withoutCaller({ caller: _, ...op }: WriteOp): WriteOp {
  return op;
}

function isSentWrite(op: OpRecord | Op): op is WriteOp {
  return isWrite(op) && op.isSkipped !== true;
}

export function isWrite(op: OpRecord | Op): op is WriteOp {
  return op.do !== 'get' && op.do !== 'list' && op.do !== 'event';
}

/** The versions of objects that a run has written. */
export function writtenVersions({ ops, versions }: RunRecord): readonly string[] {
  return versions ?? ops.flatMap((op) => (isSentWrite(op) && op.after ? stateVersion(op.after) : []));
}

export function stateVersion({ metadata }: ReadonlyDeep<KubeObject>): string {
  return `${metadata.uid ?? ''}/${metadata.resourceVersion ?? ''}`;
}
