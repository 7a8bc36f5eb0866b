import type { ObjectEvent } from '../api/object-event.js';
import type { Predicate } from '../api/predicate.js';
import type { Cause } from '../api/probe.js';
import type { Logger } from '../base/logger.js';
import type { Informer } from '../cache/informer.js';
import type { Enqueue, EventHandler } from './event-handler.js';
import { cacheMutation } from './cache-mutation.js';
import { thrownError } from '../base/thrown-error.js';

/** A source of keys for a controller: the events of a kind that pass the predicate, turned into keys. */
export interface Source {
  readonly informers: readonly Informer[];
  readonly predicate: Predicate;
  readonly handler: EventHandler;
  /** The decorator of the events, or the reconciled kind: the `source` of causes. */
  readonly name: string;
  /** The class that the source belongs to, for messages. */
  readonly className: string;
}

/** Connects a source to a queue. An error of a predicate or a mapper is logged, and that event is lost. */
export function startSource(source: Source, enqueue: Enqueue, logger: Logger): void {
  const { informers, predicate, handler, name, className } = source;
  const initial: Cause = { type: 'initial', source: name };
  for (const informer of informers) {
    informer.addEventHandler((event) => {
      try {
        if (predicate(event))
          handler(
            event,
            enqueue,
            isInitial(event) ? initial : { type: 'event', source: name, kind: informer.kind, event },
          );
      } catch (error) {
        const { metadata } = event.object;
        const object = { namespace: metadata.namespace, name: metadata.name };
        const mutation = cacheMutation(error, `${name} of ${className}`);
        const err = mutation ?? thrownError(error);
        logger.error(`${name} of ${className} failed on an event`, {
          object,
          err,
          ...(mutation && { hint: mutation.hint }),
        });
      }
    });
  }
}

/** Objects of the first list share one cause: there are many, and they have no earlier state. */
function isInitial(event: ObjectEvent): boolean {
  return event.type === 'add' && event.isInitial;
}
