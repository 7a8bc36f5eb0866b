import type { IncomingMessage } from 'node:http';
import type { Cancel } from '../base/clock.js';
import type { Metrics } from '../base/metrics.js';
import { SystemClock } from '../base/system-clock.js';
import { listen, type Answer, type HttpEndpoint } from './http-endpoint.js';
import type { ManagerServer } from './manager-server.js';
import { MetricsAccess } from './metrics-access.js';
import type { RunOptions } from './run-options.js';
import { readServingCertificate, watchServingCertificate, type ServingCertificate } from './serving-certificate.js';

/**
 * Serves `/metrics`, to authorized clients only if `metricsAuth` is set.
 *
 * HTTPS is used with the certificate of `metricsCertDir`; without it, with a self-signed one if `metricsAuth` is set,
 * because bearer tokens must not be sent in clear text.
 */
export class MetricsServer implements ManagerServer {
  private readonly access: MetricsAccess | undefined;
  private endpoint: HttpEndpoint | undefined;
  private cancelReload: Cancel | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly options: RunOptions,
  ) {
    if (options.metricsAuth === true) this.access = new MetricsAccess(options.client, options.clock);
  }

  async start(): Promise<void> {
    const { clock, logger, metricsBindAddress = '0', metricsCertDir: folder } = this.options;
    if (metricsBindAddress === '0') return;
    const certificate = folder === undefined ? await this.selfSignedCertificate() : readServingCertificate(folder);
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

  /** Returns a certificate that clients cannot verify; as with controller-runtime, it is created at each start. */
  private async selfSignedCertificate(): Promise<ServingCertificate | undefined> {
    if (!this.access) return undefined;
    // Loaded only here: most managers create no certificates.
    const { createServingIdentity } = await import('../pki/certificate.js');
    const { certPem, keyPem } = createServingIdentity(new SystemClock().now());
    return { cert: certPem, key: keyPem };
  }

  private async respond({ headers, socket }: IncomingMessage): Promise<Answer> {
    const peer = socket.remoteAddress ?? '';
    const refusal = await this.access?.refusal({ authorization: headers.authorization, path: '/metrics', peer });
    return refusal ?? { status: 200, ...(await this.metrics.expose()) };
  }
}
