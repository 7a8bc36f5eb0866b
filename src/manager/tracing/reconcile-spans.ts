import type * as otel from '@opentelemetry/api';
import { describeCauses } from '../../api/reconcile/describe-causes.js';
import { splitKey } from '../../api/objects/object-key.js';
import type {
  End,
  ReconcileObserver,
  RequestHeaders,
  Run,
  TriggerRun,
} from '../../api/reconcile/reconcile-observer.js';
import { LruMap } from '../../controller/run/lru-map.js';

type Api = Pick<
  typeof otel,
  | 'context'
  | 'createContextKey'
  | 'isSpanContextValid'
  | 'propagation'
  | 'ROOT_CONTEXT'
  | 'SpanKind'
  | 'SpanStatusCode'
  | 'trace'
>;

/** Ended reconciles to which a span can be linked. */
const LINKABLE = 10_000;

const HEADERS: otel.TextMapGetter<RequestHeaders> = {
  get: (headers, name) => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'string' ? value : value && [...value];
  },
  keys: (headers) => Object.keys(headers),
};

const FAILED: readonly End['outcome'][] = ['failed', 'terminal', 'timeout'];

/**
 * Records one span for each reconcile, and for each call of a `@Source` or `@Daemon` method. It is the active span while that
 * runs.
 *
 * A reconcile can have many causes, so it is the root of a trace, linked to the reconciles, sources and tasks that caused it.
 * The exception is a reconcile that one HTTP request has caused: it continues the trace of the request.
 */
export class ReconcileSpans implements ReconcileObserver {
  private readonly spans = new WeakMap<Run | TriggerRun, otel.Span>();
  private readonly contexts = new LruMap<otel.SpanContext>(LINKABLE);
  private readonly runKey: symbol;
  private hasBegun = false;

  constructor(
    private readonly api: Api,
    private readonly tracer: otel.Tracer,
    /** Called once if no SDK is registered when the first reconcile begins. */
    private readonly onMissingSdk: () => void,
  ) {
    this.runKey = api.createContextKey('kindwright.run');
  }

  /** True if the current code belongs to a reconcile, a source or a task that has not ended. */
  get isActive(): boolean {
    const run = this.api.context.active().getValue(this.runKey) as Run | TriggerRun | undefined;
    return run !== undefined && !run.end;
  }

  began(run: Run): void {
    const { controller, key, attempt } = run;
    const { name, namespace } = splitKey(key);
    const attributes: otel.Attributes = {
      'kindwright.controller': controller,
      'kindwright.object.name': name,
      'kindwright.reconcile_id': run.id,
      'kindwright.attempt': attempt,
      'kindwright.trigger': describeCauses(run),
    };
    if (run.cluster !== undefined) attributes['k8s.cluster.name'] = run.cluster;
    if (namespace !== '') attributes['k8s.namespace.name'] = namespace;
    const { parent, links } = this.originsOf(run);
    const span = this.tracer.startSpan(`reconcile ${controller}`, { root: !parent, attributes, links }, parent);
    this.spans.set(run, span);
    if (!this.hasBegun && !this.api.isSpanContextValid(span.spanContext())) this.onMissingSdk();
    this.hasBegun = true;
    if (span.isRecording()) this.contexts.set(run.id, span.spanContext());
  }

  within(run: Run, reconcile: () => void): void {
    this.activate(run, reconcile);
  }

  ended(run: Run): void {
    const span = this.spans.get(run);
    const { end } = run;
    if (!span || !end) return;
    span.setAttribute('kindwright.outcome', end.outcome);
    if (end.nextMs !== undefined) span.setAttribute('kindwright.next_ms', end.nextMs);
    if (end.error) span.recordException(end.error);
    if (FAILED.includes(end.outcome)) {
      span.setStatus({ code: this.api.SpanStatusCode.ERROR, message: end.error?.message ?? end.outcome });
    }
    span.end();
  }

  triggerBegan(run: TriggerRun): void {
    const { controller, source, key, request, cluster } = run;
    const { name, namespace = '' } = key === undefined ? {} : splitKey(key);
    const attributes: otel.Attributes = { 'kindwright.controller': controller, 'kindwright.source': source };
    if (name !== undefined) attributes['kindwright.object.name'] = name;
    if (cluster !== undefined) attributes['k8s.cluster.name'] = cluster;
    if (namespace !== '') attributes['k8s.namespace.name'] = namespace;
    const what = `${key === undefined ? 'source' : 'daemon'} ${controller}`;
    this.spans.set(run, request ? this.requestSpan(what, attributes, request) : this.rootSpan(what, attributes));
  }

  withinTrigger(run: TriggerRun, call: () => void): void {
    this.activate(run, call);
  }

  triggerEnded(run: TriggerRun): void {
    const span = this.spans.get(run);
    const error = run.end?.error;
    if (error) {
      span?.recordException(error);
      span?.setStatus({ code: this.api.SpanStatusCode.ERROR, message: error.message });
    }
    span?.end();
  }

  private rootSpan(name: string, attributes: otel.Attributes): otel.Span {
    return this.tracer.startSpan(name, { root: true, attributes });
  }

  /** The span of an authenticated request continues the trace of its sender. */
  private requestSpan(
    name: string,
    given: otel.Attributes,
    { path, headers }: NonNullable<TriggerRun['request']>,
  ): otel.Span {
    const { propagation, ROOT_CONTEXT, SpanKind } = this.api;
    const attributes = { ...given, 'http.request.method': 'POST', 'url.path': path };
    const sender = propagation.extract(ROOT_CONTEXT, headers, HEADERS);
    return this.tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, sender);
  }

  private activate(run: Run | TriggerRun, call: () => void): void {
    const { context, ROOT_CONTEXT, trace } = this.api;
    const span = this.spans.get(run);
    // The queue can be woken by another reconcile, so the current context is not that of this one.
    const outer = ROOT_CONTEXT.setValue(this.runKey, run);
    context.with(span ? trace.setSpan(outer, span) : outer, call);
  }

  /** The parent of the span of a reconcile, and its links. */
  private originsOf({ causes }: Run): { readonly parent: otel.Context | undefined; readonly links: otel.Link[] } {
    const { trace, ROOT_CONTEXT } = this.api;
    const writers = new Set(causes.flatMap((cause) => (cause.type === 'event' && cause.byRun ? cause.byRun.id : [])));
    const triggers = new Set(causes.flatMap((cause) => (cause.type === 'trigger' && cause.byTrigger) || []));
    const requests = [...triggers].filter(({ request }) => request);
    const parent = requests.length === 1 ? requests[0] : undefined;
    const parentSpan = parent && this.spans.get(parent);
    const linked = [...triggers].filter((run) => run !== parent);
    const contexts = [
      ...[...writers].map((id) => this.contexts.get(id)),
      ...linked.map((run) => this.spans.get(run)?.spanContext()),
    ];
    return {
      parent: parentSpan && trace.setSpan(ROOT_CONTEXT, parentSpan),
      links: contexts.flatMap((context) => (context && this.api.isSpanContextValid(context) ? { context } : [])),
    };
  }
}
