import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestInfo } from '../../api/request-info.js';
import type { Status } from '../../api/status.js';
import type { Clock } from '../../base/clock.js';
import { goQuoted } from '../../base/go-quoted.js';
import type { Logger } from '../../base/logger.js';
import type { SchemaProps } from '../../crd/schema/schema-props.js';
import { AdmissionChain } from '../admission/admission-chain.js';
import { defaultPlugins } from '../admission/default-plugins.js';
import { Aggregator } from '../aggregation/aggregator.js';
import { ApiServices } from '../aggregation/api-services.js';
import { FrontProxy } from '../aggregation/front-proxy.js';
import { auditEvent, type AuditEvent } from './audit-event.js';
import { WebhookClient } from '../remote/webhook-client.js';
import { ANONYMOUS, Authenticator } from '../auth/authenticator.js';
import { EscalationCheck } from '../auth/escalation-check.js';
import { RbacAuthorizer, type AccessRequest } from '../auth/rbac-authorizer.js';
import { authorizeRequest } from '../auth/request-authorization.js';
import { ServiceAccountTokens } from '../auth/service-account-token.js';
import { TokenKey } from '../auth/token-key.js';
import { CustomResources } from '../crd/custom-resources.js';
import { Discovery } from '../discovery/discovery.js';
import { Documents } from '../handlers/read/documents.js';
import { OpenApi } from '../discovery/openapi.js';
import { resolvedSchema } from '../discovery/resolved-schema.js';
import { internalError, notServed, StatusError } from '../errors/status-error.js';
import { FlowClassifier } from '../flowcontrol/flow-classifier.js';
import { FlowSchemas } from '../flowcontrol/flow-schemas.js';
import type { PodLogSource } from '../handlers/subresource/pods/pod-log.js';
import { hasRoute } from '../handlers/request/has-route.js';
import { ResourceHandlers } from '../handlers/resource-handlers.js';
import { ServerMetrics } from '../metrics/server-metrics.js';
import { Registry } from '../registry/registry.js';
import { Remover } from '../registry/remover.js';
import type { UserInfo } from '../objects/user-info.js';
import { builtinResources } from '../builtin/builtin-resources.js';
import { ResourceRegistry } from '../resources/resource-registry.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import { type Outcome, textNotFound } from '../transport/response/outcome.js';
import { guardRequest } from '../transport/request/request-guard.js';
import type { ServingIdentity } from '../../pki/certificate.js';
import { ServiceResolver } from '../remote/service-resolver.js';
import { isMalformed, requestTarget } from '../transport/request/request-target.js';
import { checkTimeout } from '../transport/request/request-timeout.js';
import { respond, respondError } from '../transport/response/responder.js';

const TEXT = 'text/plain; charset=utf-8';

export interface ApiServerOptions {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly token: string;
  /** Who else is known by a token. */
  readonly staticTokens?: ReadonlyMap<string, UserInfo> | undefined;
  /** Whether everybody may do everything; default: what RBAC says. */
  readonly allowsAll?: boolean | undefined;
  readonly logger: Logger;
  /** What the servers behind APIServices are shown comes from its authority; without it they are shown nothing. */
  readonly identity?: ServingIdentity | undefined;
  /** Where the key of service accounts' tokens is kept, if it is. */
  readonly tokenKeyFile?: string | undefined;
  /** By Kubernetes' names. */
  readonly disableAdmissionPlugins?: readonly string[] | undefined;
  /** Told of each request once it is answered, and of watches when they begin too, as the audit log of a real server is. */
  readonly audit?: ((event: AuditEvent) => void) | undefined;
}

