import { splitKey } from '../../api/objects/object-key.js';
import type { CauseDetail, KindId, OpDetail } from '../wire.js';
import type { Visibility } from './visibility.js';

/** Returns a cause without an object that the user does not see. */
export function visibleCause(
  cause: CauseDetail,
  visibility: Visibility,
  kindOf: (controller: string) => KindId,
): CauseDetail {
  const { object, byRun, source = '', event } = cause;
  const isHidden = object !== undefined && !visibility.sees(object);
  const isWriterHidden =
    byRun !== undefined &&
    !visibility.sees({ kind: kindOf(byRun.controller), namespace: splitKey(byRun.object).namespace });
  if (!isHidden && !isWriterHidden) return cause;
  const { byRun: _, ...rest } = cause;
  const text = [source, event, ...(isHidden || !object ? [] : [nameOf(object)])].join(' ');
  if (!isHidden) return { ...rest, text };
  const { object: __, changes: ___, changesOmitted: ____, ...hidden } = rest;
  return { ...hidden, text };
}

/** Returns a read or write without the name and the fields of an object that the user does not see. */
export function visibleOp(op: OpDetail, visibility: Visibility): OpDetail {
  const { do: action, kind, namespace, name, atMs, ms, from } = op;
  if (kind === undefined) return op;
  // A list of all namespaces names none.
  const isOfAll = action === 'list' && namespace === undefined && name === undefined;
  if (isOfAll ? visibility.seesAll(kind) : visibility.sees({ kind, namespace })) return op;
  return {
    do: action,
    atMs,
    kind,
    ...(ms !== undefined && { ms }),
    ...(from !== undefined && { from }),
    ...(op.isSkipped && { isSkipped: true }),
    isDiffDropped: true,
  };
}

function nameOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
