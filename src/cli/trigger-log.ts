import { describeCauses } from '../api/describe-causes.js';
import { splitKey } from '../api/object-key.js';
import type { Probe } from '../api/probe.js';
import type { Logger } from '../base/logger.js';

/** Logs the causes of each reconcile when it begins, at level debug. */
export function triggerLog(logger: Logger): Probe {
  return {
    began: (run) => {
      const { controller, key, attempt, id: reconcileID } = run;
      const trigger = describeCauses(run);
      logger.debug('Reconciling', {
        controller,
        ...splitKey(key),
        reconcileID,
        trigger,
        ...(attempt > 1 && { attempt }),
      });
    },
  };
}
