import { ownMember } from '../../../base/own-member.js';
import type { TokenKey } from '../../auth/token-key.js';
import { kubernetesData } from '../../data/data-file.js';
import { methodNotAllowed, notServed } from '../../errors/status-error.js';
import type { ServerMetrics } from '../../metrics/server-metrics.js';
import type { ResourceRegistry } from '../../resources/resource-registry.js';
import type { ApiRequest } from '../../transport/request/api-request.js';
import { type Outcome, textNotFound } from '../../transport/response/outcome.js';
import type { Discovery } from '../../discovery/discovery.js';
import { assertProduced } from '../request/content-negotiation.js';
import { healthAnswer, healthPaths } from '../../discovery/health-checks.js';
import type { OpenApi } from '../../discovery/openapi.js';
import type { ServerStatus } from './server-status.js';
import { ISSUER } from '../../auth/service-account-token.js';

/**
 * Paths that go-restful serves, which respond with 405 to other methods than GET. Handlers registered by path ignore
 * the method.
 */
const ONLY_READ =
  /^\/(version|api|api\/[^/]+|apis\/apiregistration\.k8s\.io|apis\/(?<group>[^/]+)\/[^/]+|\.well-known\/openid-configuration|openid\/v1\/jwks)$/;
/** Handlers registered by path do not serve paths with a trailing slash. */
const BY_PATH = /^\/(healthz|livez|readyz|metrics|openapi)\b.*\/$/;
const PATHS = [
  ...['/.well-known/openid-configuration', '/metrics', '/metrics/slis', '/openapi/v2', '/openapi/v3', '/openapi/v3/'],
  ...['/openid/v1/jwks', '/statusz', '/version'],
];

/** Paths with a single media type. */
const PRODUCED: Readonly<Record<string, readonly string[]>> = {
  '/version': ['application/json'],
  '/.well-known/openid-configuration': ['application/json'],
  '/openid/v1/jwks': ['application/jwk-set+json'],
};

export interface DocumentSources {
  readonly resources: ResourceRegistry;
  readonly discovery: Discovery;
  readonly openApi: OpenApi;
  readonly tokenKey: TokenKey;
  readonly metrics: ServerMetrics;
  readonly status: ServerStatus;
}

/** Serves the paths that do not belong to a resource. */
export class Documents {
  constructor(private readonly sources: DocumentSources) {}

  async answer(request: ApiRequest): Promise<Outcome> {
    if (BY_PATH.test(request.path)) return notThere(request.path);
    const path = request.path.length > 1 ? request.path.replace(/\/$/, '') : request.path;
    const outcome = await (this.sources.metrics.answer(path) ?? this.document(path, request));
    if (outcome) this.assertRoute(path, request);
    if (!outcome && this.isInstalled(path)) throw notServed();
    return outcome ?? notThere(path);
  }

  /** Checks made by go-restful's router, before any handler runs. */
  private assertRoute(path: string, { method, message }: ApiRequest): void {
    if (method !== 'GET' && this.isOnlyRead(path)) throw methodNotAllowed();
    const produced = ownMember(PRODUCED, path);
    if (produced) assertProduced(message.headers.accept ?? '', produced);
  }

  private isOnlyRead(path: string): boolean {
    const match = ONLY_READ.exec(path);
    const group = match?.groups?.group;
    return match !== null && (group === undefined || this.sources.resources.isInstalled(group));
  }

  /** Returns whether a missing path gets the 404 of an installed API group instead of the server's own. */
  private isInstalled(path: string): boolean {
    const [, root, group = ''] = path.split('/');
    if (root === 'api' || root === 'version') return true;
    return root === 'apis' && this.sources.resources.isInstalled(group);
  }

  private document(path: string, request: ApiRequest): Outcome | Promise<Outcome> | undefined {
    const { discovery, openApi, tokenKey } = this.sources;
    const { host = '127.0.0.1' } = request.message.headers;
    if (path === '/version') return readable(kubernetesData.resources.version);
    if (path === '/statusz') return this.sources.status.answer(request.message.headers.accept ?? '');
    if (path === '/' || path === '/index.html') return readable({ paths: this.paths() });
    return (
      healthAnswer(path, request.query) ??
      discovery.serve(path, request.message) ??
      openApi.serve(path, request) ??
      openIdAnswer(path, host, tokenKey)
    );
  }

  private paths(): string[] {
    return [...PATHS, ...healthPaths(), ...this.sources.discovery.paths()].sort();
  }
}

/** Returns the 404 of a path; that of OpenAPI v3 has an empty body. */
function notThere(path: string): Outcome {
  return path.startsWith('/openapi/v3/') ? { type: 'text', code: 404, contentType: '', body: '' } : textNotFound();
}

/** Responds with indented JSON. */
function readable(body: unknown): Outcome {
  return { type: 'text', code: 200, contentType: 'application/json', body: JSON.stringify(body, null, 2) };
}

const KEYS = '/openid/v1/jwks';

/** Serves OpenID discovery of service account tokens: the issuer and the public keys. */
function openIdAnswer(path: string, host: string, key: TokenKey): Outcome | undefined {
  if (path === '/.well-known/openid-configuration')
    return document('application/json', {
      issuer: ISSUER,
      jwks_uri: `https://${host}${KEYS}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [key.algorithm],
    });
  return path === KEYS ? document('application/jwk-set+json', { keys: [key.jwk] }) : undefined;
}

function document(contentType: string, body: object): Outcome {
  const headers = { 'Cache-Control': 'public, max-age=3600' };
  return { type: 'text', code: 200, contentType, body: JSON.stringify(body), headers };
}
