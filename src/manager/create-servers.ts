import { OperatorError } from '../base/operator-error.js';
import type { Metrics } from '../base/metrics.js';
import type { Informer } from '../cache/informer.js';
import { HealthServer } from './health-server.js';
import type { ManagerServer } from './manager-server.js';
import { MetricsServer } from './metrics-server.js';
import type { RunOptions } from './run-options.js';

/**
 * The servers of a manager, in the order in which they start.
 *
 * @throws OperatorError when two of them have the same address.
 */
export function createServers(
  options: RunOptions,
  metrics: Metrics | undefined,
  informers: readonly Informer[],
): ManagerServer[] {
  const { healthProbeBindAddress = '0', metricsBindAddress = '0', logger } = options;
  if (healthProbeBindAddress === metricsBindAddress && !/^0$|:0$/.test(metricsBindAddress)) {
    throw new OperatorError(`metrics and health probes cannot both be served at ${metricsBindAddress}`, {
      code: 'E_BIND_ADDRESS',
      hint: 'choose another address for one of them',
    });
  }
  const health = new HealthServer(healthProbeBindAddress, informers, logger);
  return metrics ? [health, new MetricsServer(metrics, options)] : [health];
}
