import { appendToMessage } from './append-to-message.js';
import { OperatorError } from '../base/operator-error.js';

/** Adds the hint of a rejection's error to its message, because test runners print no other property. */
export async function withHint<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw error instanceof OperatorError ? showHint(error) : error;
  }
}

/** Adds an error's hint to its message and stack, unless it is there; returns the error. */
export function showHint(error: OperatorError): OperatorError {
  if (error.hint !== undefined) appendToMessage(error, `\n  hint: ${error.hint}`);
  return error;
}
