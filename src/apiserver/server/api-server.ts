import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { SchemaProps } from '../../crd/schema-props.js';
import type { ServingIdentity } from '../../pki/certificate.js';
import { AdmissionChain } from '../admission/admission-chain.js';
import { defaultPlugins } from '../admission/default-plugins.js';
import { Aggregator } from '../aggregation/aggregator.js';
import { ApiServices } from '../aggregation/api-services.js';
import { FrontProxy } from '../aggregation/front-proxy.js';
import { Authenticator } from '../auth/authenticator.js';
import { EscalationCheck } from '../auth/escalation-check.js';
import { RbacAuthorizer, type AccessRequest } from '../auth/rbac-authorizer.js';
import { ServiceAccountTokens } from '../auth/service-account-token.js';
import { TokenKey } from '../auth/token-key.js';
import { builtinResources } from '../builtin/builtin-resources.js';
import { CustomResources } from '../crd/custom-resources.js';
import { Discovery } from '../discovery/discovery.js';
import { OpenApi } from '../discovery/openapi.js';
import { resolvedSchema } from '../discovery/resolved-schema.js';
import { FlowClassifier } from '../flowcontrol/flow-classifier.js';
import { FlowSchemas } from '../flowcontrol/flow-schemas.js';
import { Documents } from '../handlers/read/documents.js';
import { ServerStatus } from '../handlers/read/server-status.js';
import { ResourceHandlers } from '../handlers/resource-handlers.js';
import type { PodLogSource } from '../handlers/subresource/pods/pod-log.js';
import { ServerMetrics } from '../metrics/server-metrics.js';
import type { UserInfo } from '../objects/user-info.js';
import { Registry } from '../registry/registry.js';
import { Remover } from '../registry/remover.js';
import { ServiceResolver } from '../remote/service-resolver.js';
import { WebhookClient } from '../remote/webhook-client.js';
import { ResourceRegistry } from '../resources/resource-registry.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { AuditEvent } from './audit-event.js';
import { RequestHandler } from './request-handler.js';
import { Router } from './router.js';
import { isResource, ServerFaults } from './server-faults.js';

export interface ApiServerOptions {
  readonly store: ObjectStore;
  readonly clock: Clock;
  /** Bearer token of the administrator. */
  readonly token: string;
  /** Users by static token, beside the administrator. */
  readonly staticTokens?: ReadonlyMap<string, UserInfo> | undefined;
  /** Allows every request; default: RBAC decides. */
  readonly allowsAll?: boolean | undefined;
  readonly logger: Logger;
  /** The authority that signs the client certificate shown to the servers of APIServices; default: none is shown. */
  readonly identity?: ServingIdentity | undefined;
  /** The file of the key of service account tokens; default: a new key for each server. */
  readonly tokenKeyFile?: string | undefined;
  /** Names as in --disable-admission-plugins of kube-apiserver. */
  readonly disableAdmissionPlugins?: readonly string[] | undefined;
  /** The logs of pods; default: empty. */
  readonly podLogs?: PodLogSource | undefined;
  /** True if controllers run; ComponentStatus shows it. */
  readonly runsControllers?: boolean | undefined;
  /** Called with each answered request, and with watches also when they start, like the audit log of kube-apiserver. */
  readonly audit?: ((event: AuditEvent) => void) | undefined;
}

/**
 * An API server over an object store. The constructor builds and connects its parts, and serves the built-in resources
 * and every CustomResourceDefinition in the store. Then `handle` serves requests; `stop` ends watches and background
 * work, and leaves the store open.
 */
export class ApiServer {
  readonly resources = new ResourceRegistry();
  readonly registry: Registry;
  readonly remover: Remover;
  readonly customResources: CustomResources;
  readonly tokens: ServiceAccountTokens;
  readonly apiServices: ApiServices;
  readonly flowSchemas: FlowSchemas;
  readonly frontProxy: FrontProxy;
  readonly aggregator: Aggregator;
  readonly faults: ServerFaults;
  private readonly handlers: ResourceHandlers;
  private readonly webhooks: WebhookClient;
  private readonly openApi: OpenApi;
  private readonly authorizer: RbacAuthorizer;
  private readonly requests: RequestHandler;

