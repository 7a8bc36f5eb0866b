import { randomBytes } from 'node:crypto';
import { resourceName } from '../../api/kind-ref.js';
import { ConfigMap, MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '../../api/kinds.js';
import type { Logger } from '../../base/logger.js';
import { SystemClock } from '../../base/system-clock.js';
import type { Client } from '../../client/client.js';
import { NotFoundError } from '../../client/api-error.js';
import { webhookConfigurations } from '../../manifests/webhooks/webhook-configurations.js';
import { createServingIdentity } from '../../pki/certificate.js';
import type { Versions } from '../../resource/conversion/kind-conversion-of.js';
import type { Converter } from '../../webhook/conversion-review.js';
import type { ResourceModel } from '../../resource/model.js';
import { LOCAL_LABELS, LOCAL_SUFFIX, removeLeftovers } from './leftover-registrations.js';
import { sendUntilCalled } from './send-until-called.js';
import { LocalConversions } from './local-conversions.js';
import type { ServingCertificate } from '../serving-certificate.js';

const FIELD_MANAGER = 'kindwright';

const KINDS = {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} as const;

/**
 * Registers the webhooks of a process with an API server on the same machine, for the time of a run.
 *
 * Each kind has configurations of its own with fixed names, so that a later run replaces those that a killed process
 * left; it removes those of other kinds.
 */
export class LocalRegistration {
  private readonly registered: { readonly kind: keyof typeof KINDS; readonly name: string }[] = [];
  /** Paths that the API server calls once a configuration has taken effect, and that are not yet called. */
  private readonly awaited = new Set<string>();
  private readonly identity = createServingIdentity(new SystemClock().now());

  private readonly conversions: LocalConversions;

  constructor(
    private readonly client: Client,
    private readonly models: readonly ResourceModel[],
    kinds: readonly Versions[],
    private readonly logger: Logger,
  ) {
    this.conversions = new LocalConversions(client, kinds, logger);
  }

  /** The conversions to serve. */
  get converters(): Converter[] {
    return this.conversions.converters;
  }

  /** The certificate to serve with. */
  get certificate(): ServingCertificate {
    return { cert: this.identity.certPem, key: this.identity.keyPem };
  }

  /** Removes configurations that killed processes left. Never rejects. */
  removeLeftovers(): Promise<void> {
    return removeLeftovers(this.client, this.logger);
  }

  /** Resolves when the API server calls the webhooks at a port of 127.0.0.1. */
  async register(port: number): Promise<void> {
    const url = `https://127.0.0.1:${port}`;
    const caBundle = Buffer.from(this.identity.caPem).toString('base64');
    const probeName = `kindwright-probe-${randomBytes(4).toString('hex')}`;
    const configurations = this.models.flatMap((model) =>
      webhookConfigurations([model], {
        name: localName(model),
        labels: LOCAL_LABELS,
        clientConfig: (path) => ({ url: `${url}${path}`, caBundle }),
      }),
    );
    for (const [index, configuration] of configurations.entries()) {
      const { name } = configuration.metadata;
      const kind = configuration.kind as keyof typeof KINDS;
      const path = `/${probeName}-${index}`;
      const webhooks = configuration['webhooks'] as readonly object[];
      const probed = {
        ...configuration,
        webhooks: [...webhooks, probe(probeName, { url: `${url}${path}`, caBundle })],
      };
      this.awaited.add(path);
      await this.client.apply(KINDS[kind], probed, { fieldManager: FIELD_MANAGER, force: true });
      this.registered.push({ kind, name });
    }
    await this.effective(probeName);
    await this.conversions.register(url, caBundle, probeName);
  }

  /** Must be called with the path of each request for which no webhook is served. */
  received(path: string): void {
    this.awaited.delete(path);
  }

  /** Never rejects: the API server may have been stopped before. */
  async remove(): Promise<void> {
    await this.conversions.remove();
    for (const { kind, name } of this.registered.splice(0)) {
      try {
        await this.client.delete(KINDS[kind], name, {});
      } catch (error) {
        if (!(error instanceof NotFoundError)) this.logger.debug(`Cannot remove ${kind} ${name}`, { err: error });
      }
    }
  }

  /** Sends dry runs that match the probes alone, until each probe was called. */
  private async effective(name: string): Promise<void> {
    const send = () => this.client.create(ConfigMap, { metadata: { name, namespace: 'default' } }, { dryRun: true });
    const isCalled = await sendUntilCalled(send, () => this.awaited.size === 0);
    if (!isCalled) this.logger.warn('The API server does not call the webhooks of this process');
  }
}

/** The prefix of the configurations of a class; a kind that is defined elsewhere can have several. */
function localName({ kind, definesKind, controller }: ResourceModel): string {
  return `${definesKind ? '' : `${controller.name}.`}${resourceName(kind)}${LOCAL_SUFFIX}`;
}

/** A webhook for a ConfigMap that is never stored. The response 404 is ignored. */
function probe(name: string, clientConfig: object) {
  return {
    name: 'probe.webhooks.kindwright.dev',
    admissionReviewVersions: ['v1'],
    clientConfig,
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    matchConditions: [{ name: 'probe', expression: `object.metadata.name == "${name}"` }],
    failurePolicy: 'Ignore',
    sideEffects: 'None',
    timeoutSeconds: 1,
  };
}
