import { inLaterTurn } from '../base/turns.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import type { ChangeOf, ObjectEvent } from '../api/events/object-event.js';
import type { Clock } from '../base/clock.js';
import { Fifo } from '../base/fifo.js';
import type { Logger } from '../base/logger.js';
import { thrownError } from '../base/thrown-error.js';

/**
 * Called with each change, in order. An error is logged and does not affect other handlers or later events.
 *
 * It may be a generator function: its steps run before the next event, divided among turns of the event loop.
 */
export type EventHandler<T extends KubeObject = KubeObject> = (event: ObjectEvent<T>) => void;

interface Registration<T extends KubeObject> {
  readonly handler: (event: ChangeOf<T>) => unknown;
  isRemoved: boolean;
}

/** The steps of a handler that are left for the current event. */
interface Rest<T extends KubeObject> {
  readonly steps: Iterator<unknown>;
  readonly event: ChangeOf<T>;
  readonly registration: Registration<T>;
}

interface Batch<T extends KubeObject> {
  readonly events: Iterator<ChangeOf<T> | undefined>;
  /** The handlers that were registered when the store changed: later ones received that state as adds. */
  readonly registrations: readonly Registration<T>[];
  /** Called after the last event. */
  readonly onEnd?: () => void;
}

/** The longest time without a turn of the event loop, so that probes and the lease are served during a long list. */
const SLICE_MS = 5;

/**
 * Passes events to handlers one after the other. Events caused by a handler wait for their turn.
 *
 * Events are passed on before `dispatch` returns, unless they take longer than a few milliseconds: the rest of a long list
 * follows in later turns of the event loop, and other events wait for it.
 */
export class EventDispatcher<T extends KubeObject = KubeObject> {
  private registrations: readonly Registration<T>[] = [];
  private readonly batches = new Fifo<Batch<T>>();
  private readonly rests = new Fifo<Rest<T>>();
  private isDispatching = false;

  constructor(
    private readonly logger: Logger,
    private readonly clock: Clock,
  ) {}

  /** Adds a handler. It first receives each cached object as an add. */
  add(handler: EventHandler<T>, present: Iterable<T>): () => void {
    const registration = registrationOf(handler);
    this.registrations = [...this.registrations, registration];
    this.dispatchTo([registration], addsOf([...present]));
    return () => {
      registration.isRemoved = true;
      this.registrations = this.registrations.filter((other) => other !== registration);
    };
  }

  /** Passes each object to a handler as an add, after the events that were dispatched before. */
  replay(handler: EventHandler<T>, present: Iterable<T>): void {
    this.dispatchTo([registrationOf(handler)], addsOf([...present]));
  }

  /** Passes events to all handlers. `onEnd` is called after the last one. */
  dispatch(events: Iterable<ChangeOf<T>>, onEnd?: () => void): void {
    this.dispatchTo(this.registrations, events, onEnd);
  }

  /** Runs steps of other work between events, before those that are dispatched later. */
  runSteps(steps: Iterable<undefined>): void {
    this.dispatchTo([], steps);
  }

  /** Drops the events that were not passed on yet. */
  close(): void {
    this.batches.clear();
    this.rests.clear();
  }

  private dispatchTo(
    registrations: readonly Registration<T>[],
    events: Iterable<ChangeOf<T> | undefined>,
    onEnd?: () => void,
  ): void {
    this.batches.push({ events: events[Symbol.iterator](), registrations, ...(onEnd && { onEnd }) });
    if (!this.isDispatching) this.run();
  }

  private run(): void {
    this.isDispatching = true;
    try {
      if (!this.passOn()) return;
    } catch (error) {
      this.isDispatching = false;
      throw error;
    }
    inLaterTurn('', () => {
      this.run();
    });
  }

  /** Passes on events for a few milliseconds; returns true if there are more. */
  private passOn(): boolean {
    const start = this.clock.monotonic();
    while (this.passOne()) if (this.clock.monotonic() - start >= SLICE_MS) return true;
    this.isDispatching = false;
    return false;
  }

  /** Runs one step, or passes on one event; returns false if nothing is left. */
  private passOne(): boolean {
    const rest = this.rests.first;
    if (rest) {
      if (!this.continue(rest)) this.rests.shift();
      return true;
    }
    const batch = this.batches.first;
    if (!batch) return false;
    const next = batch.events.next();
    if (next.done === true) {
      this.batches.shift();
      batch.onEnd?.();
    } else if (next.value) for (const registration of batch.registrations) this.call(registration, next.value);
    return true;
  }

  private call(registration: Registration<T>, event: ChangeOf<T>): void {
    if (registration.isRemoved) return;
    try {
      const result = registration.handler(event);
      if (result instanceof Promise) {
        result.catch((error: unknown) => {
          this.report(event, error);
        });
      } else if (isIterator(result)) this.rests.push({ steps: result, event, registration });
    } catch (error) {
      this.report(event, error);
    }
  }

  /** Returns false after the last step. */
  private continue({ steps, event, registration }: Rest<T>): boolean {
    if (registration.isRemoved) return false;
    try {
      return steps.next().done !== true;
    } catch (error) {
      this.report(event, error);
      return false;
    }
  }

  private report({ type, object: { kind, metadata } }: ChangeOf<T>, thrown: unknown): void {
    const { namespace, name } = metadata;
    this.logger.error('an event handler failed', { event: type, kind, namespace, name, err: thrownError(thrown) });
  }
}

/** A `T` is a `ReadonlyDeep<T>`, but the compiler cannot infer this for a type parameter. */
function registrationOf<T extends KubeObject>(handler: EventHandler<T>): Registration<T> {
  return { handler: handler as unknown as Registration<T>['handler'], isRemoved: false };
}

function isIterator(value: unknown): value is Iterator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function';
}

function* addsOf<T extends KubeObject>(objects: readonly T[]): Iterable<ChangeOf<T>> {
  for (const object of objects) yield { type: 'add', object, isInitial: true };
}