  constructor(options: ApiServerOptions) {
    const { store, clock, logger } = options;
    const { resources } = this;
    for (const resource of builtinResources()) resources.add(resource);
    const authorizer = new RbacAuthorizer(store, options.allowsAll);
    this.authorizer = authorizer;
    const webhooks = new WebhookClient(new ServiceResolver(store));
    this.webhooks = webhooks;
    const plugins = defaultPlugins(
      { store, clock, resources, webhooks, authorizer },
      options.disableAdmissionPlugins ?? [],
    );
    this.registry = new Registry(store, clock, new AdmissionChain(plugins), new EscalationCheck(authorizer));
    this.remover = new Remover(this.registry);
    this.tokens = new ServiceAccountTokens(new TokenKey(options.tokenKeyFile));
    const { staticTokens = new Map<string, UserInfo>() } = options;
    const authenticator = new Authenticator(options.token, staticTokens, this.tokens, store, authorizer, clock);
    this.customResources = new CustomResources(this.registry, this.remover, resources, webhooks);
    this.frontProxy = new FrontProxy(options.identity, clock);
    this.aggregator = new Aggregator(this.registry, resources, this.frontProxy, clock, logger);
    this.openApi = new OpenApi({
      custom: () => this.customResources.publishedVersions(),
      remotePaths: () => this.aggregator.openApiPaths(),
      now: () => clock.now(),
    });
    this.handlers = new ResourceHandlers({
      registry: this.registry,
      remover: this.remover,
      resources,
      podLogs: options.podLogs ?? (() => []),
      runsControllers: options.runsControllers === true,
      reviews: { registry: this.registry, authenticator, authorizer, tokens: this.tokens },
    });
    this.apiServices = new ApiServices(this.registry, resources, () => this.customResources.groups());
    this.flowSchemas = new FlowSchemas(this.registry, resources);
    const flows = new FlowClassifier(store);
    this.faults = new ServerFaults(clock, (text, error) =>
      this.handlers.endWatches((of) => text === undefined || isResource(text, { ...of, subresource: '' }), error),
    );
    this.requests = new RequestHandler({
      ...options,
      authenticator,
      authorizer,
      flows,
      faults: this.faults,
      router: this.router(store, clock),
    });
  }

  private router(store: ObjectStore, clock: Clock): Router {
    const { resources, handlers, aggregator, openApi } = this;
    const metrics = new ServerMetrics(store, resources);
    const discovery = new Discovery(
      resources,
      () => this.customResources.groups(),
      () => aggregator.groups(),
    );
    const status = new ServerStatus(clock);
    const documents = new Documents({ resources, discovery, openApi, tokenKey: this.tokens.key, metrics, status });
    return new Router({ resources, aggregator, documents, handlers, metrics });
  }

  /** Returns the schema of a kind with its references resolved; undefined for a kind that is not served. */
  schemaOf({ apiVersion, kind }: { apiVersion: string; kind: string }): SchemaProps | undefined {
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const document = this.openApi.document(group === '' ? `api/${version}` : `apis/${apiVersion}`);
    return document && resolvedSchema(document, group, version, kind);
  }

  /** Reports whether a user has a permission. */
  isAllowed(user: UserInfo, request: AccessRequest): boolean {
    return this.authorizer.allows(user, request);
  }

  /** Handles one request; never rejects. */
  handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.requests.handle(message, response);
  }

  /** Ends all watches and background work. */
  stop(): void {
    this.handlers.closeWatches();
    this.webhooks.close();
    this.customResources.stop();
    this.apiServices.stop();
    this.aggregator.stop();
    this.flowSchemas.stop();
  }
}
