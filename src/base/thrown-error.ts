import { inspect, types } from 'node:util';
import { OperatorError } from './operator-error.js';

/** The code of errors with the text of any value that was thrown. */
const THROWN = 'E_THROWN';
/** Longer messages are truncated, so that one object cannot flood the log. */
const MAX_MESSAGE_LENGTH = 8192;

/**
 * Returns a value thrown by user code as an Error with a readable message.
 *
 * An Error stays the same object; any other value, and an Error with a message that cannot be read, is described in a
 * new one. Never throws.
 */
export function thrownError(thrown: unknown): Error {
  try {
    if (isError(thrown)) return withReadableMessage(thrown);
  } catch {
    // A proxy or a getter that throws.
  }
  return new OperatorError(`non-Error value thrown: ${describe(thrown)}`, {
    code: THROWN,
    hint: 'throw new Error(…)',
  });
}

/** Also recognizes errors of another realm, such as those of Node in a test runner. */
function isError(thrown: unknown): thrown is Error {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- Error.isError needs Node 24
  return thrown instanceof Error || types.isNativeError(thrown);
}

function withReadableMessage(error: Error): Error {
  const message: unknown = error.message;
  if (typeof message !== 'string') return new OperatorError(describe(message), { code: THROWN, cause: error });
  // A proxy or a getter may throw when the message is read again.
  if (types.isProxy(error)) return new OperatorError(truncated(message), { code: THROWN, cause: error });
  if (message.length > MAX_MESSAGE_LENGTH || hasGetter(error)) {
    Object.defineProperty(error, 'message', { value: truncated(message), configurable: true, writable: true });
  }
  return error;
}

function hasGetter(error: Error): boolean {
  for (let object: unknown = error; object; object = Object.getPrototypeOf(object)) {
    const property = Object.getOwnPropertyDescriptor(object, 'message');
    if (property) return property.get !== undefined;
  }
  return false;
}

function describe(value: unknown): string {
  try {
    return truncated(inspect(value, { depth: 2, maxArrayLength: 20, maxStringLength: 1024, breakLength: Infinity }));
  } catch {
    return `a value of type ${typeof value} that cannot be printed`;
  }
}

function truncated(text: string): string {
  return text.length <= MAX_MESSAGE_LENGTH ? text : `${text.slice(0, MAX_MESSAGE_LENGTH)}…`;
}

/**
 * Returns the text of an error for Events, conditions and responses of webhooks. Their readers may see less than the
 * operator, whose errors can contain credentials, such as the URL of a database. Only errors whose messages are written for
 * users, which are OperatorErrors, keep their messages; of others, the class is named.
 */
export function publicMessage(error: Error): string {
  if (error instanceof OperatorError && error.code !== THROWN) return error.message;
  return `${classOf(error)}: see the log of the operator`;
}

function classOf(error: Error): string {
  const cause = error instanceof OperatorError ? error.cause : error;
  try {
    return isError(cause) ? cause.constructor.name : 'non-Error value thrown';
  } catch {
    return 'Error'; // a proxy or a getter that throws
  }
}
