import { sleep, type Cancel } from '../../base/clock.js';
import type { Metrics } from '../../base/metrics.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Versions } from '../../resource/conversion/kind-conversion-of.js';
import type { ResourceModel } from '../../resource/model.js';
import type { ReviewReader } from '../../webhook/review-reader.js';
import type { WebhookServer } from '../../webhook/webhook-server.js';
import { parseBindAddress } from '../http-endpoint.js';
import type { ManagerServer } from '../manager-server.js';
import type { RunOptions } from '../run-options.js';
import { readServingCertificate, watchServingCertificate, type ServingCertificate } from '../serving-certificate.js';
import type { LocalRegistration } from './local-registration.js';

const DEFAULT_ADDRESS = ':9443';
const LOCAL_ADDRESS = '127.0.0.1:0';
/** API servers hold idle connections; in this time they learn from a response that they must connect elsewhere. */
const DEFAULT_DRAIN_MS = 10_000;

/** The parts of a run that webhooks use. */
interface WebhookParts {
  readonly metrics: Metrics | undefined;
  readonly reader: ReviewReader;
  /** Resolves when the start-up hooks have run. */
  readonly prepared: (signal: AbortSignal) => Promise<void>;
  /** The end of the run. */
  readonly signal: AbortSignal;
}

/**
 * Serves the admission webhooks of a manager's classes, and converts between the versions of their kinds.
 *
 * When the run ends, it reports that it is not ready and closes each connection with its next response; it stops
 * listening after the drain period.
 */
export class WebhookEndpoint implements ManagerServer {
  private server: WebhookServer | undefined;
  private registration: LocalRegistration | undefined;
  private cancelReload: Cancel | undefined;
  private drainUntil: number | undefined;

  constructor(
    private readonly models: readonly ResourceModel[],
    private readonly conversions: readonly Versions[],
    private readonly options: RunOptions,
    private readonly parts: WebhookParts,
  ) {}

  get isReady(): boolean {
    return this.server !== undefined && !this.parts.signal.aborted;
  }

  async start(): Promise<void> {
    const { logger, webhooks = {} } = this.options;
    const { register, onServing } = webhooks;
    if (register) {
      const { LocalRegistration: Registration } = await import('./local-registration.js');
      this.registration = new Registration(register, this.models, this.conversions, logger);
    }
    const server = await this.listen(this.registration?.certificate ?? certificateOf(webhooks.certDir));
    this.server = server;
    this.parts.signal.addEventListener('abort', this.drain, { once: true });
    logger.info('Serving webhooks', { port: server.port });
    if (this.registration) await this.registration.register(server.port);
    else this.reload(server);
    onServing?.();
  }

  async close(): Promise<void> {
    const { clock } = this.options;
    this.cancelReload?.();
    this.parts.signal.removeEventListener('abort', this.drain);
    await this.registration?.remove();
    const drainMs = (this.drainUntil ?? 0) - clock.monotonic();
    if (drainMs > 0) await sleep(clock, drainMs);
    await this.server?.close();
  }

  private readonly drain = (): void => {
    const { clock, webhooks = {} } = this.options;
    const { register, drainMs = register ? 0 : DEFAULT_DRAIN_MS } = webhooks;
    this.drainUntil = clock.monotonic() + drainMs;
    this.server?.drain();
  };

  /** Loads the server, which processes without webhooks do not need. */
  private async listen(certificate: ServingCertificate): Promise<WebhookServer> {
    const { logger, clock, provided, strict, webhooks = {} } = this.options;
    const { bindAddress = webhooks.register ? LOCAL_ADDRESS : DEFAULT_ADDRESS } = webhooks;
    const address = parseBindAddress(bindAddress) ?? { host: undefined, port: 0 };
    const [{ WebhookServer: Server }, { webhookMetrics }] = await Promise.all([
      import('../../webhook/webhook-server.js'),
      import('../../webhook/webhook-metrics.js'),
    ]);
    const { metrics, reader, prepared } = this.parts;
    const conversions = this.registration?.converters ?? this.conversions.map(({ conversion }) => conversion);
    const served = this.models.flatMap((model) => model.webhooks.map((webhook) => ({ model, webhook, provided })));
    return Server.start(served, {
      ...address,
      certificate,
      conversions,
      reader,
      prepared,
      isStrict: strict,
      repeatMutations: webhooks.repeatMutations,
      logger,
      clock,
      metrics: metrics && webhookMetrics(metrics),
      onOtherPath: (path) => this.registration?.received(path),
    });
  }

  private reload(server: WebhookServer): void {
    const { clock, webhooks: { certDir } = {} } = this.options;
    if (certDir === undefined) return;
    this.cancelReload = watchServingCertificate(certDir, clock, (next) => {
      server.renew(next);
    });
  }
}

function certificateOf(folder: string | undefined): ServingCertificate {
  if (folder !== undefined) return readServingCertificate(folder);
  throw new OperatorError('webhooks need a certificate', {
    code: 'E_CERTIFICATE',
    hint: 'pass the folder of tls.crt and tls.key: --webhook-cert-dir, or webhooks: { certDir }',
  });
}
