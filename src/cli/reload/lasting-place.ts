import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Logger } from '../../base/logger.js';
import type { EmbeddedServerOptions } from '../embedded-server.js';
import { cacheFolder } from '../../compiler/cache-folder.js';

/**
 * The port and the kubeconfig of the API server that the last process with reload has started in this project, so that a shell
 * with its KUBECONFIG reaches the next one too. Neither while that process is running.
 */
export async function lastingPlace(
  cwd: string,
  logger: Logger,
): Promise<Pick<EmbeddedServerOptions, 'port' | 'kubeconfig'>> {
  const folder = cacheFolder(cwd);
  if (folder === undefined) return {};
  const kubeconfig = join(folder, 'dev', 'kubeconfig');
  const port = existsSync(kubeconfig) ? portIn(readFileSync(kubeconfig, 'utf8')) : undefined;
  if (port === undefined || (await isFree(port))) return { kubeconfig, ...(port !== undefined && { port }) };
  logger.info(`Port ${port} of the API server of this project is in use; another one is used, with another kubeconfig`);
  return {};
}

function portIn(kubeconfig: string): number | undefined {
  const [, port] = /server: "?https:\/\/127\.0\.0\.1:(\d+)/.exec(kubeconfig) ?? [];
  return port === undefined ? undefined : Number(port);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(false);
    });
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}
