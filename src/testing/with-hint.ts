import { OperatorError } from '../base/operator-error.js';

/** Puts an error's hint into its message: runners of tests show that, and no other property. */
export async function withHint<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof OperatorError && error.hint !== undefined) addHint(error, error.hint);
    throw error;
  }
}

function addHint(error: OperatorError, hint: string): void {
  const { message, stack } = error;
  const said = `\n  hint: ${hint}`;
  if (message.endsWith(said)) return;
  error.message += said;
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
}
