import { OperatorError } from '../../base/operator-error.js';
import { ownMember } from '../../base/own-member.js';

/** The error that a file cannot be written. */
export function outputError(
  problem: string,
  hint = 'choose another folder with --out',
  cause?: unknown,
): OperatorError {
  return new OperatorError(problem, { code: 'E_OUTPUT', hint, cause });
}

/** Runs an operation on a path; errors of the file system are rethrown with the path. */
export function reporting<T>(place: string, act: () => T, hint?: string): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof OperatorError) throw error;
    throw outputError(`${place}: ${ownMember(REASONS, code) ?? code}`, hint, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  ENOENT: 'the folder does not exist and cannot be created',
  ENOTDIR: 'a file exists where a folder is required',
};
