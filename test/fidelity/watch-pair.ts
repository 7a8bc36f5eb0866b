import { setTimeout as delay } from 'node:timers/promises';
import type { ApiEndpoint, ApiReply, WatchEvent } from './api-endpoint.js';
import type { Chooser } from './chooser.js';
import { differences, normalize, normalizeEvents, withoutRepeats } from './normalize.js';

const WAIT_MS = 5000;
const POLL_MS = 10;

interface WatchForm {
  readonly query: string;
  readonly accept?: string;
  /** Starts with what there is, rather than after the list before it. */
  readonly isFromNow?: boolean;
}

const FORMS: readonly WatchForm[] = [
  { query: '' },
  { query: '', isFromNow: true },
  { query: '&labelSelector=x%3Da' },
  { query: '&labelSelector=!y' },
  { query: '&fieldSelector=metadata.name%3Dra' },
  { query: '', accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  { query: '', accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
  {
    query: '&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan',
    isFromNow: true,
  },
];

/** The same watch on both servers, and its events up to the last equal response. */
export class WatchPair {
  private cut: readonly [number, number] | undefined;
  private last: readonly [number, number] = [0, 0];

  private constructor(
    readonly path: string,
    private readonly events: readonly [WatchEvent[], WatchEvent[]],
    private readonly stops: readonly (() => void)[],
    /** What there was before. */
    private readonly lists: readonly unknown[],
  ) {}

  static async open(endpoints: readonly [ApiEndpoint, ApiEndpoint], path: string, choose: Chooser): Promise<WatchPair> {
    const { query, accept, isFromNow = false } = choose.pick(FORMS);
    const events: [WatchEvent[], WatchEvent[]] = [[], []];
    const bodies = await Promise.all(
      endpoints.map(async (endpoint) => (await endpoint.send({ method: 'GET', path })).body),
    );
    const start = async (endpoint: ApiEndpoint, body: unknown, own: WatchEvent[]): Promise<() => void> => {
      const from = isFromNow ? '' : `&resourceVersion=${versionIn(body) ?? '0'}`;
      const call = { path: `${path}?watch=1${query}${from}`, ...(accept !== undefined && { accept }) };
      return endpoint.follow(call, (event) => own.push(event));
    };
    const stops = await Promise.all([
      start(endpoints[0], bodies[0], events[0]),
      start(endpoints[1], bodies[1], events[1]),
    ]);
    return new WatchPair(`${path}?watch=1${query} ${accept ?? ''}`, events, stops, bodies.map(normalize));
  }

  /** Takes note of how far both servers were when they last agreed. */
  agreed([ours, real]: readonly [ApiReply, ApiReply]): void {
    const [a, b] = [versionIn(ours.body), versionIn(real.body)];
    if (a !== undefined && b !== undefined) this.last = [Math.max(this.last[0], a), Math.max(this.last[1], b)];
  }

  /** From here on the servers no longer hold the same objects. */
  disagreed(): void {
    this.cut ??= this.last;
  }

  /** How many events there were, and where they differ; ends the watches. */
  async end(): Promise<{ count: number; found: string[]; isSameNews: boolean }> {
    const relevant = (): readonly [WatchEvent[], WatchEvent[]] => [this.upTo(0), this.upTo(1)];
    for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
      const [ours, real] = relevant();
      if (ours.length === real.length) break;
      await delay(POLL_MS);
    }
    for (const stop of this.stops) stop();
    const [ours, real] = relevant().map(normalizeEvents) as [unknown[], unknown[]];
    const isSameNews =
      differences(withoutRepeats(ours, this.lists[0]), withoutRepeats(real, this.lists[1])).length === 0;
    return { count: real.length, found: differences(ours, real), isSameNews };
  }

  private upTo(side: 0 | 1): WatchEvent[] {
    const events = this.events[side].filter(isTold);
    const last = this.cut?.[side];
    return last === undefined ? events : events.filter(({ object }) => (versionIn(object) ?? 0) <= last);
  }
}

/** Bookmarks come when a server likes, but for the one that ends the initial events. */
function isTold({ type, object }: WatchEvent): boolean {
  return type !== 'BOOKMARK' || JSON.stringify(object).includes('k8s.io/initial-events-end');
}

interface Versioned {
  readonly metadata?: { readonly resourceVersion?: string };
}

function versionIn(body: unknown): number | undefined {
  const { metadata } = (typeof body === 'object' && body !== null ? body : {}) as Versioned;
  const version = Number(metadata?.resourceVersion);
  return Number.isInteger(version) && version > 0 ? version : undefined;
}
