import type { ServerResponse } from 'node:http';
import { randomHex } from '../../base/random.js';
import type { Cancel, Clock } from '../../base/clock.js';
import { RequestError } from '../../base/http-server/request-error.js';
import { StreamChanges } from './stream-changes.js';
import { StreamClient, type StreamSources } from './stream-client.js';
import type { StreamTopic } from '../wire.js';

const MOST_STREAMS = 8;
/** At most 10 frames a second. */
const FLUSH_MS = 100;
const BEAT_MS = 15_000;
/** The time after the last client left in which another one can go on after it. */
const RESUMABLE_MS = 300_000;
const TOPICS: readonly StreamTopic[] = ['objects', 'runs', 'runtime', 'logs', 'metrics', 'doctor'];

/** The clients of the event stream. Five minutes after the last one, nothing is followed and no timer runs. */
export class Streams {
  private readonly clients = new Set<StreamClient>();
  private flushing: Cancel | undefined;
  private beating: Cancel | undefined;

  /** Differs in each process and for each user, as do the changes that can be resumed. */
  private readonly id = randomHex('stream', 4);
  private readonly changes: StreamChanges;
  private forgetting: Cancel | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly sources: StreamSources,
  ) {
    this.changes = new StreamChanges(sources);
  }

  /** @throws RequestError if there are too many streams, or for an unknown topic. */
  open(topics: string, lastEventId: string | undefined): (response: ServerResponse) => Promise<void> {
    const names = topics === '' ? TOPICS : topics.split(',').map(topicOf);
    if (this.clients.size >= MOST_STREAMS) throw new RequestError(503, `there are ${MOST_STREAMS} streams already`);
    return async (response) => {
      const { id, changes } = this;
      this.forgetting?.();
      const client = new StreamClient(response, this.sources, new Set(names), { id, changes, lastEventId });
      this.clients.add(client);
      this.flushing ??= this.clock.schedule(FLUSH_MS, this.flush);
      this.beating ??= this.clock.schedule(BEAT_MS, this.beat);
      try {
        await client.closed();
      } finally {
        client.close();
        this.clients.delete(client);
        if (this.clients.size === 0) this.forgetting = this.clock.schedule(RESUMABLE_MS, this.forget);
      }
    };
  }

  /** Ends all streams. */
  close(reason: string): void {
    for (const client of this.clients) client.bye(reason);
    this.flushing?.();
    this.beating?.();
    this.forgetting?.();
    this.changes.forget();
  }

  private readonly forget = (): void => {
    this.changes.forget();
  };

  private readonly flush = (): void => {
    for (const client of this.clients) client.flush();
    this.flushing = this.clients.size > 0 ? this.clock.schedule(FLUSH_MS, this.flush) : undefined;
  };

  private readonly beat = (): void => {
    for (const client of this.clients) client.beat();
    this.beating = this.clients.size > 0 ? this.clock.schedule(BEAT_MS, this.beat) : undefined;
  };
}

function topicOf(name: string): StreamTopic {
  const topic = TOPICS.find((known) => known === name);
  if (topic === undefined) throw new RequestError(400, `unknown topic; the topics are ${TOPICS.join(', ')}`);
  return topic;
}
