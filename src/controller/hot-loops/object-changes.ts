import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { ObjectKey } from '../../api/objects/object-key.js';
import type { Op, WriteOp } from '../../api/reconcile/reconcile-observer.js';
import { changedFields, type ChangedField } from '../../base/changed-fields.js';

/** A write that changed a field of an object. An object that was created or deleted has one change, of the path []. */
export interface ObjectChange extends ChangedField {
  readonly kind: KindRef;
  readonly key: ObjectKey;
}

/** Changes of one write looked at; one is enough to find the field that changes in every reconcile. */
const CHANGES_PER_WRITE = 20;

/** Members that the server sets itself, or that change with every write. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  'resourceVersion',
  'generation',
  'managedFields',
  'uid',
  'creationTimestamp',
]);

/** Returns whether the operation is a write after which the server had another state of the object. */
export function isEffectiveWrite(op: Op): op is WriteOp {
  if (op.do === 'get' || op.do === 'list' || op.do === 'event') return false;
  const isAnswered = op.ms !== undefined && !op.error && !op.isSkipped;
  return isAnswered && isChange(op);
}

function isChange({ do: action, before, after }: WriteOp): boolean {
  if (action === 'delete') return before?.metadata.deletionTimestamp === undefined;
  return before?.metadata.resourceVersion !== after?.metadata.resourceVersion;
}

/** The fields that a write changed: those of the status for a write of the status, all but those for any other. */
export function changesOf({ do: action, kind, key, before, after }: WriteOp): ObjectChange[] {
  if (action === 'delete') return [{ kind, key, path: [], from: 'present', to: 'deleted' }];
  if (!before || !after || before.metadata.uid !== after.metadata.uid) {
    return [{ kind, key, path: [], from: 'absent', to: 'created' }];
  }
  const part = action === 'status' ? statusOf : withoutStatus;
  return changedFields(part(before), part(after), CHANGES_PER_WRITE).map((change) => ({ kind, key, ...change }));
}

function statusOf(object: ReadonlyDeep<KubeObject>): unknown {
  return { status: (object as { status?: unknown }).status };
}

function withoutStatus(object: ReadonlyDeep<KubeObject>): unknown {
  const { metadata, status: _, ...rest } = object as ReadonlyDeep<KubeObject> & { readonly status?: unknown };
  const stable = Object.entries(metadata).filter(([name]) => !BOOKKEEPING.has(name));
  return { ...rest, metadata: Object.fromEntries(stable) };
}
