import type { KindRef } from '../../api/kinds/kind-ref.js';
import { OperatorError } from '../../base/operator-error.js';

/** A call on a namespaced kind has no namespace, and the reconciled object has none either. */
export class NoNamespaceError extends OperatorError {
  /** @param call - the call with a namespace, for the hint */
  constructor({ kind }: KindRef, name: string, call: string) {
    super(`${kind} ${name} is namespaced, and the reconciled object is not`, { code: 'E_NO_NAMESPACE', hint: call });
  }
}
