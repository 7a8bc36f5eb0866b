import { CallPending } from '../../remote/remote-calls.js';
import type { Cancel } from '../../../base/clock.js';
import { StatusError } from '../../errors/status-error.js';
import { objectAt, type ApiObject } from '../../objects/api-object.js';
import { Fifo } from '../../../base/fifo.js';
import type { Registry } from '../../registry/registry.js';
import type { Resource } from '../../resources/resource.js';
import { StoredObject, type StoreEvent } from '../../storage/stored-object.js';
import type { EventStream } from '../../transport/stream/event-stream.js';
import { decorate } from './decorate.js';
import type { Selection } from './list.js';
import { parseResourceVersion, type ListQuery } from '../request/query-options.js';
import { waitForRevision } from './wait-for-revision.js';
import type { WatchEncoder } from './watch-encoder.js';

const BOOKMARK_INTERVAL_MS = 60_000;
const MIN_TIMEOUT_S = 1800;
/** Events are encoded in parts of this size, each when the client has read the one before. */
const PART_BYTES = 256 * 1024;
/** Changes that a slow watch may be behind before it is disconnected, as in the real server; the client can resume. */
const MAX_UNSENT_CHANGES = 50_000;

export interface WatchOptions {
  readonly registry: Registry;
  readonly resource: Resource;
  readonly selection: Selection;
  readonly query: ListQuery;
  readonly encoder: WatchEncoder;
  /** Called when the stream has ended. */
  readonly onClose: (watch: Watch) => void;
}

/** A watch: converts store events to events for its client. */
export class Watch {
  private readonly pending: Buffer[] = [];
  private pendingBytes = 0;
  /** Encoders of the events that follow, which return undefined for an event of no interest to the client. */
  private readonly waiting = new Fifo<() => Buffer | undefined>();
  /** An encoder that waits for a conversion webhook. */
  private next: (() => Buffer | undefined) | undefined;
  private maxWaiting = Infinity;
  private isPaused = false;
  private isFlushing = false;
  private isClosed = false;
  private unsubscribe: () => void = () => undefined;
  private readonly timers: Cancel[] = [];

  constructor(
    private readonly options: WatchOptions,
    private readonly stream: EventStream,
  ) {}

  get resource(): Resource {
    return this.options.resource;
  }

  start(): void {
    const { query, registry } = this.options;
    const since = parseResourceVersion(query.resourceVersion);
    this.stream.begin(this.options.encoder.contentType, () => this.close());
    // Initial events are sent once the store has reached the requested revision.
    if (query.sendInitialEvents && since > registry.store.revision)
      void waitForRevision(registry, since).then(
        () => this.begin(since),
        (error: unknown) => this.fail(error),
      );
    else this.begin(since);
  }

