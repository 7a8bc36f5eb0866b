import { stringifyJson } from '../../base/json.js';
import type { ApiObject } from '../objects/api-object.js';

/** An object in the store, with its JSON made once for everyone who reads it. */
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

  /** Who reads it later makes it anew. */
  dropJson(): void {
    this.text = undefined;
  }
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** A change of the store. Of a deletion, `current` is the last state with the revision of the deletion. */
export class StoreEvent {
  /** Characters of the object's JSON. */
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

  /** The line watchers of one representation get: encoded by the first, shared by the rest. */
  line(representation: string, encode: () => Buffer): Buffer {
    let line = this.lines.get(representation);
    if (!line) this.lines.set(representation, (line = encode()));
    return line;
  }

  /** Watchers that come this late encode it anew. */
  dropEncoded(): void {
    this.lines.clear();
    this.current.dropJson();
  }
}
