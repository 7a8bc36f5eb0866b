import { randomId } from '../../base/random.js';
import { dnsSubdomainErrors } from '../../api/objects/names.js';
import { LruMap } from '../run/lru-map.js';

/** A message about an object, from which an Event is made. */
export interface EventMessage {
  /** The name of the controller. */
  readonly component: string;
  readonly about: EventSubject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The action of the controller to which the message belongs. */
  readonly action: string;
  /** Another object that the message mentions. */
  readonly related?: EventSubject | undefined;
}

/** The members of v1.ObjectReference that Events use, of an object with a UID. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Empty for cluster scope. */
  readonly namespace: string;
  readonly uid: string;
}

/** One Event object, with the number of its messages and the time of the first. */
export interface EventSeries {
  readonly name: string;
  readonly message: string;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** A message with the Event to write for it. */
export interface EventWrite {
  readonly event: EventMessage;
  readonly series: EventSeries;
}

/** The similar messages of one object within the interval. */
interface SimilarMessages {
  readonly texts: Set<string>;
  lastMs: number;
}

interface TokenBucket {
  tokens: number;
  filledMs: number;
}

const CACHE_SIZE = 4096;
const MAX_SIMILAR = 10;
const SIMILAR_INTERVAL_MS = 600_000;
/** The time without a message after which a series is finished, in milliseconds. */
export const SERIES_FINISH_MS = 360_000;
const SPAM_BURST = 25;
const SPAM_REFILL_PER_MS = 1 / 300_000;

/**
 * Assigns messages to Event objects, with the limits of client-go's `tools/record` and the series of its `tools/events`.
 *
 * A message that is repeated within 6 minutes increments the count of its Event; later it begins another Event. In
 * contrast to `tools/events`, other texts are other Events, because the note of an Event cannot be changed. After 10
 * messages within 10 minutes that differ only in their text, further ones become one combined Event with the note of its
 * first. For each component and object, 25 messages pass immediately, then one every 5 minutes; those that do not pass
 * are counted, and `finished` returns the Events with unwritten counts.
 */
export class EventCorrelator {
  private readonly similarByKey = new LruMap<SimilarMessages>(CACHE_SIZE);
  private readonly seriesByKey = new LruMap<EventSeries>(CACHE_SIZE);
  private readonly bucketByKey = new LruMap<TokenBucket>(CACHE_SIZE);
  /** By name, the Events with unwritten counts. */
  private readonly unwritten = new Map<string, EventWrite>();
  /** The names of Events that were written. */
  private readonly written = new LruMap<true>(CACHE_SIZE);
  private lastSuffix = 0;

  /** Returns the Event to write, or undefined when the message is dropped as spam. An Event with a count above 1 exists. */
  correlate(event: EventMessage, nowMs: number): EventSeries | undefined {
    const similarKey = groupKey(event);
    const isCombined = this.isCombined(similarKey, event.message, nowMs);
    const message = isCombined ? `(combined from similar events): ${event.message}` : event.message;
    const seriesKey = isCombined ? similarKey : `${similarKey}|${event.message}`;
    const last = this.seriesByKey.get(seriesKey);
    const series =
      last && nowMs - last.lastMs <= SERIES_FINISH_MS
        ? { ...last, count: last.count + 1, lastMs: nowMs }
        : { name: this.eventName(event.about.name, nowMs), message, count: 1, firstMs: nowMs, lastMs: nowMs };
    this.seriesByKey.set(seriesKey, series);
    if (this.takeToken(spamKey(event), nowMs)) {
      this.written.set(series.name, true);
      this.unwritten.delete(series.name);
      return series;
    }
    // An Event that was never written is spam and must not be written later.
    if (this.written.get(series.name)) this.unwritten.set(series.name, { event, series });
    return undefined;
  }

  /** True if there are Events with unwritten counts. */
  get hasUnwritten(): boolean {
    return this.unwritten.size > 0;
  }

  /** Returns the Events with unwritten counts that had no message for 6 minutes, each once. */
  finished(nowMs: number): EventWrite[] {
    return this.takeUnwritten(({ series }) => nowMs - series.lastMs >= SERIES_FINISH_MS);
  }

  /** Returns all Events with unwritten counts, each once. */
  unfinished(): EventWrite[] {
    return this.takeUnwritten(() => true);
  }

  private takeUnwritten(isTaken: (write: EventWrite) => boolean): EventWrite[] {
    const taken = [...this.unwritten.values()].filter(isTaken);
    for (const { series } of taken) this.unwritten.delete(series.name);
    return taken;
  }

  private isCombined(key: string, text: string, nowMs: number): boolean {
    let similar = this.similarByKey.get(key);
    if (!similar || nowMs - similar.lastMs > SIMILAR_INTERVAL_MS) similar = { texts: new Set(), lastMs: nowMs };
    similar.lastMs = nowMs;
    similar.texts.add(text);
    this.similarByKey.set(key, similar);
    if (similar.texts.size < MAX_SIMILAR) return false;
    const [oldest] = similar.texts;
    if (oldest !== undefined) similar.texts.delete(oldest);
    return true;
  }

  private takeToken(key: string, nowMs: number): boolean {
    const bucket = this.bucketByKey.get(key) ?? { tokens: SPAM_BURST, filledMs: nowMs };
    const refill = Math.max(0, nowMs - bucket.filledMs) * SPAM_REFILL_PER_MS;
    bucket.tokens = Math.min(SPAM_BURST, bucket.tokens + refill);
    bucket.filledMs = nowMs;
    this.bucketByKey.set(key, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /**
   * A name like those of client-go: the object and the time in hexadecimal, made unique within the millisecond. A UUID if the
   * name of the object is not a DNS subdomain, as that of a role can be.
   */
  private eventName(objectName: string, nowMs: number): string {
    this.lastSuffix = Math.max(this.lastSuffix + 1, nowMs * 1000);
    const prefix = objectName.slice(0, 230).replace(/[^a-z0-9]+$/, '');
    const name = `${prefix}.${this.lastSuffix.toString(16)}`;
    return dnsSubdomainErrors(name).length === 0 ? name : randomId('name of an Event');
  }
}

function spamKey({ component, about, type }: EventMessage): string {
  return `${component}|${about.apiVersion}|${about.kind}|${about.namespace}|${about.name}|${about.uid}|${type}`;
}

function groupKey(event: EventMessage): string {
  return `${spamKey(event)}|${event.reason}|${event.action}|${event.related?.uid ?? ''}`;
}
