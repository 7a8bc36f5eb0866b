import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Attributes,
  type Context,
  type Exception,
  type Link,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
} from '@opentelemetry/api';

/** A span that a test can read. */
export class RecordedSpan implements Span {
  readonly attributes: Attributes;
  readonly links: readonly Link[];
  readonly exceptions: Exception[] = [];
  status: SpanStatus | undefined;
  hasEnded = false;
  private readonly own: SpanContext;

  constructor(
    readonly name: string,
    readonly options: SpanOptions,
    readonly parent: SpanContext | undefined,
  ) {
    this.attributes = { ...options.attributes };
    this.links = options.links ?? [];
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    this.own = { traceId, spanId: randomBytes(8).toString('hex'), traceFlags: 1 };
  }

  spanContext(): SpanContext {
    return this.own;
  }
  setAttribute(name: string, value: Attributes[string]): this {
    this.attributes[name] = value;
    return this;
  }
  setAttributes(attributes: Attributes): this {
    Object.assign(this.attributes, attributes);
    return this;
  }
  setStatus(status: SpanStatus): this {
    this.status = status;
    return this;
  }
  recordException(exception: Exception): void {
    this.exceptions.push(exception);
  }
  end(): void {
    this.hasEnded = true;
  }
  isRecording(): boolean {
    return !this.hasEnded;
  }
  addEvent(): this {
    return this;
  }
  addLink(): this {
    return this;
  }
  addLinks(): this {
    return this;
  }
  updateName(): this {
    return this;
  }
}

/** Registers an SDK that keeps its spans in the returned list, and sends `traceparent`. */
export function registerRecordingSdk(): RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  const storage = new AsyncLocalStorage<Context>();
  const startSpan = (name: string, options: SpanOptions = {}, within = context.active()): RecordedSpan => {
    const span = new RecordedSpan(name, options, options.root === true ? undefined : trace.getSpanContext(within));
    spans.push(span);
    return span;
  };
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, call, self, ...args) => storage.run(active, () => call.call(self, ...args)),
    bind: (_active, target) => target,
    enable: () => context as never,
    disable: () => context as never,
  });
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan,
      startActiveSpan: () => {
        throw new Error('not needed by the tests');
      },
    }),
  });
  propagation.setGlobalPropagator({
    inject(active, carrier, setter) {
      const { traceId, spanId } = trace.getSpanContext(active) ?? { traceId: '', spanId: '' };
      setter.set(carrier, 'Traceparent', `00-${traceId}-${spanId}-01`);
    },
    extract: (active, carrier, getter) => {
      const [, traceId, spanId] = String(getter.get(carrier, 'traceparent') ?? '').split('-');
      if (traceId === undefined || spanId === undefined) return active;
      return trace.setSpanContext(active, { traceId, spanId, traceFlags: 1, isRemote: true });
    },
    fields: () => ['traceparent'],
  });
  return spans;
}

export function unregisterSdk(): void {
  trace.disable();
  context.disable();
  propagation.disable();
}
