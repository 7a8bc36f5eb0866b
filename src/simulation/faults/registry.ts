import { OperatorError } from '../../base/operator-error.js';
import type { Fault } from './fault.js';
import { MACHINE_FAULTS } from './machine-faults.js';
import { PROCESS_FAULTS } from './process-faults.js';
import { REQUEST_FAULTS } from './request-faults.js';
import { USER_FAULTS } from './user-faults.js';
import { WATCH_FAULTS } from './watch-faults.js';

/** All faults, in the order of `--list`. */
export const FAULTS: readonly Fault[] = [
  ...PROCESS_FAULTS,
  ...REQUEST_FAULTS,
  ...WATCH_FAULTS,
  ...USER_FAULTS,
  ...MACHINE_FAULTS,
];

/** @throws OperatorError (E_FAULT) for an unknown name. */
export function faultNamed(name: string): Fault {
  const found = FAULTS.find((fault) => fault.name === name);
  if (found) return found;
  throw new OperatorError(`unknown fault "${name}"`, {
    code: 'E_FAULT',
    hint: `the faults are ${FAULTS.map((fault) => fault.name).join(', ')}`,
  });
}
