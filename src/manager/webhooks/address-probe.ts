import { randomHex } from '../../base/random.js';
import { ConfigMap, ValidatingWebhookConfiguration } from '../../api/kinds/kinds.js';
import { sleep } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { SystemClock } from '../../base/system-clock.js';
import { ApiError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { LOCAL_LABELS, LOCAL_SUFFIX } from './leftover-registrations.js';

const POLL_MS = 50;
/** API servers read configurations by a watch, usually within milliseconds. */
const EFFECTIVE_MS = 10_000;
const TIMEOUT_SECONDS = 2;

/** An address at which the API server does not reach this process. */
export interface UnreachableAddress {
  readonly address: string;
  readonly reason: string;
}

/** The result of a probe. */
export interface ProbeResult {
  /** The first address at which the API server reached this process. */
  readonly reached: string | undefined;
  readonly unreachable: readonly UnreachableAddress[];
}

/**
 * Finds out at which addresses the API server reaches this process, by calls of the API server itself.
 *
 * A configuration has a webhook for each address, which matches the dry-run creation of one ConfigMap. The failure
 * policy is Fail, so that the response contains the reason when the call fails; no other write is affected.
 */
export class AddressProbe {
  private readonly name = `kindwright-probe-${randomHex('probe', 4)}`;
  private readonly called = new Set<string>();
  private readonly clock = new SystemClock();

  constructor(
    private readonly client: Client,
    private readonly caBundle: string,
    private readonly logger: Logger,
  ) {}

  /** Must be called with the path of each request for which no webhook is served. */
  received(path: string): void {
    this.called.add(path);
  }

  /**
   * @param addresses hosts and ports
   * @throws ApiError when the user must not create webhook configurations, or ConfigMaps in the namespace `default`
   */
  async find(addresses: readonly string[]): Promise<ProbeResult> {
    const name = `${this.name}${LOCAL_SUFFIX}-validating-webhook-configuration`;
    const webhooks = addresses.map((address, index) => this.webhook(address, index));
    await this.client.create(ValidatingWebhookConfiguration, { metadata: { name, labels: LOCAL_LABELS }, webhooks });
    try {
      const reasons = await Promise.all(addresses.map((_, index) => this.attempt(index)));
      const unreachable = addresses.flatMap((address, index) => {
        const reason = reasons[index];
        return reason === undefined ? [] : [{ address, reason }];
      });
      return { reached: addresses.find((_, index) => reasons[index] === undefined), unreachable };
    } finally {
      await this.client.delete(ValidatingWebhookConfiguration, name).catch((error: unknown) => {
        this.logger.debug(`Cannot remove ValidatingWebhookConfiguration ${name}`, { err: error });
      });
    }
  }

  private webhook(address: string, index: number) {
    return {
      name: `address-${index}.probe.webhooks.kindwright.dev`,
      admissionReviewVersions: ['v1'],
      clientConfig: { url: `https://${address}${this.path(index)}`, caBundle: this.caBundle },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      matchConditions: [{ name: 'probe', expression: `object.metadata.name == "${this.objectName(index)}"` }],
      failurePolicy: 'Fail',
      sideEffects: 'None',
      timeoutSeconds: TIMEOUT_SECONDS,
    };
  }

  /** Returns why the API server does not reach an address; undefined if it does. */
  private async attempt(index: number): Promise<string | undefined> {
    const object = { metadata: { name: this.objectName(index), namespace: 'default' } };
    const endMs = this.clock.monotonic() + EFFECTIVE_MS;
    for (;;) {
      const reason = await this.failureOf(this.client.create(ConfigMap, object, { dryRun: true }));
      if (this.called.has(this.path(index))) return undefined; // its response is 404
      if (reason !== undefined) return reason;
      if (this.clock.monotonic() > endMs) return 'the API server did not call it';
      await sleep(this.clock, POLL_MS); // the configuration has no effect yet
    }
  }

  /** Returns why a webhook could not be called. */
  private async failureOf(creation: Promise<unknown>): Promise<string | undefined> {
    try {
      await creation;
      return undefined;
    } catch (error) {
      const isCall = error instanceof ApiError && error.message.includes('failed calling webhook');
      if (!isCall) throw error;
      return error.message.replace(/^.*failed to call webhook: /s, '').replace(/^Post "[^"]*": /, '');
    }
  }

  private objectName(index: number): string {
    return `${this.name}-${index}`;
  }

  private path(index: number): string {
    return `/${this.objectName(index)}`;
  }
}
