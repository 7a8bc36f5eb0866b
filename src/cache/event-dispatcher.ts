import type { KubeObject } from '../api/kube-object.js';
import type { ObjectEvent } from '../api/object-event.js';
import type { Logger } from '../base/logger.js';
import { thrownError } from '../base/thrown-error.js';

/** Called with each change, in order. An error is logged and does not affect other handlers or later events. */
export type EventHandler<T extends KubeObject = KubeObject> = (event: ObjectEvent<T>) => void;

interface Registration<T extends KubeObject> {
  readonly handler: (event: ObjectEvent<T>) => unknown;
  isRemoved: boolean;
}

interface Batch<T extends KubeObject> {
  readonly events: readonly ObjectEvent<T>[];
  /** The handlers that were registered when the store changed: later ones received that state as adds. */
  readonly registrations: readonly Registration<T>[];
}

/** Passes events to handlers one after the other. Events caused by a handler wait for their turn. */
export class EventDispatcher<T extends KubeObject = KubeObject> {
  private registrations: readonly Registration<T>[] = [];
  private readonly batches: Batch<T>[] = [];
  private isDispatching = false;

  constructor(private readonly logger: Logger) {}

  /** Adds a handler. It first receives each cached object as an add. */
  add(handler: EventHandler<T>, present: Iterable<T>): () => void {
    const registration: Registration<T> = { handler, isRemoved: false };
    this.registrations = [...this.registrations, registration];
    for (const object of [...present]) this.call(registration, { type: 'add', object, isInitial: true });
    return () => {
      registration.isRemoved = true;
      this.registrations = this.registrations.filter((other) => other !== registration);
    };
  }

  dispatch(events: readonly ObjectEvent<T>[]): void {
    this.batches.push({ events, registrations: this.registrations });
    if (this.isDispatching) return;
    this.isDispatching = true;
    try {
      for (let batch = this.batches.shift(); batch; batch = this.batches.shift()) {
        for (const event of batch.events) {
          for (const registration of batch.registrations) this.call(registration, event);
        }
      }
    } finally {
      this.isDispatching = false;
    }
  }

  private call(registration: Registration<T>, event: ObjectEvent<T>): void {
    if (registration.isRemoved) return;
    try {
      const result = registration.handler(event);
      if (result instanceof Promise) {
        result.catch((error: unknown) => {
          this.report(event, error);
        });
      }
    } catch (error) {
      this.report(event, error);
    }
  }

  private report({ type, object: { kind, metadata } }: ObjectEvent<T>, thrown: unknown): void {
    const { namespace, name } = metadata;
    this.logger.error('an event handler failed', { event: type, kind, namespace, name, err: thrownError(thrown) });
  }
}
