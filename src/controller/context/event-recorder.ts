import { hostname } from 'node:os';
import { randomNumber } from '../../base/random.js';
import { EventsEvent } from '../../api/kinds/kinds.js';
import { sleep, type Cancel, type Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { formatMicroTime } from '../../base/timestamp.js';
import { AlreadyExistsError, ApiError, NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import {
  EventCorrelator,
  SERIES_FINISH_MS,
  type EventMessage,
  type EventSeries,
  type EventWrite,
} from './event-correlator.js';
import { isTerminatingNamespace } from '../run/retry-rules.js';
import { WriteFencedError, type WriteFence } from '../write/write-fence.js';

export interface EventRecorderOptions {
  readonly client: Pick<Client, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fence: WriteFence;
  /** A number from 0 to 1, to spread the first retry. */
  readonly random?: () => number;
}

const QUEUE_SIZE = 1000;
const TRIES = 12;
const RETRY_MS = 10_000;
/** The limits of the API server, in bytes. */
const NOTE_BYTES = 1024;
const NAME_BYTES = 128;

/**
 * Writes Events of events.k8s.io/v1 in the background, in the order in which they were recorded. A repeated message becomes
 * a series: the Event is patched with the count and the time of the last message.
 *
 * Clients of core/v1 see the same Events: `kubectl get events` and `kubectl describe` show the count of a series.
 *
 * Guarantees: `record` neither waits nor throws; at most 1000 messages wait, further ones are dropped; a message is
 * sent up to 12 times, 10 s apart, while the server cannot be reached or answers 3xx, 401, 408, 429 or 5xx, and dropped
 * when the server rejects it.
 */
export class EventRecorder {
  private readonly correlator = new EventCorrelator();
  private readonly waiting: EventWrite[] = [];
  private readonly stop = new AbortController();
  private delivery: Promise<void> | undefined;
  private cancelSweep: Cancel | undefined;
  private isClosed = false;

  constructor(private readonly options: EventRecorderOptions) {}

  record(event: EventMessage): void {
    if (this.isClosed) return;
    const short = { ...event, message: cut(event.message, NOTE_BYTES) };
    const series = this.correlator.correlate(short, this.options.clock.now());
    if (series) this.enqueue({ event: short, series });
    else this.scheduleSweep();
  }

  /** Ignores further messages; resolves when the waiting ones and all counts are written, or after `timeoutMs`. */
  async close(timeoutMs: number): Promise<void> {
    this.isClosed = true;
    this.cancelSweep?.();
    for (const write of this.correlator.unfinished()) this.enqueue(write);
    const cancel = this.options.clock.schedule(timeoutMs, () => {
      this.stop.abort(new Error('the event recorder is closed'));
    });
    await this.delivery;
    cancel();
  }

  private enqueue(write: EventWrite): void {
    if (this.waiting.length >= QUEUE_SIZE) {
      this.options.logger.warn('Too many events are waiting to be written; one is dropped', {
        reason: write.event.reason,
      });
      return;
    }
    this.waiting.push(write);
    this.delivery ??= this.deliver();
  }

  /** Writes the counts of series that are finished, until all are written. */
  private scheduleSweep(): void {
    if (!this.correlator.hasUnwritten) return;
    this.cancelSweep ??= this.options.clock.schedule(SERIES_FINISH_MS, () => {
      this.cancelSweep = undefined;
      for (const write of this.correlator.finished(this.options.clock.now())) this.enqueue(write);
      this.scheduleSweep();
    });
  }

  private async deliver(): Promise<void> {
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      try {
        await this.write(next);
      } catch (error) {
        if (this.stop.signal.aborted || error instanceof WriteFencedError) break;
        const level = isTerminatingNamespace(error) ? 'debug' : 'warn';
        this.options.logger[level]('Event could not be written', { reason: next.event.reason, err: error });
      }
    }
    this.waiting.length = 0;
    this.delivery = undefined;
  }

  private async write({ event, series }: EventWrite): Promise<void> {
    const { clock, random = () => randomNumber('retry of an Event') } = this.options;
    for (let tries = 1; ; tries++) {
      this.options.fence();
      try {
        await this.send(event, series);
        return;
      } catch (error) {
        // AlreadyExists means that the server received an earlier attempt.
        if (error instanceof AlreadyExistsError) return;
        if (isRejection(error) || tries === TRIES) throw error;
      }
      await sleep(clock, tries === 1 ? RETRY_MS * random() : RETRY_MS, this.stop.signal);
    }
  }

  private async send(event: EventMessage, series: EventSeries): Promise<void> {
    const { client, fence: beforeSend } = this.options;
    const { signal } = this.stop;
    // Events of cluster-scoped objects are in the namespace default.
    const namespace = event.about.namespace || 'default';
    if (series.count > 1) {
      try {
        const change = { series: seriesOf(series) };
        await client.patch(EventsEvent, series.name, change, { namespace, type: 'merge', signal, beforeSend });
        return;
      } catch (error) {
        // Events expire after an hour by default: this one has expired or was never written.
        if (!(error instanceof NotFoundError)) throw error;
      }
    }
    await client.create(EventsEvent, eventObject(event, series, namespace), { signal, beforeSend });
  }
}

/** The statuses from 400 to 499 after which the next try may succeed. */
const PASSING: ReadonlySet<number> = new Set([401, 408, 429]);

/** Returns whether another try cannot succeed. An overloaded or failing server, or a proxy, may accept the next one. */
function isRejection(error: unknown): boolean {
  if (!(error instanceof ApiError) || PASSING.has(error.status)) return false;
  if (error.status < 400 || error.status >= 500) return false;
  return !(error instanceof NotFoundError && error.isResourceMissing);
}

/** The API server rejects an Event with an empty or longer reason, action or instance. */
function eventObject(event: EventMessage, series: EventSeries, namespace: string) {
  const { component, about, related, type, reason, action } = event;
  return {
    metadata: { name: series.name, namespace },
    regarding: { ...about },
    ...(related && { related: { ...related } }),
    type,
    reason: cut(reason, NAME_BYTES) || 'Unspecified',
    action: cut(action, NAME_BYTES) || 'Unspecified',
    note: cut(series.message, NOTE_BYTES),
    eventTime: formatMicroTime(series.firstMs),
    reportingController: component,
    reportingInstance: cut(`${component}-${hostname()}`, NAME_BYTES),
    ...(series.count > 1 && { series: seriesOf(series) }),
  };
}

function seriesOf({ count, lastMs }: EventSeries) {
  return { count, lastObservedTime: formatMicroTime(lastMs) };
}

/** Returns the longest prefix of at most `bytes` bytes in UTF-8 that ends after a whole character. */
function cut(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}
