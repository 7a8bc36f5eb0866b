import type { IncomingMessage } from 'node:http';
import type { Cancel } from '../../base/clock.js';
import type { Metrics } from '../../base/metrics.js';
import { listen, type Answer, type HttpEndpoint } from '../http-endpoint.js';
import type { ManagerServer } from '../manager-server.js';
import type { RunOptions } from '../run-options.js';
import {
  readServingCertificate,
  selfSignedCertificate,
  watchServingCertificate,
  type ServingCertificate,
} from '../serving-certificate.js';
import { TokenAccess } from './token-access.js';

/**
 * Serves `/metrics`, to authorized clients only if `metricsAuth` is set.
 *
 * HTTPS is used with the certificate of `metricsCertDir`; without it, with a self-signed one if `metricsAuth` is set,
 * because bearer tokens must not be sent in clear text.
 */
export class MetricsServer implements ManagerServer {
  private readonly access: TokenAccess | undefined;
  private endpoint: HttpEndpoint | undefined;
  private cancelReload: Cancel | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly options: RunOptions,
  ) {
    if (options.metricsAuth === true) this.access = new TokenAccess(options.client, options.clock);
  }

  async start(): Promise<void> {
    const { clock, logger, metricsBindAddress = '0', metricsCertDir: folder } = this.options;
    if (metricsBindAddress === '0') return;
    const certificate = await this.certificate();
    const routes = { '/metrics': (request: IncomingMessage) => this.respond(request) };
    const endpoint = await listen(metricsBindAddress, routes, certificate);
    this.endpoint = endpoint;
    if (!endpoint) return;
    logger.info('Serving metrics', { address: endpoint.address });
    if (folder === undefined) return;
    this.cancelReload = watchServingCertificate(folder, clock, (next) => {
      endpoint.renew(next);
    });
  }

  async close(): Promise<void> {
    this.cancelReload?.();
    await this.endpoint?.close();
  }

  private async certificate(): Promise<ServingCertificate | undefined> {
    const { metricsCertDir: folder } = this.options;
    if (folder !== undefined) return readServingCertificate(folder);
    return this.access && selfSignedCertificate();
  }

  private async respond({ headers, socket }: IncomingMessage): Promise<Answer> {
    const peer = socket.remoteAddress ?? '';
    const admission = await this.access?.admit({ authorization: headers.authorization, path: '/metrics', peer });
    if (admission && 'refusal' in admission) return admission.refusal;
    return { status: 200, ...(await this.metrics.expose()) };
  }
}
