import { connect } from 'node:net';
import type { Logger } from '../../base/logger.js';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '../../api/kinds.js';
import type { Client } from '../../client/client.js';

const KINDS = [MutatingWebhookConfiguration, ValidatingWebhookConfiguration] as const;

/** The label of the configurations that a process registers for the time of a run. */
export const LOCAL_LABELS = { 'app.kubernetes.io/managed-by': 'kindwright' } as const;

/** The end of the names of these configurations, before the type. */
export const LOCAL_SUFFIX = '-local';

const LOCAL_NAME = new RegExp(`${LOCAL_SUFFIX}-(mutating|validating)-webhook-configuration$`);
const LOCAL_URL = /^https:\/\/127\.0\.0\.1:(\d+)\//;
/** A connection on the same machine is accepted or refused within milliseconds. */
const CONNECT_MS = 1000;

/**
 * Deletes the configurations that killed processes left: those at whose port on this machine nothing listens.
 *
 * They reject writes of their kinds, and no later run replaces them if it has other classes. Never rejects: the
 * registration of this process does not depend on it.
 */
export async function removeLeftovers(client: Client, logger: Logger): Promise<void> {
  for (const kind of KINDS) {
    try {
      const { items } = await client.list(kind, { labelSelector: { matchLabels: LOCAL_LABELS } });
      for (const { metadata, webhooks = [] } of items) {
        const { name, resourceVersion } = metadata;
        if (!LOCAL_NAME.test(name)) continue;
        const port = commonPort(webhooks.map(({ clientConfig }) => clientConfig.url));
        if (port === undefined || !(await refusesConnections(port))) continue;
        // Another process may have registered the same name since the list.
        await client.delete(kind, name, { preconditions: { resourceVersion } });
        logger.info(`Removed webhook configuration ${name} of a process that has ended`, { port });
      }
    } catch (error) {
      logger.debug('Cannot remove the webhook configurations of earlier processes', { err: error });
    }
  }
}

/** The port of 127.0.0.1 that all URLs have; undefined if they have no such port in common. */
function commonPort(urls: readonly (string | undefined)[]): number | undefined {
  const ports = new Set(urls.map((url) => LOCAL_URL.exec(url ?? '')?.[1]));
  const [port] = ports;
  return ports.size === 1 && port !== undefined ? Number(port) : undefined;
}

/** Any other failure than a refusal may be temporary. */
function refusesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: CONNECT_MS });
    const end = (isRefused: boolean): void => {
      socket.destroy();
      resolve(isRefused);
    };
    socket.on('connect', () => {
      end(false);
    });
    socket.on('timeout', () => {
      end(false);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      end(error.code === 'ECONNREFUSED');
    });
  });
}
