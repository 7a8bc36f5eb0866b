import type { KubeObject } from '../api/kube-object.js';
import type { ObjectKey } from '../api/object-key.js';
import type { Store } from './store.js';

/**
 * Finds the stored objects of a list while it walks along the store.
 *
 * A list has the order of the previous one, which is that of the store except for objects created since. So most objects
 * are the next one of the store, and need no look-up: with 50,000 of them, a list would block the event loop for 50 ms.
 */
export class StoreWalk<T extends KubeObject = KubeObject> {
  private readonly entries: Iterator<[ObjectKey, T], undefined>;
  private next: [ObjectKey, T] | undefined;

  constructor(
    private readonly store: Store<T>,
    private readonly listed: ReadonlyMap<ObjectKey, T>,
  ) {
    this.entries = store.entries();
    this.advance();
  }

  /** Returns the stored object with a key of the list. To be called once for each key, in the order of the list. */
  find(key: ObjectKey): T | undefined {
    while (this.next && this.next[0] !== key && !this.listed.has(this.next[0])) this.advance();
    if (this.next?.[0] !== key) return this.store.get(key);
    const [, object] = this.next;
    this.advance();
    return object;
  }

  private advance(): void {
    this.next = this.entries.next().value;
  }
}
