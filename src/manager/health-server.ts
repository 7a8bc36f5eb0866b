import type { Logger } from '../base/logger.js';
import type { Informer } from '../cache/informer.js';
import type { HealthChecks } from './health-checks.js';
import { listen, type HttpEndpoint } from './http-endpoint.js';
import type { ManagerServer } from './manager-server.js';
import { probes, type ReadyServer } from './probes.js';

/** Serves `/healthz` and `/readyz` with the checks of the operator. */
export class HealthServer implements ManagerServer {
  private endpoint: HttpEndpoint | undefined;

  constructor(
    private readonly bindAddress: string,
    private readonly informers: readonly Informer[],
    private readonly logger: Logger,
    private readonly webhooks: ReadyServer | undefined,
    private readonly checks: HealthChecks,
  ) {}

  async start(): Promise<void> {
    this.endpoint = await listen(this.bindAddress, this.checks.routes(probes(() => this.informers, this.webhooks)));
    if (this.endpoint) this.logger.info('Serving health probes', { address: this.endpoint.address });
  }

  async close(): Promise<void> {
    await this.endpoint?.close();
  }
}
