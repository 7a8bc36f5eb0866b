import { OperatorError } from './operator-error.js';

/** The error for a name that no longer exists, for code that no compiler has checked. */
export function renamedError(name: string, replacement: string): OperatorError {
  return new OperatorError(`${name} does not exist`, { code: 'E_RENAMED', hint: `write ${replacement}` });
}
