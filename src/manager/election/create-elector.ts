import { hostname } from 'node:os';
import { randomId } from '../../base/random.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { Client } from '../../client/client.js';
import { defaultName, warnAboutDefaultName } from '../default-name.js';
import { LeaderElector } from './leader-elector.js';
import { LeaseLock } from './lease-lock.js';
import type { LeaderElectionOptions, ManagerOptions } from '../manager-options.js';
import { optionMs } from '../../base/option-ms.js';

/** Longest name of a Lease. */
const NAME_LENGTH = 253;
const SUFFIX = '-leader';

export interface Election {
  readonly elector: LeaderElector;
  readonly leaseName: string;
  close(): void;
}

/** Returns the elector, or undefined without leader election. */
export function createElector(
  options: ManagerOptions & { readonly logger: Logger; readonly clock: Clock },
  controllerNames: readonly string[],
): Election | undefined {
  const { leaderElection = false, clock, logger } = options;
  if (leaderElection === false) return undefined;
  const given = leaderElection === true ? {} : leaderElection;
  const { config } = options.client;
  const leaseName = given.leaseName ?? defaultName(controllerNames, SUFFIX, NAME_LENGTH);
  if (given.leaseName === undefined && controllerNames.length > 0)
    warnAboutDefaultName(logger, leaseName, `set a name: --leader-election-id, or leaseName of leaderElection`);
  const namespace = given.namespace ?? config.namespace ?? 'default';
  // Separate connections, so that renewals never wait for requests of the controllers.
  const client = new Client(config, { clock, logger, onAccess: options.onAccess });
  const lock = new LeaseLock(client, namespace, leaseName);
  const identity = options.identity ?? `${hostname()}_${randomId('identity of a leader')}`;
  return {
    elector: new LeaderElector({ lock, identity, ...durationsOf(given), clock, logger }),
    leaseName,
    close: () => {
      client.close();
    },
  };
}

/** The defaults of client-go and controller-runtime. */
function durationsOf({ leaseDuration, renewDeadline, retryPeriod }: LeaderElectionOptions) {
  return {
    leaseDurationMs: optionMs('leaderElection.leaseDuration', leaseDuration, 15_000),
    renewDeadlineMs: optionMs('leaderElection.renewDeadline', renewDeadline, 10_000),
    retryPeriodMs: optionMs('leaderElection.retryPeriod', retryPeriod, 2_000),
  };
}
