import type { KubeObject } from '../../api/objects/kube-object.js';
import { Client } from '../../client/client.js';
import { loadClusterConfig } from '../../client/cluster-config.js';
import { ownsFields } from '../../client/fields/field-ownership.js';
import { SIGNAL_EXIT_CODE } from '../exit-codes.js';
import { ReportedError } from '../report-error.js';
import { stopSignal } from '../stop-signal.js';

/** Command-line options that select the cluster. */
export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** A connection to the cluster for the duration of a command. */
export interface ClusterSession {
  readonly client: Client;
  /** The kubeconfig and its context. */
  readonly source: string;
  /** Address of the API server. */
  readonly host: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command on the cluster of a kubeconfig.
 *
 * @throws the command's error; ReportedError, after printing a message, when a signal stopped it
 */
export async function withCluster(
  { kubeconfig, context }: ClusterOptions,
  command: (session: ClusterSession) => Promise<void>,
): Promise<void> {
  const signal = stopSignal();
  const config = await loadClusterConfig({ kubeconfig, context });
  const client = new Client(config, { fieldManager: FIELD_MANAGER });
  try {
    await command({ client, source: config.source, host: config.server.host, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    process.stderr.write('stopped; changes made so far remain\n');
    throw new ReportedError(SIGNAL_EXIT_CODE.SIGINT);
  } finally {
    client.close();
  }
}

/** Field manager of these commands. */
const FIELD_MANAGER = 'kindwright-deploy';

/** Returns whether `deploy` applied an object. Others have the same name or labels by accident, or by other means. */
export function isDeployed(object: Pick<KubeObject, 'metadata'>): boolean {
  return ownsFields(object, FIELD_MANAGER);
}
