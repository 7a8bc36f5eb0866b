import type { ObjectKey } from '../api/objects/object-key.js';
import type { Priority } from '../api/events/priority.js';

/** The order in which a Workqueue's ready keys are taken: client-go's pluggable `Queue`. It holds a key at most once. */
export interface KeyOrder {
  readonly length: number;
  push(key: ObjectKey, priority: Priority): void;
  /** Changes the priority of a key in it to a higher one. An order without priorities has no such method. */
  raise?(key: ObjectKey, from: Priority, to: Priority): void;
  shift(): ObjectKey | undefined;
  clear(): void;
}
