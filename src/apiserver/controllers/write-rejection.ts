import { WritePending } from '../admission/pending-write.js';
import { StatusError } from '../errors/status-error.js';

/** Runs a write and reports its rejection before it is thrown, including one that follows a webhook call. */
export function reportRejection<T>(write: () => T, report: (rejection: StatusError) => void): T {
  const reported = (error: unknown): unknown => {
    if (error instanceof StatusError && !isNamespaceTerminating(error)) report(error);
    return error;
  };
  try {
    return write();
  } catch (error) {
    if (!(error instanceof WritePending)) throw reported(error);
    throw new WritePending(
      error.done.catch((rejection: unknown) => {
        throw reported(rejection);
      }),
    );
  }
}

/** Returns whether a write was rejected because its namespace is being deleted, which is expected. */
export function isNamespaceTerminating({ details }: StatusError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}
