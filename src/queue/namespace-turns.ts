import { splitKey, type ObjectKey } from '../api/objects/object-key.js';
import { Fifo } from '../base/fifo.js';

interface Turn {
  readonly namespace: string;
  readonly keys: Fifo<ObjectKey>;
}

/**
 * Keys in the order of their adds within a namespace; the namespaces take turns, one key each.
 *
 * All operations take constant time, amortised.
 */
export class NamespaceTurns {
  private readonly turns = new Fifo<Turn>();
  private readonly byNamespace = new Map<string, Turn>();
  /** The number of first entries to skip, by key. */
  private readonly removed = new Map<ObjectKey, number>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  push(key: ObjectKey): void {
    const { namespace } = splitKey(key);
    let turn = this.byNamespace.get(namespace);
    if (!turn) {
      turn = { namespace, keys: new Fifo() };
      this.byNamespace.set(namespace, turn);
      this.turns.push(turn);
    }
    turn.keys.push(key);
    this.count += 1;
  }

  /** Removes a key, which must be in it. Its entry is skipped later, because a Fifo cannot remove from the middle. */
  remove(key: ObjectKey): void {
    this.removed.set(key, (this.removed.get(key) ?? 0) + 1);
    this.uncount();
  }

  shift(): ObjectKey | undefined {
    for (let turn = this.turns.shift(); turn; turn = this.turns.shift()) {
      const key = this.next(turn.keys);
      if (turn.keys.length > 0) this.turns.push(turn);
      else this.byNamespace.delete(turn.namespace);
      if (key === undefined) continue;
      this.uncount();
      return key;
    }
    return undefined;
  }

  clear(): void {
    this.turns.clear();
    this.byNamespace.clear();
    this.removed.clear();
    this.count = 0;
  }

  /** An empty one keeps no removed entries: nothing would take, and so skip, them. */
  private uncount(): void {
    this.count -= 1;
    if (this.count === 0) this.clear();
  }

  private next(keys: Fifo<ObjectKey>): ObjectKey | undefined {
    let key = keys.shift();
    while (key !== undefined && this.isRemoved(key)) key = keys.shift();
    return key;
  }

  private isRemoved(key: ObjectKey): boolean {
    const entries = this.removed.get(key);
    if (entries === undefined) return false;
    if (entries === 1) this.removed.delete(key);
    else this.removed.set(key, entries - 1);
    return true;
  }
}
