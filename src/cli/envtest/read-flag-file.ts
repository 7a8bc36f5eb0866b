import { OperatorError } from '../../base/operator-error.js';
import { readText } from '../../base/read-text.js';

/**
 * Returns the content of a file that a flag names.
 *
 * @throws OperatorError that names flag, file and reason.
 */
export function readFlagFile(flag: string, path: string): string {
  try {
    return readText(path);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${flag} ${path} cannot be read: ${(error as Error).message}`, {
      code: 'E_ENVTEST_FLAG',
      hint: 'pass an existing file, or omit the flag',
      cause: error,
    });
  }
}
