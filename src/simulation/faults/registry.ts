import { OperatorError } from '../../base/operator-error.js';
import { crash } from './crash.js';
import type { Fault } from './fault.js';

/** All faults, in the order of `--list`. */
export const FAULTS: readonly Fault[] = [crash];

/** @throws OperatorError (E_FAULT) for an unknown name. */
export function faultNamed(name: string): Fault {
  const found = FAULTS.find((fault) => fault.name === name);
  if (found) return found;
  throw new OperatorError(`unknown fault "${name}"`, {
    code: 'E_FAULT',
    hint: `the faults are ${FAULTS.map((fault) => fault.name).join(', ')}`,
  });
}
