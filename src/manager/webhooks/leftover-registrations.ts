import { connect } from 'node:net';
import { hostsOfThisMachine } from './candidate-addresses.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import type { Logger } from '../../base/logger.js';
import {
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../api/kinds/kinds.js';
import type { Client } from '../../client/client.js';
import { isLocalConversion, resetConversion } from './converter-of.js';
import { registeringProcess } from './registering-process.js';

const KINDS = [MutatingWebhookConfiguration, ValidatingWebhookConfiguration] as const;

/** The label of the configurations that a process registers for the time of a run. */
export const LOCAL_LABELS = { 'app.kubernetes.io/managed-by': 'kindwright' } as const;

/** The end of the names of these configurations, before the type. */
export const LOCAL_SUFFIX = '-local';

const LOCAL_NAME = new RegExp(`${LOCAL_SUFFIX}(-\\d+)?-(mutating|validating)-webhook-configuration$`);
const LOCAL_URL = /^https:\/\/([^/:]+):(\d+)\//;
/** A connection on the same machine is accepted or refused within milliseconds. */
const CONNECT_MS = 1000;

/**
 * Deletes the configurations that killed processes left, and ends their conversions: those of processes of this machine
 * that have ended, those at whose port on this machine nothing listens, and those at the given address.
 *
 * They reject requests for their kinds, and no later run replaces them if it has other classes. Never rejects: the
 * registration of this process does not depend on it.
 *
 * @param address host and port at which the API server calls this process, so that it cannot call another one
 */
export async function removeLeftovers(client: Client, logger: Logger, address?: string): Promise<void> {
  try {
    await Promise.all([
      ...KINDS.map((kind) => removeConfigurations(kind, { client, logger, address })),
      endConversions({ client, logger, address }),
    ]);
  } catch (error) {
    logger.debug('Cannot remove the webhooks of earlier processes', { err: error });
  }
}

/** The parameters of `removeLeftovers`. */
interface Removal {
  readonly client: Client;
  readonly logger: Logger;
  readonly address: string | undefined;
}

async function removeConfigurations(kind: (typeof KINDS)[number], removal: Removal): Promise<void> {
  const { client, logger, address } = removal;
  const { items } = await client.list(kind, { labelSelector: { matchLabels: LOCAL_LABELS } });
  for (const configuration of items) {
    const { name, resourceVersion } = configuration.metadata;
    if (!LOCAL_NAME.test(name) || !(await isAbandoned(configuration, urlsOf(configuration), address))) continue;
    // Another process may have registered the same name since the list.
    await client.delete(kind, name, { preconditions: { resourceVersion } });
    logger.info(`Removed webhook configuration ${name} of a process that has ended`);
  }
}

async function endConversions({ client, logger, address }: Removal): Promise<void> {
  const { items } = await client.list(CustomResourceDefinition);
  for (const definition of items) {
    const { url } = definition.spec.conversion?.webhook?.clientConfig ?? {};
    if (!isLocalConversion(definition) || !(await isAbandoned(definition, [url], address))) continue;
    await resetConversion(client, definition);
    logger.info(`Ended the conversion of ${definition.metadata.name} by a process that has ended`);
  }
}

/** The addresses of the webhooks of a configuration; undefined for one that is called by its Service. */
export function urlsOf({ webhooks = [] }: MutatingWebhookConfiguration | ValidatingWebhookConfiguration) {
  return webhooks.map(({ clientConfig }) => clientConfig.url);
}

/**
 * Returns true if the process that registered an object has ended, as far as this machine can find out.
 *
 * @param urls the URLs that the object registers
 * @param address host and port at which the API server calls this process
 */
export async function isAbandoned(
  object: Pick<KubeObject, 'metadata'>,
  urls: readonly (string | undefined)[],
  address?: string,
): Promise<boolean> {
  const registering = registeringProcess(object);
  if (registering === 'ended' || areAt(address, urls)) return true;
  // Loopback and the networks of containers have the same addresses on many machines.
  if (registering === 'elsewhere') return false;
  const port = commonPort(urls);
  return port !== undefined && (await refusesConnections(port));
}

function areAt(address: string | undefined, urls: readonly (string | undefined)[]): boolean {
  return address !== undefined && urls.length > 0 && urls.every((url) => url?.startsWith(`https://${address}/`));
}

/** The port of this machine that all URLs have; undefined if they have no such port in common. */
function commonPort(urls: readonly (string | undefined)[]): number | undefined {
  const hosts = new Set(hostsOfThisMachine());
  const ports = new Set(
    urls.map((url) => {
      const [, host = '', port] = LOCAL_URL.exec(url ?? '') ?? [];
      return hosts.has(host) ? port : undefined;
    }),
  );
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
