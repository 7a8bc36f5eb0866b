import { WritePending } from '../admission/pending-write.js';
import { StatusError } from '../errors/status-error.js';

/** Does a write; if it is refused, be it once webhooks have answered, that is told before it is thrown. */
export function tellRefusal<T>(write: () => T, tell: (refusal: StatusError) => void): T {
  const told = (error: unknown): unknown => {
    if (error instanceof StatusError && !isNamespaceTerminating(error)) tell(error);
    return error;
  };
  try {
    return write();
  } catch (error) {
    if (!(error instanceof WritePending)) throw told(error);
    throw new WritePending(
      error.done.catch((refusal: unknown) => {
        throw told(refusal);
      }),
    );
  }
}

/** Nothing can be done about that, and nobody needs to know. */
export function isNamespaceTerminating({ details }: StatusError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}
