import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.js';
import { stringifyJson } from '../base/json.js';
import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import { thrownError } from '../base/thrown-error.js';
import { conversionReview, MAX_CONVERSION_BODY, type Converter } from './conversion-review.js';
import type { ReviewReader } from './review-reader.js';
import { readJsonBody } from './read-json-body.js';
import { readReview } from './read-review.js';
import { RequestError } from './request-error.js';
import { reviewRequest, type ClassWebhook } from './review-request.js';
import type { WebhookMetrics } from './webhook-metrics.js';
import { WebhookMethodError } from './webhook-method-error.js';

/** A certificate and its key, as PEM. */
interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface WebhookServerOptions {
  /** Undefined for all interfaces. */
  readonly host: string | undefined;
  /** 0 for any free port. */
  readonly port: number;
  /** Undefined to refuse connections until `renew` is called. */
  readonly certificate: KeyPair | undefined;
  readonly reader: ReviewReader;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: WebhookMetrics | undefined;
  /** Resolves when the values of `@Inject` are provided; rejects with the signal's reason. */
  readonly prepared: (signal: AbortSignal) => Promise<void>;
  /** Report changes by validating methods, which are not stored. */
  readonly isStrict: boolean;
  /** Reject the result of a mutating method that is not idempotent. */
  readonly repeatMutations?: boolean | undefined;
  /** The conversions of kinds with several versions. */
  readonly conversions?: readonly Converter[];
  /** Called with the path of each request for which no webhook is served. */
  readonly onOtherPath?: (path: string) => void;
}

/** Longer than the idle timeout of API servers, so that they close connections, and not the server under a request. */
const KEEP_ALIVE_MS = 90_000;
const HEADERS_MS = 32_000;
const REQUEST_MS = 60_000;
/** The time for the last responses to be sent. */
const FLUSH_MS = 200;
/** The time for the response to reach the API server. */
const MARGIN_MS = 200;
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 30_000;

/** Messages of errors may contain data of users. */
const MAX_MESSAGE = 512;

/** The path at which API servers convert objects: the same for all kinds, as that of kubebuilder. */
const CONVERT_PATH = '/convert';

/** Serves admission and conversion webhooks over HTTPS and HTTP/1.1, which API servers use so that replicas share their load. */
export class WebhookServer {
  private readonly webhooks: ReadonlyMap<string, ClassWebhook>;
  /** By group and kind. */
  private readonly conversions: ReadonlyMap<string, Converter>;
  private readonly server;
  private readonly running = new Set<Promise<void>>();
  private isDraining = false;
  private isResponding = true;

  private constructor(
    webhooks: readonly ClassWebhook[],
    private readonly options: WebhookServerOptions,
  ) {
    this.webhooks = new Map(webhooks.map((each) => [each.webhook.path, each]));
    const conversions = options.conversions ?? [];
    this.conversions = new Map(conversions.map((each) => [`${each.kind.group}/${each.kind.kind}`, each]));
    if (conversions.length > 0) options.metrics?.register(CONVERT_PATH);
    for (const path of this.webhooks.keys()) options.metrics?.register(path);
    const settings = {
      ...options.certificate,
      minVersion: 'TLSv1.2',
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
    } as const;
    this.server = process.getBuiltinModule('node:https').createServer(settings, (request, response) => {
      const responded = this.handle(request, response).finally(() => this.running.delete(responded));
      this.running.add(responded);
    });
  }

