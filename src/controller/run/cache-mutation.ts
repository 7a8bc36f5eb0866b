import { OperatorError } from '../../base/operator-error.js';
import { linesFromUserCode } from '../../base/user-frames.js';

/** The messages of V8 for writes to a frozen object. */
const FROZEN = /^Cannot (assign to read only property|add property|delete property|define property|redefine property)/;

/** The text of V8 for any object or list. */
const ANY_OBJECT = / of (?:object )?'?(?:#<Object>|\[object \w+\])'?/;

/**
 * Returns the error to report if user code threw because it changed a frozen object, as those of the cache are.
 *
 * Its stack begins with the line of that code.
 */
export function cacheMutation(
  thrown: unknown,
  where: string,
  hint = 'change a copy: structuredClone(object); sort lists with toSorted()',
): OperatorError | undefined {
  if (!(thrown instanceof TypeError) || !FROZEN.test(thrown.message)) return undefined;
  const problem = thrown.message.replace(ANY_OBJECT, '');
  const error = new OperatorError(`${where} changed a cached object: ${problem}`, {
    code: 'E_CACHE_MUTATION',
    hint,
    cause: thrown,
  });
  error.stack = [`${error.name}: ${error.message}`, ...linesFromUserCode(thrown)].join('\n');
  return error;
}
