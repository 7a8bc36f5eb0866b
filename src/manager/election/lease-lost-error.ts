import { OperatorError } from '../../base/operator-error.js';

/** Thrown when another process may lead now. This process has stopped its work and must exit. */
export class LeaseLostError extends OperatorError {
  constructor(lease: string, why: string) {
    super(`leader election lost: ${why}`, {
      code: 'E_LEASE_LOST',
      hint: `start the process again; it stands by until lease ${lease} is free`,
    });
  }
}
