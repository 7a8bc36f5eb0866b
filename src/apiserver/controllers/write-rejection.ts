import { WritePending } from '../admission/pending-write.js';
import { StatusError } from '../errors/status-error.js';

/** Runs a write and reports its rejection, also one that follows the answer of a webhook, before it is thrown. */
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

/** Reports whether the namespace is being deleted: the rejection is expected. */
export function isNamespaceTerminating({ details }: StatusError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}
