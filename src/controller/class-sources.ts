import { controlChanged } from '../api/reconcile/control-annotations.js';
import { objectKey, type ObjectKey } from '../api/objects/object-key.js';
import type { Cause } from '../api/reconcile/reconcile-observer.js';
import type { Predicate } from '../api/events/predicate.js';
import type { Logger } from '../base/logger.js';
import type { Informer } from '../cache/informer.js';
import type { ClassParts } from './controller-parts.js';
import type { OnDemandWatches } from './watches/on-demand-watches.js';
import type { Triggers } from './triggers/triggers.js';
import { enqueueObject, type Enqueue, type EnqueueHandler } from './sources/event-handler.js';
import { relatedSources } from './related-sources.js';
import { replaySource, startSource, type Source } from './sources/source.js';

export interface ClassSourcesOptions {
  /** The parts of the present version of the class. */
  readonly current: () => ClassParts;
  readonly triggers: () => Pick<Triggers, 'follow'>;
  readonly watches: OnDemandWatches;
  readonly owns: (key: ObjectKey) => boolean;
  readonly isRunning: (key: ObjectKey) => boolean;
  readonly enqueue: Enqueue;
  readonly log: Logger;
}

/**
 * The event handlers of a controller at the informers of its class.
 *
 * Those of the own kind stay connected when the class is replaced, and read its parts at each event, so that no deletion is
 * lost that is still to be passed on.
 */
export class ClassSources {
  private readonly followed = new Map<Informer, () => void>();
  private readonly own = new Map<Informer, () => void>();
  private related: (() => void)[] = [];

  constructor(private readonly options: ClassSourcesOptions) {}

  /** Connects the informers of the present version of the class, which replay the objects they hold, and no others. */
  connect(enqueue = this.options.enqueue): void {
    const { current, log } = this.options;
    const { model, access, optionalKinds } = current();
    const { caches, creator } = access;
    update(this.followed, caches.informersFor(model.kind), (informer) => this.follow(informer));
    update(this.own, caches.informersFor(model.ownKind), (informer) => {
      const [disconnect] = startSource({ ...this.ownSource(), informers: [informer] }, enqueue, log);
      return () => disconnect?.();
    });
    this.disconnectRelated();
    this.related = [
      optionalKinds.follow((kind) => {
        this.replayAll({ type: 'initial', source: `@Dependent(${kind.kind})` });
      }),
      ...relatedSources(model, caches, creator.ownerVersion, log).flatMap((source) =>
        startSource(source, enqueue, log),
      ),
      ...caches.informers.map((informer) => this.forgetDeleted(informer)),
    ];
  }

  disconnect(): void {
    this.disconnectRelated();
    for (const connected of [this.followed, this.own]) update(connected, [], () => () => undefined);
  }

  /** Passes the cached objects that a filter accepts to the queue, if the predicate of the class accepts them too. */
  replay(accepts: (key: ObjectKey) => boolean): void {
    replaySource(this.ownSource(), (object) => accepts(objectKey(object)), this.options.enqueue, this.options.log);
  }

  /** Adds all objects to the queue. */
  replayAll(cause: Cause): void {
    const { owns, log } = this.options;
    const everyObject = { ...this.ownSource(), predicate: everything };
    replaySource(everyObject, (object) => owns(objectKey(object)), this.withInitialCause(cause), log);
  }

  /** Returns a function that adds keys with a cause in place of that of a first list, and with the priority of that cause. */
  withInitialCause(cause: Cause): Enqueue {
    const priority = cause.type === 'initial' ? 'low' : 'normal';
    return (key, options) => {
      this.options.enqueue(key, options.cause?.type === 'initial' ? { ...options, cause, priority } : options);
    };
  }

  private follow(informer: Informer): () => void {
    const { owns, triggers, isRunning, watches, current } = this.options;
    return informer.addEventHandler((event) => {
      const key = objectKey(event.object);
      if (owns(key)) triggers().follow(event);
      // A predicate may keep the deletion from the queue. The end of a running reconcile drops what it needs.
      if (event.type !== 'delete') return;
      current().pauses.forget(key);
      if (!isRunning(key)) watches.drop(key);
    });
  }

  private forgetDeleted(informer: Informer): () => void {
    return informer.addEventHandler(({ type, object: { metadata } }) => {
      const { applier } = this.options.current().access;
      if (type === 'delete') applier.forget(informer.kind, metadata.name, metadata.namespace);
    });
  }

  private disconnectRelated(): void {
    for (const disconnect of this.related.splice(0)) disconnect();
  }

  /** The reconciled objects themselves. */
  private ownSource(): Source {
    const { current, owns } = this.options;
    const { model, access } = current();
    const handler: EnqueueHandler = (event, enqueue, options) => {
      if (event.type === 'delete' && owns(objectKey(event.object))) current().reconciler.recordDeletion(event.object);
      return enqueueObject(event, enqueue, options);
    };
    const predicate: Predicate = (event) => {
      const { finalizers, model: present } = current();
      return finalizers.isNeededBy(event) || controlChanged(event) || present.controller.predicate(event);
    };
    const informers = access.caches.informersFor(model.ownKind);
    return { name: model.kind.kind, className: model.className, informers, predicate, handler };
  }
}

/** Connects informers that are not connected yet, and disconnects all others. */
function update(
  connected: Map<Informer, () => void>,
  wanted: readonly Informer[],
  connect: (informer: Informer) => () => void,
): void {
  for (const informer of wanted) if (!connected.has(informer)) connected.set(informer, connect(informer));
  for (const [informer, disconnect] of connected) {
    if (wanted.includes(informer)) continue;
    connected.delete(informer);
    disconnect();
  }
}

const everything = (): boolean => true;