  private begin(since: number): void {
    if (this.isClosed) return;
    const { query, registry, resource } = this.options;
    const collection = registry.store.collection(resource.storage);
    try {
      if (query.sendInitialEvents) this.sendPresent();
      else if (since > 0) for (const event of collection.since(since)) this.onEvent(event);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.maxWaiting = this.waiting.length + MAX_UNSENT_CHANGES;
    this.unsubscribe = collection.subscribe((event) => this.onEvent(event));
    this.startTimers();
  }

  /** Flushes pending events and ends the stream. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.unsubscribe();
    for (const cancel of this.timers) cancel();
    this.flush();
    this.stream.end();
    this.options.onClose(this);
  }

  private startTimers(): void {
    const { query, registry } = this.options;
    const { clock } = registry;
    const seconds = query.timeoutSeconds || MIN_TIMEOUT_S * (1 + Math.random());
    this.timers.push(
      clock.schedule(seconds * 1000, () => {
        if (query.allowBookmarks) this.bookmark();
        this.close();
      }),
    );
    if (!query.allowBookmarks) return;
    const tick = (): void => {
      this.bookmark();
      this.timers[1] = clock.schedule(BOOKMARK_INTERVAL_MS, tick);
    };
    this.timers.push(clock.schedule(BOOKMARK_INTERVAL_MS, tick));
  }

  /** Sends initial events with read defaults; later events have the stored form, since watches share them. */
  private sendPresent(): void {
    const { registry, resource, selection, query, encoder } = this.options;
    const prefix = selection.namespace === undefined ? '' : `${selection.namespace}/`;
    for (const stored of registry.store.collection(resource.storage).range(prefix)) {
      this.emit(() => (selection.matches(stored) ? encoder.event('ADDED', decorate(resource, stored)) : undefined));
    }
    if (query.allowBookmarks) this.bookmark({ 'k8s.io/initial-events-end': 'true' });
  }

  private onEvent(event: StoreEvent): void {
    const { selection } = this.options;
    const { namespace, key } = selection;
    if (namespace !== undefined && !event.current.key.startsWith(`${namespace}/`)) return;
    if (key !== undefined && event.current.key !== key) return;
    this.emit(selection.hasSelector ? this.selectedLineOf(event) : () => this.lineOf(event));
  }

  /** Encodes an event for a selector: a change can add an object to or remove it from the selection. */
  private selectedLineOf(event: StoreEvent): () => Buffer | undefined {
    const { selection, encoder } = this.options;
    let last: StoredObject | undefined; // kept across attempts: conversions are cached by object
    return () => {
      const isIn = event.type !== 'DELETED' && selection.matches(event.current);
      const wasIn = event.previous !== undefined && selection.matches(event.previous);
      if (isIn && (wasIn || event.type === 'ADDED')) return this.lineOf(event);
      if (isIn) return encoder.event('ADDED', event.current);
      if (!wasIn) return undefined;
      return event.type === 'DELETED' ? this.lineOf(event) : encoder.event('DELETED', (last ??= lastSeen(event)));
    };
  }

  private lineOf(event: StoreEvent): Buffer {
    const { encoder } = this.options;
    const encode = (): Buffer => encoder.event(event.type, event.current);
    return encoder.form === undefined ? encode() : event.line(encoder.form, encode);
  }

  private bookmark(annotations?: Record<string, string>): void {
    const { registry, resource } = this.options;
    const { revision } = registry.store;
    const { kind, apiVersion } = resource;
    const empty = resource.codec.bookmark();
    const own = { ...objectAt(empty.metadata, 'annotations'), ...annotations };
    const metadata = {
      resourceVersion: String(revision),
      ...(Object.keys(own).length > 0 && { annotations: own }),
    };
    const object = { kind, apiVersion, ...empty, metadata } as unknown as ApiObject;
    this.emit(() => this.options.encoder.event('BOOKMARK', new StoredObject('', object, revision)));
  }

  /** Ends the stream with an error as its last event. */
  fail(error: unknown): void {
    const status = error instanceof StatusError ? error : new StatusError(500, 'InternalError', String(error));
    this.write(this.options.encoder.error({ ...status.toStatus() }));
    this.close();
  }

  /** Writes the event when the client has read those before it. */
  private emit(encode: () => Buffer | undefined): void {
    this.waiting.push(encode);
    if (this.waiting.length > this.maxWaiting) this.stream.abort();
    else if (!this.isPaused) this.emitWaiting();
  }

  private emitWaiting(): void {
    try {
      while (!this.isClosed && !this.isPaused && (this.next ??= this.waiting.shift())) {
        const line = this.next();
        this.next = undefined;
        if (line) this.write(line);
      }
    } catch (error) {
      if (!(error instanceof CallPending)) {
        this.fail(error);
        return;
      }
      this.isPaused = true;
      void error.settled.then(() => this.resume());
    }
  }

  private resume(): void {
    this.isPaused = false;
    this.emitWaiting();
  }

  private write(line: Buffer): void {
    this.pending.push(line);
    this.pendingBytes += line.length;
    if (this.pendingBytes >= PART_BYTES) this.flush();
    else if (!this.isFlushing && !this.isClosed) {
      this.isFlushing = true;
      setImmediate(() => {
        this.isFlushing = false;
        if (!this.isClosed) this.flush();
      });
    }
  }

  private flush(): void {
    if (this.pending.length === 0) return;
    this.pendingBytes = 0;
    const isReady = this.stream.write(this.pending.splice(0), () => this.resume());
    if (!isReady) this.isPaused = true;
  }
}

/** The last state that the selector matched, at the revision of the change. */
function lastSeen({ current, previous }: StoreEvent): StoredObject {
  const { object, key } = previous ?? current;
  const metadata = { ...object.metadata, resourceVersion: String(current.revision) };
  return new StoredObject(key, { ...object, metadata }, current.revision);
}
