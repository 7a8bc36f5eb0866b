import type { Logger } from '../base/logger.js';
import type { Informer } from '../cache/informer.js';
import { listen, type HttpEndpoint } from './http-endpoint.js';
import type { ManagerServer } from './manager-server.js';
import { probes, type ReadyServer } from './probes.js';

/** Serves `/healthz` and `/readyz`. */
export class HealthServer implements ManagerServer {
  private endpoint: HttpEndpoint | undefined;

  constructor(
    private readonly bindAddress: string,
    private readonly informers: readonly Informer[],
    private readonly logger: Logger,
    private readonly webhooks: ReadyServer | undefined,
  ) {}

  async start(): Promise<void> {
    this.endpoint = await listen(
      this.bindAddress,
      probes(() => this.informers, this.webhooks),
    );
    if (this.endpoint) this.logger.info('Serving health probes', { address: this.endpoint.address });
  }

  async close(): Promise<void> {
    await this.endpoint?.close();
  }
}
