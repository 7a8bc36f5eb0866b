import { OperatorError } from '../base/operator-error.js';

/** The messages of V8 for writes to a frozen object. */
const FROZEN = /^Cannot (assign to read only property|add property|delete property|define property|redefine property)/;

/** Returns the error to report if user code threw because it changed a frozen object, as those of the cache are. */
export function cacheMutation(
  thrown: unknown,
  where: string,
  hint = 'change a copy: structuredClone(object); sort lists with toSorted()',
): OperatorError | undefined {
  if (!(thrown instanceof TypeError) || !FROZEN.test(thrown.message)) return undefined;
  return new OperatorError(`${where} changed a cached object: ${thrown.message}`, {
    code: 'E_CACHE_MUTATION',
    hint,
    cause: thrown,
  });
}
