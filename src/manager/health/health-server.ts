import type { Logger } from '../../base/logger.js';
import type { HealthChecks } from './health-checks.js';
import { listen, type HttpEndpoint, type Routes } from '../http-endpoint.js';
import type { ManagerServer } from '../manager-server.js';

/** Serves `/healthz` and `/readyz` with the checks of the operator. */
export class HealthServer implements ManagerServer {
  private endpoint: HttpEndpoint | undefined;

  constructor(
    private readonly bindAddress: string,
    private readonly routes: Routes,
    private readonly logger: Logger,
    private readonly checks: HealthChecks,
  ) {}

  async start(): Promise<void> {
    this.endpoint = await listen(this.bindAddress, this.checks.routes(this.routes));
    if (this.endpoint) this.logger.info('Serving health probes', { address: this.endpoint.address });
  }

  async close(): Promise<void> {
    await this.endpoint?.close();
  }
}
