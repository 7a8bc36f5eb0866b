import type { ApiType, Configuration, KubeConfig, RequestContext, ResponseContext } from '@kubernetes/client-node';
import { stringifyJson } from '../../base/json.js';
import { ApiError } from '../api-error.js';
import type { RawRequest } from '../client-options.js';
import type { ClusterConfig } from '../config/cluster.js';
import { parseKubeconfig } from '../config/kubeconfig.js';
import { clusterConfigOf } from '../config/kubeconfig-context.js';

/** Sends requests, as a Client does. */
interface RequestSender {
  request(request: RawRequest): Promise<unknown>;
}

/** The transport adds the address of the API server, so that of the generated classes is ignored. */
const ANY_SERVER = 'https://kubernetes.invalid';

/**
 * Returns an API class of @kubernetes/client-node, such as CoreV1Api, that sends its requests through a client: with the
 * client's connections, credentials, retries and metrics.
 *
 * Its methods throw ApiException of that library, as always. Responses are read completely: use `client.watch` or an
 * Informer to watch, and not `follow` of logs.
 *
 * @example
 * const core = await clientNodeApi(client, CoreV1Api);
 */
export async function clientNodeApi<T extends ApiType>(
  client: RequestSender,
  api: new (configuration: Configuration) => T,
): Promise<T> {
  const { createConfiguration, ResponseContext, ServerConfiguration, wrapHttpLibrary } =
    await import('@kubernetes/client-node');
  const respond = (status: number, body: unknown): ResponseContext => {
    const isText = typeof body === 'string';
    const text = isText ? body : stringifyJson(body);
    return new ResponseContext(
      status,
      { 'content-type': isText ? 'text/plain' : 'application/json' },
      { text: () => Promise.resolve(text), binary: () => Promise.resolve(Buffer.from(text)), stream: () => null },
    );
  };
  const send = async (context: RequestContext): Promise<ResponseContext> => {
    try {
      return respond(200, await client.request(requestOf(context)));
    } catch (error) {
      if (error instanceof ApiError) return respond(error.status, statusOf(error));
      throw error;
    }
  };
  const baseServer = new ServerConfiguration(ANY_SERVER, {});
  return new api(createConfiguration({ baseServer, httpApi: wrapHttpLibrary({ send }) }));
}

function requestOf(context: RequestContext): RawRequest {
  const { pathname, searchParams } = new URL(context.getUrl());
  const headers = new Map(Object.entries(context.getHeaders()).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    method: context.getHttpMethod(),
    path: pathname,
    query: Object.fromEntries(searchParams),
    body: context.getBody(),
    contentType: headers.get('content-type'),
    accept: headers.get('accept'),
    signal: context.getSignal(),
  };
}

/** The Status that the server responded with. */
function statusOf({ status: code, reason, message, details }: ApiError): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code };
}

/**
 * Returns the current context of a KubeConfig of @kubernetes/client-node; other configurations are returned unchanged.
 *
 * @throws ConfigError with the missing or invalid key.
 */
export function toClusterConfig(config: ClusterConfig | Pick<KubeConfig, 'exportConfig'>): ClusterConfig {
  if (!('exportConfig' in config)) return config;
  return clusterConfigOf(parseKubeconfig(config.exportConfig(), 'KubeConfig'), {}, process.env);
}
