import type { Trigger } from '../plan/plan.js';
import type { Commit, RequestRecord } from '../record/history.js';
import type { Exchange } from './exchange.js';
import type { OperatorProcess } from './operator-process.js';

/** Something that happens, at which a fault can begin. */
export interface WorldEvent {
  readonly point: Trigger['point'];
  readonly verb?: string | undefined;
  /** In canonical spelling. */
  readonly object?: string | undefined;
  readonly subresource?: string | undefined;
  readonly process?: OperatorProcess | undefined;
  /** The request of the points `sent`, `committed` and `answered`. */
  readonly exchange?: Exchange | undefined;
  readonly request?: RequestRecord | undefined;
  readonly commits?: readonly Commit[] | undefined;
  /** The lane of the stream, of the point `told`. */
  readonly lane?: string | undefined;
  /** The reconciled or delivered object, uncanonical. */
  readonly place?: { readonly kind: string; readonly namespace?: string | undefined; readonly name: string } | undefined;
}
