import type { ObjectEvent } from '../../api/events/object-event.js';
import type { Informer } from '../../cache/informer.js';
import type { CachedObject, CachedObjects } from '../cached-objects.js';

export type FeedListener = (event: ObjectEvent, cached: CachedObject) => void;

/** Events of an informer in the present and in the last second. */
interface Rate {
  present: number;
  last: number;
}

/** Follows the events of all informers that the operator has at the moment. */
export class ObjectFeed {
  private readonly followed = new Map<Informer, () => void>();
  private readonly rates = new WeakMap<object, Rate>();
  private readonly listeners = new Set<FeedListener>();

  constructor(private readonly objects: CachedObjects) {}

  onEvent(listener: FeedListener): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  eventsPerSecond(informer: object): number | undefined {
    return this.rates.get(informer)?.last;
  }

  /** Must be called each second: follows new informers, leaves others, and counts. */
  tick(): void {
    const present = new Set<Informer>();
    for (const { cluster, item: informer } of this.objects.informers) {
      present.add(informer);
      const rate = this.rates.get(informer);
      if (rate) {
        rate.last = rate.present;
        rate.present = 0;
      }
      if (!this.followed.has(informer)) this.followed.set(informer, this.follow(informer, cluster));
    }
    for (const [informer, unfollow] of this.followed) {
      if (present.has(informer)) continue;
      unfollow();
      this.followed.delete(informer);
    }
  }

  close(): void {
    for (const unfollow of this.followed.values()) unfollow();
    this.followed.clear();
  }

  private follow(informer: Informer, cluster: string | undefined): () => void {
    const rate: Rate = { present: 0, last: 0 };
    this.rates.set(informer, rate);
    return informer.addEventHandler((event) => {
      rate.present += 1;
      if (this.listeners.size === 0) return;
      const cached = { kind: informer.kind, cluster, object: event.object };
      for (const listener of this.listeners) listener(event, cached);
    });
  }
}