  /** @throws OperatorError when it cannot listen. */
  static async start(webhooks: readonly ClassWebhook[], options: WebhookServerOptions): Promise<WebhookServer> {
    const server = new WebhookServer(webhooks, options);
    await server.listen();
    return server;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Replaces the certificate for new connections. */
  renew(certificate: KeyPair): void {
    this.server.setSecureContext(certificate);
  }

  /** From now on each response closes its connection, so that API servers connect to another replica. */
  drain(): void {
    this.isDraining = true;
  }

  /** From now on reviews get no response: each ends when the API server closes its connection. */
  stopResponding(): void {
    this.isResponding = false;
  }

  /** Stops listening, and resolves when running reviews have ended. */
  async close(): Promise<void> {
    this.drain();
    const closed = once(this.server, 'close');
    this.server.close(); // also closes connections that are idle after a request
    if (!this.isResponding) this.server.closeAllConnections();
    await Promise.all(this.running);
    // API servers also hold connections that have not had a request.
    const cancel = new SystemClock().schedule(FLUSH_MS, () => {
      this.server.closeAllConnections();
    });
    await closed;
    cancel();
  }

  private async listen(): Promise<void> {
    const { host, port } = this.options;
    try {
      this.server.listen(port, host);
      await once(this.server, 'listening');
    } catch (cause) {
      throw new OperatorError(`webhooks cannot be served on port ${port}: ${(cause as Error).message}`, {
        code: 'E_BIND_ADDRESS',
        hint: 'choose another port',
        cause,
      });
    }
  }

  /** Never rejects. */
  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isResponding || !this.webhooks.has(pathOf(request))) return this.respond(request, response);
    request.resume(); // else the end of the connection may not be seen
    await new Promise((resolve) => response.once('close', resolve));
  }

  /** Never rejects. */
  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, metrics } = this.options;
    const { url = '/' } = request;
    const requested = pathOf(request);
    const webhook = this.webhooks.get(requested);
    const isConversion = requested === CONVERT_PATH && this.conversions.size > 0;
    if (!webhook && !isConversion) {
      this.options.onOtherPath?.(requested);
      this.send(response, 404, 'no webhook is served at this path\n');
      return;
    }
    const startedAt = clock.monotonic();
    metrics?.started(requested);
    const { status, body } = await (webhook ? this.answer(webhook, request, url) : this.convert(request));
    this.send(response, status, body);
    metrics?.ended(requested, status, (clock.monotonic() - startedAt) / 1000);
  }

  private send(response: ServerResponse, status: number, body: string): void {
    const isComplete = response.req.complete;
    response.writeHead(status, {
      'content-type': status === 200 ? 'application/json' : 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      ...((this.isDraining || !isComplete) && { connection: 'close' }),
    });
    response.end(body);
  }

  private async answer(webhook: ClassWebhook, message: IncomingMessage, url: string) {
    const { clock, logger, reader, prepared, isStrict, repeatMutations = false } = this.options;
    const deadline = startDeadline(url, clock);
    const { model } = webhook;
    try {
      const request = await readReview(message, model.kind);
      if (model.injections.length > 0) await prepared(deadline.signal);
      const response = await reviewRequest(webhook, request, {
        reader,
        log: logger,
        signal: deadline.signal,
        isStrict,
        repeatMutations,
      });
      const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response };
      return { status: 200, body: stringifyJson(review) };
    } catch (thrown) {
      return this.failure(webhook, thrownError(thrown));
    } finally {
      deadline.cancel();
    }
  }

  private async convert(message: IncomingMessage): Promise<{ status: number; body: string }> {
    const { clock, logger, metrics } = this.options;
    try {
      const body = await readJsonBody(message, MAX_CONVERSION_BODY);
      const { review, error } = await conversionReview(body, this.conversions, clock);
      if (error) {
        metrics?.conversionFailed();
        logger.error('Conversion failed', { webhook: CONVERT_PATH, err: error });
      }
      return { status: 200, body: stringifyJson(review) };
    } catch (thrown) {
      const error = thrownError(thrown);
      logger.error('Conversion failed', { webhook: CONVERT_PATH, err: error });
      return { status: error instanceof RequestError ? error.status : 500, body: `${oneLine(error.message)}\n` };
    }
  }

  /** For a status of 400 or more, the failure policy decides. */
  private failure({ webhook: { path } }: ClassWebhook, error: Error): { status: number; body: string } {
    const { logger, metrics } = this.options;
    const status = error instanceof RequestError ? error.status : 500;
    const isMethod = error instanceof WebhookMethodError;
    if (isMethod && error.isPanic) metrics?.panicked();
    logger.error('Review failed', {
      webhook: path,
      ...(isMethod && { method: error.method }),
      err: isMethod ? error.cause : error,
    });
    return { status, body: `${oneLine(error.message)}\n` };
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function oneLine(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ');
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE)}…`;
}

/** The end of the time that the API server waits for a review. */
interface ReviewDeadline {
  readonly signal: AbortSignal;
  /** Must be called when the review has ended. */
  cancel(): void;
}

/** Starts the deadline that the API server sends in the query: `?timeout=10s`. */
function startDeadline(url: string, clock: Clock): ReviewDeadline {
  const [, seconds] = /[?&]timeout=(\d{1,4})s(?:&|$)/.exec(url) ?? [];
  const timeoutMs = seconds === undefined ? DEFAULT_TIMEOUT_MS : Math.min(Number(seconds) * 1000, MAX_TIMEOUT_MS);
  const ms = Math.max(timeoutMs - MARGIN_MS, 0);
  const controller = new AbortController();
  const cancel = clock.schedule(ms, () => {
    controller.abort(
      new OperatorError(`did not end within ${ms / 1000} s`, {
        code: 'E_WEBHOOK_TIMEOUT',
        hint: 'pass review.signal to what it waits for, or raise timeoutSeconds',
      }),
    );
  });
  return { signal: controller.signal, cancel };
}
