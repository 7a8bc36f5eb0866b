import { processRedactor } from '../../api/access/redaction.js';
import { OperatorError } from '../../base/operator-error.js';
import { userLocation } from '../../base/user-frames.js';
import type { ErrorDetail } from '../wire.js';

const LONGEST_STACK = 8000;

/** Describes an error, redacted, with its place in the user's code. */
export function errorDetail(error: Error): ErrorDetail {
  const location = userLocation(error);
  const hint = error instanceof OperatorError ? error.hint : undefined;
  return {
    name: error.name,
    message: processRedactor.text(error.message),
    ...(hint !== undefined && { hint: processRedactor.text(hint) }),
    ...(location !== undefined && { location }),
    stack: processRedactor.text(error.stack ?? '').slice(0, LONGEST_STACK),
  };
}

/** The first line of an error's message. */
export function errorLine(error: Error): string {
  return processRedactor.text(error.message.split('\n', 1)[0] ?? '').slice(0, 500);
}
