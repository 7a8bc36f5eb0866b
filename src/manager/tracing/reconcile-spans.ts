import type * as otel from '@opentelemetry/api';
import { describeCauses } from '../../api/describe-causes.js';
import { splitKey } from '../../api/object-key.js';
import type { End, Probe, Run } from '../../api/probe.js';
import { LruMap } from '../../controller/lru-map.js';

type Api = Pick<
  typeof otel,
  'context' | 'createContextKey' | 'isSpanContextValid' | 'ROOT_CONTEXT' | 'SpanStatusCode' | 'trace'
>;

/** Ended reconciles to which a span can be linked. */
const LINKABLE = 10_000;

const FAILED: readonly End['outcome'][] = ['failed', 'terminal', 'timeout'];

/**
 * Records one span for each reconcile, which is the active span while it runs.
 *
 * Each is the root of a trace: a reconcile has many causes, and the reconcile that wrote one of them is linked.
 */
export class ReconcileSpans implements Probe {
  private readonly spans = new WeakMap<Run, otel.Span>();
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

  /** The reconcile that the current code belongs to, if it has not ended. */
  get activeRun(): Run | undefined {
    const run = this.api.context.active().getValue(this.runKey) as Run | undefined;
    return run?.end ? undefined : run;
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
    const links = this.linksOf(run);
    const span = this.tracer.startSpan(`reconcile ${controller}`, { root: true, attributes, links });
    this.spans.set(run, span);
    if (!this.hasBegun && !this.api.isSpanContextValid(span.spanContext())) this.onMissingSdk();
    this.hasBegun = true;
    if (span.isRecording()) this.contexts.set(run.id, span.spanContext());
  }

  within(run: Run, reconcile: () => void): void {
    const { context, ROOT_CONTEXT, trace } = this.api;
    const span = this.spans.get(run);
    // The queue can be woken by another reconcile, so the current context is not that of this one.
    const outer = ROOT_CONTEXT.setValue(this.runKey, run);
    context.with(span ? trace.setSpan(outer, span) : outer, reconcile);
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

  private linksOf({ causes }: Run): otel.Link[] {
    const writers = new Set(causes.flatMap((cause) => (cause.type === 'event' && cause.byRun ? cause.byRun.id : [])));
    return [...writers].flatMap((id) => {
      const context = this.contexts.get(id);
      return context ? { context } : [];
    });
  }
}
