import { stringifyJson } from '../../base/json.js';
import type { ApiObject } from '../objects/api-object.js';

/** A stored object with its JSON, which is encoded once and shared by all readers. */
export class StoredObject {
  private text: string | undefined;

  constructor(
    readonly key: string,
    readonly object: ApiObject,
    readonly revision: number,
  ) {}

  get json(): string {
    return (this.text ??= stringifyJson(this.object));
  }

  /** Drops the cached JSON; later readers encode it again. */
  dropJson(): void {
    this.text = undefined;
  }
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** A change of the store. For a deletion, `current` is the last state with the revision of the deletion. */
export class StoreEvent {
  /** The number of characters of the object's JSON. */
  readonly size: number;
  private readonly lines = new Map<string, Buffer>();

  constructor(
    readonly type: EventType,
    readonly current: StoredObject,
    readonly previous: StoredObject | undefined,
  ) {
    this.size = current.json.length;
  }

  get revision(): number {
    return this.current.revision;
  }

  /** Returns the encoded event for watchers of a representation; it is encoded once and shared. */
  line(representation: string, encode: () => Buffer): Buffer {
    let line = this.lines.get(representation);
    if (!line) this.lines.set(representation, (line = encode()));
    return line;
  }

  /** Drops the cached encodings; later watchers encode the event again. */
  dropEncoded(): void {
    this.lines.clear();
    this.current.dropJson();
  }
}
