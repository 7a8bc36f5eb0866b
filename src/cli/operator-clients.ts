import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { Metrics } from '../base/metrics.js';
import { AccessRecordFile } from '../client/access/access-record-file.js';
import type { AccessListener } from '../client/access/access.js';
import { clientMetrics, type ClientMetrics } from '../client/client-metrics.js';
import { Client } from '../client/client.js';
import type { ClusterConfig } from '../client/cluster-config.js';

/** The clients of run-operator. They must be closed. */
export interface OperatorClients {
  readonly client: Client;
  /** For requests of the command itself, which are not recorded as accesses of the operators. */
  readonly own: Client;
  /** Called with the accesses of the manager's own client. */
  readonly onOwnAccess: AccessListener | undefined;
  close(): void;
}

/** The options of the clients. */
export interface OperatorClientsOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics | undefined;
  /** Receives the requests too. */
  readonly observer: ClientMetrics | undefined;
  /** File to record accesses in. */
  readonly recordRbac: string | undefined;
}

/** @throws OperatorError when accesses cannot be recorded there. */
export function operatorClients(
  config: ClusterConfig,
  { recordRbac, metrics, observer, logger, clock }: OperatorClientsOptions,
): OperatorClients {
  const options = { logger, metrics: joined(metrics && clientMetrics(metrics), observer) };
  if (recordRbac === undefined) {
    const client = new Client(config, options);
    const close = (): void => {
      client.close();
    };
    return { client, own: client, onOwnAccess: undefined, close };
  }
  const file = AccessRecordFile.open(recordRbac, { clock, logger });
  const onOwnAccess = file.record.listener('manager');
  const client = new Client(config, { ...options, onAccess: file.record.listener('operator') });
  const own = new Client(config, { ...options, onAccess: onOwnAccess });
  const close = (): void => {
    client.close();
    own.close();
    file.close();
  };
  return { client, own, onOwnAccess, close };
}

function joined(first: ClientMetrics | undefined, second: ClientMetrics | undefined): ClientMetrics | undefined {
  if (!first || !second) return first ?? second;
  return {
    request: (...request) => {
      first.request(...request);
      second.request(...request);
    },
  };
}
