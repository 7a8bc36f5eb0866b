import {
  Client,
  clientMetrics,
  createLogger,
  createMetrics,
  installCrds,
  loadClusterConfig,
  Manager,
} from 'kindwright';
import { PodSet } from './pod-set.js';

/** Runs the operator in this program until the signal is aborted. */
export async function main(signal: AbortSignal, kubeconfig?: string): Promise<void> {
  const logger = await createLogger();
  const metrics = await createMetrics();
  const config = await loadClusterConfig({ kubeconfig });
  const client = new Client(config, { logger, metrics: clientMetrics(metrics) });
  try {
    await installCrds(client, [PodSet], { logger, signal });
    const manager = new Manager({
      client,
      logger,
      metrics,
      leaderElection: { leaseName: 'podset', namespace: 'default' },
      metricsBindAddress: '127.0.0.1:0',
      gracefulShutdownTimeout: '10s',
    });
    await manager.add(PodSet).run(signal);
  } finally {
    client.close();
  }
}

if (import.meta.main) {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  await main(stop.signal);
}
