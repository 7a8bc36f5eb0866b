import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { ObjectEvent } from '../../api/events/object-event.js';
import type { Predicate } from '../../api/events/predicate.js';
import type { Logger } from '../../base/logger.js';
import type { Informer } from '../../cache/informer.js';
import type { AddOptions } from '../../queue/queue.js';
import type { Enqueue, EnqueueHandler, KeySteps } from './event-handler.js';
import { cacheMutation } from '../run/cache-mutation.js';
import { thrownError } from '../../base/thrown-error.js';

/** A source of keys for a controller: the events of a kind that pass the predicate, turned into keys. */
export interface Source {
  readonly informers: readonly Informer[];
  readonly predicate: Predicate;
  readonly handler: EnqueueHandler;
  /** The decorator of the events, or the reconciled kind: the `source` of causes. */
  readonly name: string;
  /** The class that the source belongs to, for messages. */
  readonly className: string;
}

/**
 * Connects a source to a queue, and returns functions that disconnect it. An error of a predicate or a mapper is logged,
 * and that event is lost.
 */
export function startSource(source: Source, enqueue: Enqueue, logger: Logger): (() => void)[] {
  return source.informers.map((informer) => informer.addEventHandler(eventListener(source, informer, enqueue, logger)));
}

/** Adds the cached objects of a source that a filter accepts, as if they had been listed for the first time. */
export function replaySource(
  source: Source,
  accepts: (object: ReadonlyDeep<KubeObject>) => boolean,
  enqueue: Enqueue,
  logger: Logger,
): void {
  for (const informer of source.informers) {
    const listener = eventListener(source, informer, enqueue, logger);
    informer.replay((event) => (accepts(event.object) ? listener(event) : undefined));
  }
}

/** An error of a predicate or a mapper is logged, and that event is lost. */
function eventListener(
  { predicate, handler, name, className }: Source,
  { kind }: Informer,
  enqueue: Enqueue,
  logger: Logger,
): (event: ObjectEvent) => KeySteps | undefined {
  const initial: AddOptions = { cause: { type: 'initial', source: name }, priority: 'low' };
  const report = (event: ObjectEvent, thrown: unknown): void => {
    const { metadata } = event.object;
    const object = { namespace: metadata.namespace, name: metadata.name };
    const error = thrownError(thrown);
    const mutation = cacheMutation(error, `${name} of ${className}`);
    const err = mutation ?? error;
    logger.error(`${name} of ${className} failed on an event`, {
      object,
      err,
      ...(mutation && { hint: mutation.hint }),
    });
  };
  const reported = function* (event: ObjectEvent, steps: KeySteps): KeySteps {
    try {
      yield* steps;
    } catch (thrown) {
      report(event, thrown);
    }
  };
  return (event) => {
    try {
      if (!predicate(event)) return undefined;
      const steps = handler(event, enqueue, isInitial(event) ? initial : optionsOf(event, name, kind));
      return steps && reported(event, steps);
    } catch (thrown) {
      report(event, thrown);
      return undefined;
    }
  };
}

/**
 * Objects of the first list share one cause: there are many, and they have no earlier state. Their low priority lets
 * changes of users be reconciled first.
 */
function isInitial(event: ObjectEvent): boolean {
  return event.type === 'add' && event.isInitial;
}

/** An update to the same resource version comes from a list that is read again after a restore of the cluster. */
function optionsOf(event: ObjectEvent, source: string, kind: KindRef): AddOptions {
  const isUnchanged =
    event.type === 'update' && event.old.metadata.resourceVersion === event.object.metadata.resourceVersion;
  return { cause: { type: 'event', source, kind, event }, priority: isUnchanged ? 'low' : 'normal' };
}
