import { LruMap } from './lru-map.js';

/** A message about an object, from which an Event is made. */
export interface EventMessage {
  /** The name of the controller. */
  readonly component: string;
  readonly about: EventSubject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** The members of v1.ObjectReference that Events use. */
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
const SPAM_BURST = 25;
const SPAM_REFILL_PER_MS = 1 / 300_000;

/**
 * Assigns messages to Event objects, like client-go's correlator with its defaults.
 *
 * A repeated message increments the count of its Event. After 10 messages within 10 minutes that differ only in their
 * text, further ones become one combined Event. For each component and object, 25 messages pass at once, then one every
 * 5 minutes.
 */
export class EventCorrelator {
  private readonly similarByKey = new LruMap<SimilarMessages>(CACHE_SIZE);
  private readonly seriesByKey = new LruMap<EventSeries>(CACHE_SIZE);
  private readonly bucketByKey = new LruMap<TokenBucket>(CACHE_SIZE);
  private lastSuffix = 0;

  /** Returns the Event to write, or undefined when the message is dropped as spam. An Event with a count above 1 exists. */
  correlate(event: EventMessage, nowMs: number): EventSeries | undefined {
    const similarKey = groupKey(event);
    const isCombined = this.isCombined(similarKey, event.message, nowMs);
    const message = isCombined ? `(combined from similar events): ${event.message}` : event.message;
    const seriesKey = isCombined ? similarKey : `${similarKey}|${event.message}`;
    const last = this.seriesByKey.get(seriesKey);
    const series = last
      ? { ...last, message, count: last.count + 1, lastMs: nowMs }
      : { name: this.eventName(event.about.name, nowMs), message, count: 1, firstMs: nowMs, lastMs: nowMs };
    this.seriesByKey.set(seriesKey, series);
    return this.takeToken(spamKey(event), nowMs) ? series : undefined;
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

  /** A name like those of client-go: the object and the time in hexadecimal, made unique within the millisecond. */
  private eventName(objectName: string, nowMs: number): string {
    this.lastSuffix = Math.max(this.lastSuffix + 1, nowMs * 1000);
    return `${objectName.slice(0, 230).replace(/[^a-z0-9]+$/, '')}.${this.lastSuffix.toString(16)}`;
  }
}

function spamKey({ component, about, type }: EventMessage): string {
  return `${component}|${about.apiVersion}|${about.kind}|${about.namespace}|${about.name}|${about.uid}|${type}`;
}

function groupKey(event: EventMessage): string {
  return `${spamKey(event)}|${event.reason}`;
}
