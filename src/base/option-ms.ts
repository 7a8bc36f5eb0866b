import { durationMs, type Duration } from './duration.js';
import { OperatorError } from './operator-error.js';

/**
 * Returns an option in milliseconds.
 *
 * @throws OperatorError (E_CONFIG) for a value that is not a duration.
 */
export function optionMs(name: string, value: Duration | undefined, defaultMs: number): number {
  const ms = value === undefined ? defaultMs : durationMs(value);
  if (ms !== undefined) return ms;
  throw new OperatorError(`${name} ${String(value)} is not a duration`, {
    code: 'E_CONFIG',
    hint: `${name}: '30s', or a number of milliseconds`,
  });
}
