import type * as otel from '@opentelemetry/api';
import { thrownError } from '../../base/thrown-error.js';
import { ApiError } from '../../client/api-error.js';
import type { OutgoingRequest, RequestInterceptor } from '../../client/client-options.js';
import type { ReconcileSpans } from './reconcile-spans.js';

type Api = Pick<typeof otel, 'context' | 'propagation' | 'SpanKind' | 'SpanStatusCode' | 'trace'>;

const LOWER_CASE: otel.TextMapSetter<Record<string, string>> = {
  set(headers, name, value) {
    headers[name.toLowerCase()] = value;
  },
};

/**
 * Records a span for each request that a reconcile, a source or a task sends, with its retries, below the active span. The registered
 * propagator adds its headers, such as `traceparent`.
 *
 * Requests of the caches, leader election and other components belong to none of these; they are sent unchanged.
 */
export function requestSpans(
  api: Api,
  tracer: otel.Tracer,
  runs: Pick<ReconcileSpans, 'isActive'>,
): RequestInterceptor {
  const { context, propagation, SpanKind, SpanStatusCode, trace } = api;
  return async (request, send) => {
    if (!runs.isActive) return send(request);
    const verb = verbOf(request);
    const name = `${verb} ${request.resource ?? request.path}`;
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: attributesOf(request, verb) });
    const active = trace.setSpan(context.active(), span);
    const headers: Record<string, string> = { ...request.headers };
    propagation.inject(active, headers, LOWER_CASE);
    try {
      return await context.with(active, () => send({ ...request, headers }));
    } catch (thrown) {
      const error = thrownError(thrown);
      if (error instanceof ApiError) span.setAttribute('http.response.status_code', error.status);
      span.recordException(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
      throw thrown;
    } finally {
      span.end();
    }
  };
}

function attributesOf({ method, path, target, query }: OutgoingRequest, verb: string): otel.Attributes {
  const attributes: otel.Attributes = { 'http.request.method': method, 'url.path': path, 'kindwright.verb': verb };
  if (query?.['dryRun'] !== undefined) attributes['kindwright.dry_run'] = true;
  if (!target) return attributes;
  const { kind, name, namespace, subresource } = target;
  attributes['kindwright.object.kind'] = kind.kind;
  if (name !== undefined) attributes['kindwright.object.name'] = name;
  if (namespace !== undefined) attributes['k8s.namespace.name'] = namespace;
  if (subresource !== undefined) attributes['kindwright.object.subresource'] = subresource;
  return attributes;
}

function verbOf({ method, target, contentType = '' }: OutgoingRequest): string {
  if (!target) return method;
  switch (method) {
    case 'GET':
      return target.name === undefined ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return contentType.includes('apply-patch') ? 'apply' : 'patch';
    default:
      return method.toLowerCase();
  }
}
