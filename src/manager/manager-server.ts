import { optionMs } from '../base/option-ms.js';
import type { ResourceModel } from '../resource/model.js';
import type { RunOptions } from './run-options.js';

/** API servers hold idle connections; in this time they learn from a response that they must connect elsewhere. */
export const DEFAULT_DRAIN_MS = 10_000;

/**
 * A server in the process of a manager.
 *
 * It is started before the caches, and does not depend on leadership: replicas that wait for the lease serve too.
 */
export interface ManagerServer {
  /** @throws OperatorError when the address cannot be used. */
  start(): Promise<void>;
  /** Calls the methods of another version of a class, with the same webhooks, from now on. */
  replace?(previous: ResourceModel, next: ResourceModel): void;
  /**
   * Has no effect on a server that is not started.
   *
   * @param late aborted when the time for the stop is over: connections and requests that are still open must end
   */
  close(late: AbortSignal): Promise<void>;
}

/** The time for others to send a last response: the longest time-out of a webhook. */
const CLOSE_MS = 30_000;

/** Closes servers, which wait for API servers and clients only for a limited time. */
export async function closeServers(servers: readonly ManagerServer[], { clock, logger, webhooks }: RunOptions) {
  const limitMs = CLOSE_MS + optionMs('webhooks.drainTime', webhooks?.drainTime, DEFAULT_DRAIN_MS);
  const late = new AbortController();
  const cancel = clock.schedule(limitMs, () => {
    const hint = 'check whether the API server responds';
    logger.warn(`Open connections and requests are ended: the stop has taken ${limitMs / 1000} s`, { hint });
    late.abort(new Error('the time for the stop is over'));
  });
  await Promise.all(servers.map((server) => server.close(late.signal)));
  cancel();
}