/** Answers HTTP requests as kube-apiserver does. */
export class ApiServer {
  readonly resources = new ResourceRegistry();
  readonly registry: Registry;
  readonly remover: Remover;
  readonly customResources: CustomResources;
  readonly tokens: ServiceAccountTokens;
  readonly apiServices: ApiServices;
  readonly flowSchemas: FlowSchemas;
  readonly frontProxy: FrontProxy;
  private readonly flows: FlowClassifier;
  /** What plays the kubelets knows what the containers say. */
  podLogs: PodLogSource = () => [];
  /** Whether something acts on objects. */
  runsControllers = false;
  private readonly handlers: ResourceHandlers;
  private readonly documents: Documents;
  private readonly openApi: OpenApi;
  private readonly metrics: ServerMetrics;
  readonly aggregator: Aggregator;
  private readonly authenticator: Authenticator;
  private readonly authorizer: RbacAuthorizer;

  constructor(private readonly options: ApiServerOptions) {
    const { store, clock, token } = options;
    for (const resource of builtinResources()) this.resources.add(resource);
    this.registry = new Registry(store, clock);
    const { disableAdmissionPlugins = [] } = options;
    this.authorizer = new RbacAuthorizer(store, options.allowsAll);
    const webhooks = new WebhookClient(new ServiceResolver(store));
    this.registry.admission = new AdmissionChain(
      defaultPlugins(
        { store, clock, resources: this.resources, webhooks, authorizer: this.authorizer },
        disableAdmissionPlugins,
      ),
    );
    this.remover = new Remover(this.registry);
    this.registry.escalation = new EscalationCheck(this.authorizer);
    const tokens = new ServiceAccountTokens(new TokenKey(options.tokenKeyFile));
    this.tokens = tokens;
    this.authenticator = new Authenticator(
      token,
      options.staticTokens ?? new Map(),
      tokens,
      store,
      this.authorizer,
      clock,
    );
    this.customResources = new CustomResources(this.registry, this.remover, this.resources, webhooks);
    this.metrics = new ServerMetrics(store, this.resources);
    this.frontProxy = new FrontProxy(options.identity, clock);
    this.aggregator = new Aggregator(this.registry, this.resources, this.frontProxy, clock, options.logger);
    this.openApi = new OpenApi(
      () => this.customResources.openApi(),
      () => this.aggregator.openApiPaths(),
    );
    const discovery = new Discovery(
      this.resources,
      () => this.customResources.groups(),
      () => this.aggregator.groups(),
    );
    this.documents = new Documents({
      resources: this.resources,
      discovery,
      openApi: this.openApi,
      tokenKey: tokens.key,
      metrics: this.metrics,
    });
    this.handlers = new ResourceHandlers({
      registry: this.registry,
      remover: this.remover,
      resources: this.resources,
      podLogs: (pod) => this.podLogs(pod),
      runsControllers: () => this.runsControllers,
      reviews: { registry: this.registry, authenticator: this.authenticator, authorizer: this.authorizer, tokens },
    });
    this.apiServices = new ApiServices(this.registry, () => this.customResources.groups());
    this.flowSchemas = new FlowSchemas(this.registry, this.resources);
    this.flows = new FlowClassifier(store);
    this.resources.onAdded = () => this.apiServices.reconcileLater();
    this.resources.onRemoved = (resource) => {
      this.handlers.closeWatches(resource);
      this.apiServices.reconcileLater();
    };
  }

  /** The schema of a kind, without references; undefined for one that is not served. */
  schemaOf({ apiVersion, kind }: { apiVersion: string; kind: string }): SchemaProps | undefined {
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const document = this.openApi.document(group === '' ? `api/${version}` : `apis/${apiVersion}`);
    return document && resolvedSchema(document, group, version, kind);
  }

  /** Whether a user may do something. */
  isAllowed(user: UserInfo, request: AccessRequest): boolean {
    return this.authorizer.allows(user, request);
  }

  /** Ends all watches. */
  stop(): void {
    this.handlers.closeWatches();
    this.customResources.stop();
    this.apiServices.stop();
    this.aggregator.stop();
    this.flowSchemas.stop();
  }

