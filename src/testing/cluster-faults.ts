import type { FaultRule as ServerFaultRule, WatchEnd } from '../apiserver/server/fault-rule.js';
import type { ActiveFault, ServerFaults } from '../apiserver/server/server-faults.js';
import type { Duration } from '../base/duration.js';
import { optionMs } from '../base/option-ms.js';
import { renamedError } from '../base/renamed.js';

/** Which requests of the operators are disturbed, and how: `status`, `drop`, `delay`, or `delay` with one of the others. */
export interface FaultRule extends Omit<ServerFaultRule, 'delay'> {
  /** Time, on the clock of the cluster, until the request is processed. It has no effect if the client disconnects. */
  readonly delay?: Duration;
}

/**
 * Disturbs requests of the operators to the embedded server, to test that they cope with it. Requests of `cluster.client`
 * and of the other methods of the cluster are not disturbed and not counted.
 *
 * Order: each request is compared with all rules in the order of their addition. All rules that match count it; the first that
 * is due disturbs it.
 */
export class ClusterFaults {
  /** @internal */
  constructor(private readonly faults: ServerFaults) {}

  /**
   * Disturbs requests that match the rule, until the fault is removed.
   *
   * @throws OperatorError (E_FAULT) for an option that does not exist or has an invalid value.
   */
  add({ delay, ...rule }: FaultRule): ActiveFault {
    if (Object.hasOwn(rule, 'delayMs')) throw renamedError('delayMs', `delay: '30s'`);
    return this.faults.add({ ...rule, ...(delay !== undefined && { delay: optionMs('delay', delay, 0) }) });
  }

  /** Removes all faults. */
  clear(): void {
    this.faults.clear();
  }
  /**
   * Ends the open watches of a resource (default: of all), also those of `cluster.client`, and returns their number. They end
   * like those whose time is up; with `status: 410`, the last event is that error, and clients list again.
   *
   * @throws OperatorError (E_FAULT) for an invalid status.
   */
  closeWatches(options: WatchEnd = {}): number {
    return this.faults.closeWatches(options);
  }
}
