import { resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, UnstructuredObject } from '../../api/objects/kube-object.js';
import { parseJson } from '../../base/json.js';
import { toApiError } from '../api-error.js';
import { assertObject, isFilledString } from '../assert-object.js';
import { cutManagedFields } from '../fields/cut-managed-fields.js';
import { dropManagedFields } from '../fields/drop-managed-fields.js';
import { isInitialEventsEnd } from './initial-events-end.js';
import { JoinedChunks } from '../../base/joined-chunks.js';
import { WatchError } from '../watch-error.js';

/** The change of the object; a bookmark has a resource version only. */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';

/** A change of one object, or a bookmark. The object of a bookmark only has a resourceVersion to resume from. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  readonly type: WatchEventType;
  readonly object: T;
}

/** Handles one event of a watch. */
export type WatchHandler = (type: WatchEventType, object: UnstructuredObject) => void;

export interface WatchDecoderOptions {
  readonly kind: KindRef;
  /** Undefined: all namespaces. */
  readonly namespace?: string | undefined;
  /** The path of the watch, for the error of an ERROR event. */
  readonly path: string;
  /** Called with each event, in order. An error that it throws is thrown by `push`. */
  readonly onEvent: WatchHandler;
  /** Default false; `initial` until the bookmark that ends the initial events. */
  readonly keepManagedFields?: boolean | 'initial';
  readonly maxLineBytes?: number;
}

const LF = 0x0a;
/** By default etcd accepts objects of 1.5 MiB and the API server requests of 3 MiB, so a longer line is an error. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

/**
 * Decodes the body of a watch, in chunks of any size, to events: one JSON object per line.
 *
 * Guarantees: `onEvent` receives only the four types of events. Their objects are of the kind, with name, uid and
 * resourceVersion; a bookmark has at least a resourceVersion. Of a part, objects have its fields only. An event is passed
 * on when its line is complete.
 *
 * A line within one chunk is decoded in place; only a line across chunks is copied first. Blank lines are skipped.
 */
export class WatchDecoder {
  private readonly partial = new JoinedChunks();
  private readonly maxLineBytes: number;
  private keepsManagedFields: boolean;

  constructor(private readonly options: WatchDecoderOptions) {
    this.keepsManagedFields = options.keepManagedFields !== undefined && options.keepManagedFields !== false;
    this.maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  }

  /**
   * Decodes the next bytes.
   *
   * @throws ApiError for an ERROR event, WatchError (malformed) for anything that is not an event of the kind, and any
   * error of `onEvent`. The decoder must not be used after that.
   */
  push(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      if (this.partial.bytes > 0) this.decodeJoined(bytes.subarray(start, end));
      else if (end - start > 1) this.decode(bytes.toString('utf8', start, end));
      start = end + 1;
    }
    if (start < bytes.length) this.keep(start === 0 ? bytes : bytes.subarray(start));
  }

  private decodeJoined(rest: Buffer): void {
    this.partial.push(rest);
    const line = this.partial.join().toString();
    this.partial.clear();
    if (line.length > 1) this.decode(line);
  }

  private keep(bytes: Buffer): void {
    if (this.partial.bytes + bytes.length > this.maxLineBytes)
      throw this.malformed(`an event of more than ${this.maxLineBytes} bytes`);
    this.partial.push(bytes);
  }

  private decode(line: string): void {
    const { kind, namespace, path, onEvent } = this.options;
    const { type, object } = this.parse(line);
    if (type === 'ERROR') throw toApiError(500, object, { method: 'GET', path, resource: resourceName(kind) });
    if (type === 'BOOKMARK') this.assertBookmark(object);
    else if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED')
      assertObject(kind, object, 'watch', namespace);
    else throw this.malformed(describeLine(line));
    if (!this.keepsManagedFields) dropManagedFields(object as KubeObject);
    onEvent(type, this.reduced(type, object as UnstructuredObject));
  }

  private reduced(type: WatchEventType, object: UnstructuredObject): UnstructuredObject {
    const reduce = this.options.kind.part?.reduce;
    return reduce && type !== 'BOOKMARK' ? (reduce(object) as UnstructuredObject) : object;
  }

  private parse(line: string): { readonly type?: unknown; readonly object?: unknown } {
    let event: unknown;
    try {
      event = parseJson(this.keepsManagedFields ? line : cutManagedFields(line));
    } catch {
      throw this.malformed(describeLine(line));
    }
    if (typeof event !== 'object' || event === null) throw this.malformed(describeLine(line));
    return event;
  }

  private assertBookmark(object: unknown): void {
    const { metadata } = (object ?? {}) as Partial<KubeObject>;
    if (!isFilledString(metadata?.resourceVersion)) throw this.malformed('a bookmark without resourceVersion');
    if (this.options.keepManagedFields === 'initial' && isInitialEventsEnd(object as KubeObject))
      this.keepsManagedFields = false;
  }

  private malformed(what: string): WatchError {
    return new WatchError(`the watch of ${resourceName(this.options.kind)} contains ${what}`, 'malformed');
  }
}

/** Must not quote the line, which can contain a Secret. */
function describeLine(line: string): string {
  const type = /^\s*\{"type":"(\w{1,40})"/.exec(line)?.[1];
  const what = type === undefined ? 'a line that is not an event' : `an invalid event of type ${type}`;
  return `${what} (${line.length} characters)`;
}