  /** Answers one request; never rejects. */
  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, query } = requestTarget(message.url);
    if (isMalformed(path)) {
      response.writeHead(400, { 'Content-Type': TEXT }).end('400 Bad Request');
      return;
    }
    const info = requestInfo(message.method ?? 'GET', path, query);
    let request: ApiRequest = {
      method: message.method ?? 'GET',
      path,
      query,
      message,
      user: ANONYMOUS,
      info,
      checkCreate: () => {
        authorizeRequest(this.authorizer, { ...request, info: { ...info, verb: 'create' } });
      },
      warnings: [],
      annotations: {},
    };
    const answered = { name: '', status: undefined as Status | undefined };
    const auditStart = this.auditWhenDone(() => request, response, answered);
    try {
      guardRequest(message);
      if (info.verb !== 'watch') checkTimeout(query);
      request = { ...request, user: this.authenticator.authenticate(message) };
      this.flows.mark(request, response);
      authorizeRequest(this.authorizer, request);
      const outcome = await this.route(request, response);
      await prepare(outcome);
      if (outcome.type === 'object') answered.name = outcome.stored.object.metadata.name;
      respond(response, request, outcome, this.options.clock.now());
      if (request.info.verb === 'watch') auditStart();
    } catch (error) {
      answered.status = this.refuse(request, response, error);
    }
  }

  /** Gives what tells of an answer that begins now and will end later. */
  private auditWhenDone(
    request: () => ApiRequest,
    response: ServerResponse,
    answered: { readonly name: string; readonly status: Status | undefined },
  ): () => void {
    const { audit, clock } = this.options;
    if (!audit) return () => undefined;
    const receivedMs = clock.now();
    const auditID = randomUUID();
    const tell = (stage: AuditEvent['stage']): void => {
      const { statusCode: code } = response;
      audit(auditEvent(request(), { ...answered, auditID, stage, code, receivedMs, stageMs: clock.now() }));
    };
    response.once('close', () => {
      tell('ResponseComplete');
    });
    return () => {
      tell('ResponseStarted');
    };
  }

  private refuse(request: ApiRequest, response: ServerResponse, error: unknown): Status {
    // A client that hangs up in the middle of its request is told nothing.
    if (!(error instanceof StatusError) && !response.destroyed)
      this.options.logger.error('request failed', { path: request.path, err: error });
    const status =
      error instanceof StatusError ? error : internalError(error instanceof Error ? error.message : String(error));
    if (response.headersSent) {
      response.destroy();
      return status.toStatus();
    }
    if (status.details?.retryAfterSeconds !== undefined)
      response.setHeader('Retry-After', status.details.retryAfterSeconds);
    try {
      respondError(response, request, status, this.options.clock.now());
    } catch (unsent) {
      this.options.logger.error('answer failed', { path: request.path, err: unsent });
      response.destroy();
    }
    return status.toStatus();
  }

  private async route(request: ApiRequest, response: ServerResponse): Promise<Outcome> {
    const { info, path } = request;
    const remote = this.aggregator.answer(request);
    if (remote) return remote;
    if (path.startsWith('//')) return textNotFound();
    if (!info.isResource) return this.documents.answer(request);
    if (info.plural === '') return unreadable(path);
    if (path.includes('//')) throw notServed();
    const resource = this.resources.find(info.apiVersion, info.plural);
    if (!resource || !hasRoute(resource, info)) {
      if (resource ? !resource.isCustom : this.resources.isInstalled(info.group)) throw notServed();
      return textNotFound();
    }
    this.metrics.track(request, response);
    return this.handlers.serve(resource, request);
  }
}

/** Has all objects of an outcome converted at once where that takes a webhook. */
async function prepare(outcome: Outcome): Promise<void> {
  if (outcome.type !== 'object' && outcome.type !== 'list') return;
  const items = outcome.type === 'list' ? outcome.items : [outcome.stored];
  await outcome.resource.codec.prepare?.(items.map(({ object }) => object));
}

/** A path that watches, and does not say what: apiserver/pkg/endpoints/request/requestinfo.go. */
function unreadable(path: string): Outcome {
  const why = `failed to create RequestInfo: unable to determine kind and namespace from url, ${path}`;
  const body = `Internal Server Error: ${goQuoted(path)}: ${why}\n`;
  return { type: 'text', code: 500, contentType: TEXT, body };
}
