import { inspect } from 'node:util';
import { OperatorError } from '../base/operator-error.js';

/** Longer messages are cut, so that one object cannot flood the log. */
const LONGEST_MESSAGE = 8192;

/** What user code threw, as an Error whose message can be printed: JavaScript lets anything be thrown. */
export function thrownError(thrown: unknown): Error {
  if (!(thrown instanceof Error)) {
    return new OperatorError(`something that is no Error was thrown: ${describe(thrown)}`, {
      code: 'E_THROWN',
      hint: 'throw new Error(…)',
    });
  }
  const message: unknown = thrown.message;
  if (typeof message !== 'string') return new OperatorError(describe(message), { code: 'E_THROWN' });
  if (message.length <= LONGEST_MESSAGE) return thrown;
  return new OperatorError(cut(message), { code: 'E_THROWN' });
}

function describe(value: unknown): string {
  try {
    return cut(inspect(value, { depth: 2, maxArrayLength: 20, maxStringLength: 1024, breakLength: Infinity }));
  } catch {
    return `a value of type ${typeof value} that cannot be printed`;
  }
}

function cut(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`;
}
