import { OperatorError } from '../../base/operator-error.js';

/** That a file cannot be written where it should stand. */
export function outputError(
  problem: string,
  hint = 'choose another folder with --out',
  cause?: unknown,
): OperatorError {
  return new OperatorError(problem, { code: 'E_OUTPUT', hint, cause });
}

/** Runs something on a path of the file system; what the system says no to is said with the path. */
export function reporting<T>(place: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof OperatorError) throw error;
    throw outputError(`${place}: ${REASONS[code] ?? code}`, undefined, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'there is no such folder, and none can be made',
  ENOTDIR: 'a file stands where a folder has to',
};
