import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EmbeddedApiServer, EmbeddedApiServerOptions } from '../apiserver/embedded-api-server.js';
import { isOwnKubeconfig } from '../apiserver/kubeconfig-file.js';
import type { LabelQuery } from '../apiserver/storage/label-query.js';
import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { shellQuoted } from './shell-quoted.js';

/** Command-line options of an API server in this process. */
export interface EmbeddedServerOptions {
  readonly port?: number;
  readonly dataDir?: string;
  readonly kubeconfig?: string;
  readonly nodes?: number;
  readonly withoutControllers?: boolean;
  /** Time a pod takes to start, in milliseconds. */
  readonly podDelay?: number;
  /** Labels of the pods that fail. */
  readonly failPods?: LabelQuery;
  /** Images that cannot be pulled: pods with them never start. */
  readonly missingImages?: readonly string[];
}

/**
 * Starts an API server in this process. Its modules are loaded only now, to keep other commands fast.
 *
 * @throws OperatorError when the port is in use, or the kubeconfig exists and is not one of an embedded server
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions, logger: Logger): Promise<EmbeddedApiServer> {
  const { port, dataDir, kubeconfig, nodes, withoutControllers = false } = options;
  if (kubeconfig !== undefined) refuseForeign(kubeconfig);
  if (dataDir !== undefined) logger.info(`Storing state in ${resolve(dataDir)}`);
  const { EmbeddedApiServer: Server } = await import('../apiserver/embedded-api-server.js');
  try {
    return await Server.start({
      logger,
      ...(port !== undefined && { port }),
      ...(dataDir !== undefined && { dataDir: resolve(dataDir) }),
      ...(kubeconfig !== undefined && { kubeconfig: resolve(kubeconfig) }),
      ...(nodes !== undefined && { nodes }),
      withoutControllers,
      ...podBehavior(options),
    });
  } catch (error) {
    throw portError(error, port) ?? error;
  }
}

function podBehavior({
  podDelay,
  failPods,
  missingImages = [],
}: EmbeddedServerOptions): Pick<EmbeddedApiServerOptions, 'podStartDelayMs' | 'planPod'> {
  return {
    ...(podDelay !== undefined && { podStartDelayMs: podDelay }),
    planPod: ({ labels, images }) => {
      if (images.some((image) => missingImages.includes(image))) return { waitingReason: 'ImagePullBackOff' };
      return failPods?.(labels) === true ? { exitCode: 1 } : undefined;
    },
  };
}

/** The shell command that makes kubectl use the server. */
export function kubeconfigLine(path: string): string {
  return `export KUBECONFIG=${shellQuoted(path)}`;
}

/** Refuses to overwrite a kubeconfig that an embedded server did not write. */
function refuseForeign(kubeconfig: string): void {
  if (!existsSync(kubeconfig)) return;
  if (statSync(kubeconfig).isFile() && isOwnKubeconfig(readFileSync(kubeconfig, 'utf8'))) return;
  throw new OperatorError(`${kubeconfig} exists and was not written by an embedded server`, {
    code: 'E_KUBECONFIG_EXISTS',
    hint: 'pass a new file with --kubeconfig',
  });
}

function portError(error: unknown, port = 0): OperatorError | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return undefined;
  const reason = code === 'EADDRINUSE' ? 'is in use' : 'requires permissions that this process does not have';
  return new OperatorError(`port ${port} ${reason}`, {
    code: 'E_PORT',
    hint: 'pass another --port, or omit it to use a free port',
    cause: error,
  });
}
