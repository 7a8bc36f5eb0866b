import type { ObjectKey } from '../api/objects/object-key.js';
import { isNewer, isOldOrSame } from './resource-version.js';

interface Departure {
  /** The version of the object that the selectors no longer match. */
  readonly version: string;
  /** The number of lists begun before it. */
  readonly listsBegun: number;
}

/**
 * Own writes of objects that the selectors of a store do not match, until their events arrive. They hide earlier
 * states of the objects in late events, responses and lists.
 *
 * A departure is kept until the store reaches its version, or until a list that was begun after it.
 */
export class DeselectedWrites {
  private readonly byKey = new Map<ObjectKey, Departure>();

  add(key: ObjectKey, version: string, listsBegun: number): void {
    // Behind all others: a map keeps the place of a key that it has.
    this.byKey.delete(key);
    this.byKey.set(key, { version, listsBegun });
  }

  remove(key: ObjectKey): void {
    this.byKey.delete(key);
  }

  /** Reports whether a state is older than the departure, or whether it is the deletion by which the server reports it. */
  hides(key: ObjectKey, version: string, isDeletion = false): boolean {
    const departure = this.byKey.get(key);
    if (!departure) return false;
    return isNewer(departure.version, version) || (isDeletion && departure.version === version);
  }

  /** Removes the departures up to a version that the store has reached. */
  removeUntil(version: string): void {
    for (const [key, departure] of this.byKey) {
      // Responses of writes arrive about in the order of their versions; behind a newer one, some may stay a little longer.
      if (!isOldOrSame(departure.version, version)) return;
      this.byKey.delete(key);
    }
  }

  /** Hides the objects of a list that are older than a departure, and removes the departures before the list. */
  applyToList(objects: Map<ObjectKey, unknown>, version: string, listsBegun: number): void {
    for (const [key, departure] of this.byKey) {
      if (departure.listsBegun === listsBegun && isNewer(departure.version, version)) objects.delete(key);
      else this.byKey.delete(key);
    }
  }
}
