import { X509Certificate } from 'node:crypto';
import { sleep, type Cancel } from '../../base/clock.js';
import type { Metrics } from '../../base/metrics.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Versions } from '../../resource/conversion/kind-conversion-of.js';
import type { ResourceModel } from '../../resource/model.js';
import type { ReviewReader } from '../../webhook/review-reader.js';
import type { ClassWebhook } from '../../webhook/review-request.js';
import type { WebhookServer } from '../../webhook/webhook-server.js';
import { parseBindAddress } from '../http-endpoint.js';
import type { WebhookServing } from '../manager-options.js';
import { DEFAULT_DRAIN_MS, type ManagerServer } from '../manager-server.js';
import { optionMs } from '../../base/option-ms.js';
import type { RunOptions } from '../run-options.js';
import {
  readCertificateFile,
  readServingCertificate,
  watchServingCertificate,
  type ServingCertificate,
} from '../serving-certificate.js';
import type { CertificateIssuer } from './certificates/certificate-issuer.js';
import type { Candidates } from './candidate-addresses.js';
import type { LocalRegistration } from './local-registration.js';
import { WebhookCounts, type ServedWebhook, type WebhooksState } from './webhooks-state.js';

const DEFAULT_ADDRESS = ':9443';
const LOCAL_ADDRESS = '127.0.0.1:0';
/** The path of all conversions. */
const CONVERT_PATH = '/convert';

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
  private issuer: CertificateIssuer | undefined;
  /** The one that is served. */
  private certificate: ServingCertificate | undefined;
  /** Set if a tool shows the webhooks. */
  private counts: WebhookCounts | undefined;
  private cancelReload: Cancel | undefined;
  private drainUntil: number | undefined;
  private readonly closed = new AbortController();

  constructor(
    private models: readonly ResourceModel[],
    private readonly conversions: readonly Versions[],
    private readonly options: RunOptions,
    private readonly parts: WebhookParts,
  ) {}

  get isReady(): boolean {
    const hasCertificate = this.issuer?.isReady ?? true;
    const isServing = this.server !== undefined || !this.hasWebhooks;
    return isServing && hasCertificate && !this.parts.signal.aborted;
  }

  get state(): WebhooksState | undefined {
    if (!this.hasWebhooks) return undefined;
    const reviews = this.classWebhooks.map(({ model, webhook: { path, type } }) =>
      this.served(type, path, [model.kind]),
    );
    const kinds = this.conversions.map(({ conversion }) => conversion.kind);
    return {
      port: this.server?.port,
      expiresMs: this.certificate && new X509Certificate(this.certificate.cert).validToDate.getTime(),
      webhooks: kinds.length === 0 ? reviews : [...reviews, this.served('Conversion', CONVERT_PATH, kinds)],
    };
  }

  private served(type: ServedWebhook['type'], path: string, kinds: ServedWebhook['kinds']): ServedWebhook {
    return { type, path, kinds, ...(this.counts?.of(path) ?? { requests: 0, failed: 0 }) };
  }

  private get hasWebhooks(): boolean {
    return this.models.length > 0 || this.conversions.length > 0;
  }

  async start(): Promise<void> {
    const { logger, namespaces = [], webhooks = {} } = this.options;
    const { register: client, address, bindAddress, onServing } = webhooks;
    await this.removeLeftovers(webhooks);
    if (!this.hasWebhooks) {
      onServing?.();
      return;
    }
    if (client) {
      const { LocalRegistration: Registration } = await import('./local-registration.js');
      const registering = { client, address, namespaces };
      this.registration = await Registration.prepare(registering, this.models, this.conversions, logger);
    }
    const server = this.registration
      ? await this.listenWithinReach(this.registration)
      : await this.listen(certificateOf(webhooks), bindAddress ?? DEFAULT_ADDRESS);
    this.server = server;
    this.parts.signal.addEventListener('abort', this.drain, { once: true });
    logger.info('Serving webhooks', { port: server.port });
    if (this.registration) await this.register(this.registration, server, webhooks);
    else await this.renew(server, webhooks);
    onServing?.();
  }

  replace(previous: ResourceModel, next: ResourceModel): void {
    this.models = this.models.map((model) => (model === previous ? next : model));
    this.server?.serve(this.classWebhooks);
  }

  private get classWebhooks(): ClassWebhook[] {
    const { provided } = this.options;
    return this.models.flatMap((model) => model.webhooks.map((webhook) => ({ model, webhook, provided })));
  }

  private async removeLeftovers({ register, outage }: WebhookServing): Promise<void> {
    // Registrations of other managers look like leftovers while their webhooks are down.
    if (!register || outage === 'down') return;
    const { removeLeftovers } = await import('./leftover-registrations.js');
    await removeLeftovers(register, this.options.logger);
  }

  private async register(registration: LocalRegistration, server: WebhookServer, { outage }: WebhookServing) {
    await registration.register();
    this.options.logger.info('Registered webhooks');
    if (outage === 'slow') server.stopResponding();
    if (outage !== 'down') return;
    this.server = undefined;
    await server.close();
  }

  async close(late: AbortSignal): Promise<void> {
    const { clock } = this.options;
    this.closed.abort(new Error('the webhooks are not served any more'));
    this.cancelReload?.();
    this.parts.signal.removeEventListener('abort', this.drain);
    await this.registration?.remove(late);
    await this.issuer?.close();
    const drainMs = (this.drainUntil ?? 0) - clock.monotonic();
    if (drainMs > 0) await sleep(clock, drainMs);
    await this.server?.close(late);
  }

  private readonly drain = (): void => {
    const { clock, webhooks = {} } = this.options;
    const { register, drainTime } = webhooks;
    const drainMs = optionMs('webhooks.drainTime', drainTime, register ? 0 : DEFAULT_DRAIN_MS);
    this.drainUntil = clock.monotonic() + drainMs;
    this.server?.drain();
  };

  /** @throws OperatorError when the API server reaches no address of this process */
  private async listenWithinReach(registration: LocalRegistration): Promise<WebhookServer> {
    const { bindAddress: given = LOCAL_ADDRESS } = this.options.webhooks ?? {};
    for (const candidates of registration.candidates) {
      const server = await this.listen(registration.certificate, candidates.bindAddress ?? given);
      if (await isReached(registration, candidates, server)) return server;
      await server.close();
    }
    throw registration.unreachableError();
  }

  /** Loads the server, which processes without webhooks do not need. */
  private async listen(certificate: ServingCertificate | undefined, bindAddress: string): Promise<WebhookServer> {
    const { logger, clock, strict, onInspectable, webhooks = {} } = this.options;
    this.certificate = certificate;
    const address = parseBindAddress(bindAddress) ?? { host: undefined, port: 0 };
    const clientCa = clientCaOf(webhooks, this.conversions);
    const [{ WebhookServer: Server }, { webhookMetrics }] = await Promise.all([
      import('../../webhook/webhook-server.js'),
      import('../../webhook/webhook-metrics.js'),
    ]);
    const { reader, prepared } = this.parts;
    const metrics = this.parts.metrics && webhookMetrics(this.parts.metrics);
    this.counts = onInspectable && new WebhookCounts(metrics);
    const conversions = this.registration?.converters ?? this.conversions.map(({ conversion }) => conversion);
    return Server.start(this.classWebhooks, {
      ...address,
      certificate,
      clientCa,
      conversions,
      reader,
      prepared,
      isStrict: strict,
      repeatMutations: webhooks.repeatMutations,
      logger,
      clock,
      metrics: this.counts ?? metrics,
      onOtherPath: (path) => this.registration?.received(path),
    });
  }

  /** Keeps the certificate of the server valid. */
  private async renew(server: WebhookServer, { certDir, authority }: WebhookServing): Promise<void> {
    const { clock, logger, namespaces: watchNamespaces = [] } = this.options;
    const { metrics: registry } = this.parts;
    const signal = AbortSignal.any([this.parts.signal, this.closed.signal]);
    const { certificateMetrics } = await import('./certificates/certificate-metrics.js');
    const metrics = registry && certificateMetrics(registry);
    const onCertificate = (next: ServingCertificate): void => {
      server.renew(next);
      this.certificate = next;
    };
    if (certDir !== undefined) this.cancelReload = watchServingCertificate(certDir, clock, onCertificate, metrics);
    if (!authority) return;
    const { startIssuer } = await import('./certificates/start-issuer.js');
    const models = [...this.models, ...this.conversions.flatMap((versions) => versions.models)];
    this.issuer = startIssuer(authority, { models, watchNamespaces, clock, logger, metrics, signal, onCertificate });
  }
}

