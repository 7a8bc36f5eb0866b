import type { Predicate } from '../api/predicate.js';
import type { Logger } from '../base/logger.js';
import type { Informer } from '../cache/informer.js';
import type { Enqueue, EventHandler } from './event-handler.js';
import { thrownError } from './thrown-error.js';

/** Where a controller's keys come from: the events of a kind that pass the predicate, turned into keys. */
export interface Source {
  readonly informers: readonly Informer[];
  readonly predicate: Predicate;
  readonly handler: EventHandler;
  /** For messages: which decorator of which class. */
  readonly name: string;
}

/** Connects a source to a queue; what a predicate or a mapper throws is logged and costs that event only. */
export function startSource({ informers, predicate, handler, name }: Source, enqueue: Enqueue, logger: Logger): void {
  for (const informer of informers) {
    informer.addEventHandler((event) => {
      try {
        if (predicate(event)) handler(event, enqueue);
      } catch (error) {
        const { metadata } = event.object;
        const object = { namespace: metadata.namespace, name: metadata.name };
        logger.error(`${name} failed on an event`, { object, err: thrownError(error) });
      }
    });
  }
}
