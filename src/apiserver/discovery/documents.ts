import type { TokenKey } from '../auth/token-key.js';
import { kubernetesData } from '../data/data-file.js';
import { methodNotAllowed } from '../errors/status-error.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import type { ApiRequest } from '../transport/api-request.js';
import type { Outcome } from '../transport/outcome.js';
import { textNotFound } from '../transport/text-not-found.js';
import type { Discovery } from './discovery.js';
import { healthAnswer, healthPaths } from './health-checks.js';
import type { OpenApi } from './openapi.js';
import { openIdAnswer } from './openid.js';

/** The documents that go-restful serves take no other method; handlers of a path alone look at none. */
const ONLY_READ = /^\/(version|api\/[^/]+|apis\/[^/]+(\/[^/]+)?)$/;
const PATHS = [
  ...['/.well-known/openid-configuration', '/metrics', '/metrics/slis', '/openapi/v2', '/openapi/v3', '/openapi/v3/'],
  ...['/openid/v1/jwks', '/version'],
];

/** Answers the paths that belong to no resource. */
export class Documents {
  constructor(
    private readonly discovery: Discovery,
    private readonly openApi: OpenApi,
    private readonly tokenKey: TokenKey,
    private readonly metrics: ServerMetrics,
  ) {}

  async answer(request: ApiRequest): Promise<Outcome> {
    const path = request.path.length > 1 ? request.path.replace(/\/$/, '') : request.path;
    const outcome = await (this.metrics.answer(path) ?? this.document(path, request));
    if (outcome && request.method !== 'GET' && ONLY_READ.test(path)) throw methodNotAllowed();
    return outcome ?? textNotFound();
  }

  private document(path: string, { query, message }: ApiRequest): Outcome | undefined {
    const { accept = '', host = '127.0.0.1' } = message.headers;
    if (path === '/version') return readable(kubernetesData.resources.version);
    if (path === '/') return readable({ paths: this.paths() });
    return (
      healthAnswer(path, query) ??
      this.discovery.serve(path, accept, host) ??
      this.openApi.serve(path, accept) ??
      openIdAnswer(path, host, this.tokenKey)
    );
  }

  private paths(): string[] {
    return [...PATHS, ...healthPaths(), ...this.discovery.paths()].sort();
  }
}

/** Indented whoever asks. */
function readable(body: unknown): Outcome {
  return { k: 'text', code: 200, contentType: 'application/json', body: JSON.stringify(body, null, 2) };
}