async function isReached(
  registration: LocalRegistration,
  candidates: Candidates,
  server: WebhookServer,
): Promise<boolean> {
  try {
    return await registration.reach(candidates, server.port);
  } catch (error) {
    await server.close();
    throw error;
  }
}

/**
 * The authorities of clients; undefined if all clients are accepted.
 *
 * @throws OperatorError where API servers would be rejected.
 */
function clientCaOf({ clientCaFile, register }: WebhookServing, conversions: readonly Versions[]): string | undefined {
  if (clientCaFile === undefined) return undefined;
  const [converted] = conversions;
  if (!converted && !register) return readCertificateFile(clientCaFile);
  const [problem, hint] = converted
    ? [
        `objects of ${converted.conversion.kind.kind} cannot be converted by webhooks with a client CA`,
        'API servers send no client certificate to convert objects: remove --webhook-client-ca',
      ]
    : [
        'registered webhooks cannot have a client CA',
        'API servers send no client certificate to them: remove clientCaFile',
      ];
  throw new OperatorError(problem, { code: 'E_CERTIFICATE', hint });
}

/** The certificate of files; undefined if it is issued later. */
function certificateOf({ certDir, authority }: WebhookServing): ServingCertificate | undefined {
  if (authority) return undefined;
  if (certDir !== undefined) return readServingCertificate(certDir);
  throw new OperatorError('webhooks need a certificate', {
    code: 'E_CERTIFICATE',
    hint: 'pass --webhook-authority with the name of the operator, or --webhook-cert-dir with the folder of tls.crt and tls.key',
  });
}
