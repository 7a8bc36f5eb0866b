import { randomHex } from '../../base/random.js';
import { resourceName } from '../../api/kinds/kind-ref.js';
import { ConfigMap, MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '../../api/kinds/kinds.js';
import type { Logger } from '../../base/logger.js';
import { SystemClock } from '../../base/system-clock.js';
import type { Client } from '../../client/client.js';
import { NotFoundError } from '../../client/api-error.js';
import { webhookConfigurations } from '../../manifests/webhooks/webhook-configurations.js';
import { OperatorError } from '../../base/operator-error.js';
import { createServingIdentity } from '../../pki/certificate.js';
import type { Versions } from '../../resource/conversion/kind-conversion-of.js';
import type { Converter } from '../../webhook/converted-objects.js';
import type { ResourceModel } from '../../resource/model.js';
import { AddressProbe, type UnreachableAddress } from './address-probe.js';
import { candidateAddresses, type Candidates } from './candidate-addresses.js';
import { isAbandoned, LOCAL_LABELS, LOCAL_SUFFIX, removeLeftovers, urlsOf } from './leftover-registrations.js';
import { processAnnotation } from './registering-process.js';
import { sendUntilCalled } from './send-until-called.js';
import { LocalConversions } from './local-conversions.js';
import type { ServingCertificate } from '../serving-certificate.js';

const HINT = `let a host that the API server reaches forward a port to this process (with GatewayPorts in its sshd_config):
  ssh -R 0.0.0.0:9443:127.0.0.1:9443 user@host
  run-operator --register-webhooks --webhook-address host:9443 --webhook-port 9443
or run the operator in the cluster with kindwright deploy`;

const FIELD_MANAGER = 'kindwright';

const KINDS = {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} as const;

/** The API server to register with. */
interface RegistrationOptions {
  readonly client: Client;
  /** The same as `address` of the options of the manager. */
  readonly address: string | undefined;
  /** The only namespaces in which objects are reviewed; empty for all. */
  readonly namespaces: readonly string[];
}

/**
 * Registers the webhooks of a process outside of the cluster, for the time of a run.
 *
 * Each kind has configurations of its own with fixed names, so that a later run replaces those that a killed process
 * left. While another process has registered the same kind, the names contain the port.
 */
export class LocalRegistration {
  private readonly registered: { readonly kind: keyof typeof KINDS; readonly name: string }[] = [];
  /** Paths that the API server calls once a configuration has taken effect, and that are not yet called. */
  private readonly awaited = new Set<string>();
  private readonly identity;
  private readonly conversions: LocalConversions;
  private readonly probe: AddressProbe;
  private readonly unreachable: UnreachableAddress[] = [];
  private address = '';

  private constructor(
    /** The addresses to listen at, in the order in which `reach` must be called with them. */
    readonly candidates: readonly Candidates[],
    private readonly options: RegistrationOptions,
    private readonly models: readonly ResourceModel[],
    kinds: readonly Versions[],
    private readonly logger: Logger,
  ) {
    const { client } = options;
    const hosts = candidates.flatMap((each) => each.hosts.map(withoutPort));
    this.identity = createServingIdentity(new SystemClock().now(), hosts);
    this.conversions = new LocalConversions(client, kinds, logger);
    this.probe = new AddressProbe(client, this.caBundle, logger);
  }

  static async prepare(
    options: RegistrationOptions,
    models: readonly ResourceModel[],
    kinds: readonly Versions[],
    logger: Logger,
  ): Promise<LocalRegistration> {
    const candidates = await candidateAddresses(options.address, options.client.config.server);
    return new LocalRegistration(candidates, options, models, kinds, logger);
  }

  /** Finds an address at which the API server reaches a port of this process. Returns false if it reaches none. */
  async reach({ hosts, isProbed }: Candidates, port: number): Promise<boolean> {
    const addresses = hosts.map((host) => (host.includes(':') ? host : `${host}:${port}`));
    const [first = ''] = addresses;
    if (!isProbed) {
      this.address = first;
      return true;
    }
    const { reached, unreachable } = await this.probe.find(addresses);
    this.unreachable.push(...unreachable);
    if (reached === undefined) return false;
    this.address = reached;
    this.logger.info('The API server reaches this process', { address: reached });
    return true;
  }

  /** The error when `reach` returned false for all candidates. */
  unreachableError(): OperatorError {
    const tried = this.unreachable.map(({ address, reason }) => `\n  ${address}: ${reason}`).join('');
    return new OperatorError(`the API server cannot call the webhooks of this process; it tried${tried}`, {
      code: 'E_WEBHOOK_ADDRESS',
      hint: HINT,
    });
  }

  private get caBundle(): string {
    return Buffer.from(this.identity.caPem).toString('base64');
  }

  /** The conversions to serve. */
  get converters(): Converter[] {
    return this.conversions.converters;
  }

  /** The certificate to serve with. */
  get certificate(): ServingCertificate {
    return { cert: this.identity.certPem, key: this.identity.keyPem };
  }

  /** Resolves when the API server calls the webhooks at the address that was reached. */
  async register(): Promise<void> {
    const url = `https://${this.address}`;
    const { port } = new URL(url);
    const { caBundle } = this;
    const { address, client } = this.options;
    // Those at the end of a tunnel are known only now.
    if (address !== undefined) await removeLeftovers(client, this.logger, this.address);
    const probeName = `kindwright-probe-${randomHex('probe', 4)}`;
    // Before the admission webhooks, which would review the objects that are sent to try the conversions.
    await this.conversions.register(url, caBundle, probeName);
    const configurations = this.models.flatMap((model) =>
      webhookConfigurations([model], {
        name: localName(model),
        labels: LOCAL_LABELS,
        annotations: processAnnotation(),
        namespaces: this.options.namespaces,
        // A process outside of the cluster may be killed, or lose its network, and must not stop the writes of others.
        failurePolicy: this.isRemote ? 'Ignore' : undefined,
        clientConfig: (path) => ({ url: `${url}${path}`, caBundle }),
      }),
    );
    for (const [index, configuration] of configurations.entries()) {
      const kind = configuration.kind as keyof typeof KINDS;
      const name = await this.freeName(kind, configuration.metadata.name, port);
      const path = `/${probeName}-${index}`;
      const webhooks = configuration['webhooks'] as readonly object[];
      const probed = {
        ...configuration,
        metadata: { ...configuration.metadata, name },
        webhooks: [...webhooks, probe(probeName, { url: `${url}${path}`, caBundle })],
      };
      this.awaited.add(path);
      await this.options.client.apply(KINDS[kind], probed, { fieldManager: FIELD_MANAGER, force: true });
      this.registered.push({ kind, name });
    }
    await this.effective(probeName);
    if (this.isRemote && configurations.length > 0)
      this.logger.info('Writes that cannot be reviewed because this process does not respond go through', {
        failurePolicy: 'Ignore',
      });
  }

  /** True unless the API server runs in this process, and so ends with it. */
  private get isRemote(): boolean {
    return this.options.address !== undefined;
  }

  /** Must be called with the path of each request for which no webhook is served. */
  received(path: string): void {
    this.awaited.delete(path);
    this.probe.received(path);
  }

  /** Never rejects: the API server may have been stopped before. */
  async remove(late: AbortSignal): Promise<void> {
    const client = this.options.client.intercepted((request, send) => send(request), { signal: late });
    await this.conversions.remove(client);
    for (const { kind, name } of this.registered.splice(0)) {
      try {
        await client.delete(KINDS[kind], name, {});
      } catch (error) {
        if (error instanceof NotFoundError) continue;
        const hint = `kubectl delete ${kind} ${name}, or start the operator again: it replaces what remains`;
        if (late.aborted) this.logger.warn(`Cannot remove ${kind} ${name}: the API server does not respond`, { hint });
        else this.logger.debug(`Cannot remove ${kind} ${name}`, { err: error });
      }
    }
  }

  /** The name, with the port if another process that still runs has it: both are called. */
  private async freeName(kind: keyof typeof KINDS, name: string, port: string): Promise<string> {
    try {
      const present = await this.options.client.get(KINDS[kind], name);
      if (await isAbandoned(present, urlsOf(present), this.address)) return name;
      return name.replace(LOCAL_SUFFIX, `${LOCAL_SUFFIX}-${port}`);
    } catch (error) {
      if (!(error instanceof NotFoundError)) this.logger.debug(`Cannot read ${kind} ${name}`, { err: error });
      return name;
    }
  }

  /** Sends dry runs that match the probes alone, until each probe was called. */
  private async effective(name: string): Promise<void> {
    const send = () =>
      this.options.client.create(ConfigMap, { metadata: { name, namespace: 'default' } }, { dryRun: true });
    const isCalled = await sendUntilCalled(send, () => this.awaited.size === 0);
    if (!isCalled) this.logger.warn('The API server does not call the webhooks of this process');
  }
}

function withoutPort(address: string): string {
  return address.replace(/:\d+$/, '');
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
