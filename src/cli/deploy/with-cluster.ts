import { Client } from '../../client/client.js';
import { loadClusterConfig } from '../../client/cluster-config.js';
import { SIGNAL_EXIT_CODE } from '../exit-codes.js';
import { ReportedError } from '../report-error.js';
import { stopSignal } from '../stop-signal.js';

/** Which cluster a command works on. */
export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** A cluster for as long as a command runs. */
export interface ClusterSession {
  readonly client: Client;
  /** Its address. */
  readonly host: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command on the cluster of a kubeconfig.
 *
 * @throws what the command throws; ReportedError when a signal stopped it, which is said.
 */
export async function withCluster(
  { kubeconfig, context }: ClusterOptions,
  command: (session: ClusterSession) => Promise<void>,
): Promise<void> {
  const signal = stopSignal();
  const config = await loadClusterConfig({ kubeconfig, context });
  const client = new Client(config, { fieldManager: FIELD_MANAGER });
  try {
    await command({ client, host: config.server.host, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    process.stderr.write('stopped; what was done so far stays\n');
    throw new ReportedError(SIGNAL_EXIT_CODE.SIGINT);
  } finally {
    client.close();
  }
}

/** Owns the fields that these commands apply, so that those of other tools are told apart. */
const FIELD_MANAGER = 'kindwright-deploy';
