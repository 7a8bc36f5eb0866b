import { hostname } from 'node:os';
import { CoreEvent } from '../api/kinds.js';
import { sleep, type Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { formatTime } from '../base/timestamp.js';
import { AlreadyExistsError, ApiError, NotFoundError } from '../client/api-error.js';
import type { Client } from '../client/client.js';
import { EventCorrelator, type EventMessage, type EventSeries } from './event-correlator.js';
import { WriteFencedError, type WriteFence } from './write-fence.js';

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
const MESSAGE_LENGTH = 1024;
const INSTANCE_LENGTH = 128;

interface QueuedEvent {
  readonly event: EventMessage;
  readonly series: EventSeries;
}

/**
 * Writes core/v1 Events in the background, in the order in which they were recorded.
 *
 * Guarantees: `record` neither waits nor throws; at most 1000 messages wait, further ones are dropped; a message is
 * retried 12 times, 10 s apart, while the server cannot be reached or answers 429 or 5xx, and dropped when the server
 * rejects it.
 */
export class EventRecorder {
  private readonly correlator = new EventCorrelator();
  private readonly waiting: QueuedEvent[] = [];
  private readonly stop = new AbortController();
  private delivery: Promise<void> | undefined;
  private isClosed = false;

  constructor(private readonly options: EventRecorderOptions) {}

  record(event: EventMessage): void {
    if (this.isClosed) return;
    const short = { ...event, message: event.message.slice(0, MESSAGE_LENGTH) };
    const series = this.correlator.correlate(short, this.options.clock.now());
    if (!series) return;
    if (this.waiting.length >= QUEUE_SIZE) {
      this.options.logger.warn('Too many events wait to be written, one is dropped', { reason: event.reason });
      return;
    }
    this.waiting.push({ event: short, series });
    this.delivery ??= this.deliver();
  }

  /** Ignores further messages; resolves when the waiting ones are written, or after `timeoutMs`. */
  async close(timeoutMs: number): Promise<void> {
    this.isClosed = true;
    const cancel = this.options.clock.schedule(timeoutMs, () => {
      this.stop.abort(new Error('the event recorder is closed'));
    });
    await this.delivery;
    cancel();
  }

  private async deliver(): Promise<void> {
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      try {
        await this.write(next);
      } catch (error) {
        if (this.stop.signal.aborted || error instanceof WriteFencedError) break;
        const level = isNamespaceTerminating(error) ? 'debug' : 'warn';
        this.options.logger[level]('Event could not be written', { reason: next.event.reason, err: error });
      }
    }
    this.waiting.length = 0;
    this.delivery = undefined;
  }

  private async write({ event, series }: QueuedEvent): Promise<void> {
    const { clock, random = Math.random } = this.options;
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
    const { message, count } = series;
    if (count > 1) {
      try {
        const change = { message, count, lastTimestamp: formatTime(series.lastMs) };
        await client.patch(CoreEvent, series.name, change, { namespace, type: 'merge', signal, beforeSend });
        return;
      } catch (error) {
        // Events expire after an hour by default: this one has expired or was never written.
        if (!(error instanceof NotFoundError)) throw error;
      }
    }
    await client.create(CoreEvent, eventObject(event, series, namespace), { signal, beforeSend });
  }
}

/** Returns whether another try cannot succeed. An overloaded or failing server may accept the next one. */
function isRejection(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

/** Events in a terminating namespace are rejected; losing them is harmless. */
function isNamespaceTerminating(error: unknown): boolean {
  const causes = error instanceof ApiError ? error.details?.causes : undefined;
  return causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}

function eventObject({ component, about, type, reason }: EventMessage, series: EventSeries, namespace: string) {
  return {
    metadata: { name: series.name, namespace },
    involvedObject: { ...about },
    type,
    reason,
    message: series.message,
    count: series.count,
    firstTimestamp: formatTime(series.firstMs),
    lastTimestamp: formatTime(series.lastMs),
    source: { component },
    reportingComponent: component,
    reportingInstance: `${component}-${hostname()}`.slice(0, INSTANCE_LENGTH),
  };
}
