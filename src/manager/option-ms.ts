import type { Duration } from '../base/duration.js';
import { optionMs } from '../base/option-ms.js';
import { renamedError } from '../base/renamed.js';
import type { ManagerOptions } from './manager-options.js';

const DURATIONS = {
  '': ['gracefulShutdownTimeout', 'watchAuditInterval'],
  'leaderElection.': ['leaseDuration', 'renewDeadline', 'retryPeriod'],
  'sharding.': ['leaseDuration'],
  'webhooks.': ['drainTime'],
};

/** @throws OperatorError for a duration that is invalid, and for an option with the name of an earlier version. */
export function assertDurations({ leaderElection, sharding, webhooks, ...options }: ManagerOptions): void {
  if ('probe' in options) throw renamedError('probe', 'observer');
  const given = { '': options, 'leaderElection.': leaderElection, 'sharding.': sharding, 'webhooks.': webhooks };
  for (const prefix of Object.keys(DURATIONS) as (keyof typeof DURATIONS)[]) {
    const values = Object(given[prefix]) as Readonly<Record<string, Duration | undefined>>;
    for (const name of DURATIONS[prefix]) {
      optionMs(prefix + name, values[name], 0);
      const former = name === 'drainTime' ? 'drainMs' : `${name}Ms`;
      if (values[former] !== undefined) throw renamedError(prefix + former, `${prefix}${name}: '30s'`);
    }
  }
}

/** The time for running reconciles to finish after a stop. */
export function shutdownTimeoutMs({
  gracefulShutdownTimeout,
}: Pick<ManagerOptions, 'gracefulShutdownTimeout'>): number {
  return optionMs('gracefulShutdownTimeout', gracefulShutdownTimeout, 30_000);
}
