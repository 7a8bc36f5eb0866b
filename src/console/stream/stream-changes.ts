import type { Run } from '../../api/reconcile/reconcile-observer.js';
import type { CachedObject, CachedObjects } from '../cached-objects.js';
import type { RunSource } from '../access/visible-sources.js';
import type { ObjectFeed } from '../recorder/object-feed.js';
import type { RunRecord } from '../recorder/run-record.js';

const MOST_OBJECTS = 10_000;
const MOST_RUNS = 1000;

interface Change<T> {
  readonly seq: number;
  readonly value: T;
}

/** The last state of what has changed; undefined for a deleted object. */
export interface ChangesSince {
  readonly objects: ReadonlyMap<string, CachedObject | undefined>;
  readonly runs: ReadonlyMap<string, RunRecord | Run>;
}

/** Remembers, while it follows, what has changed, so that a client can go on after a lost connection. */
export class StreamChanges {
  private seq = 0;
  /** Changes up to this one are not known any more. */
  private lost = 0;
  /** The oldest change first. */
  private readonly objects = new Map<string, Change<CachedObject | undefined>>();
  private readonly runs = new Map<string, Change<RunRecord | Run>>();
  private unfollow: (() => void) | undefined;

  constructor(
    private readonly sources: {
      readonly feed: ObjectFeed;
      readonly objects: CachedObjects;
      readonly history: RunSource;
    },
  ) {}

  /** The number of the last change. */
  get last(): number {
    return this.seq;
  }

  /** Begins to follow; has no effect while it does. */
  follow(): void {
    if (this.unfollow) return;
    const { feed, objects, history } = this.sources;
    const left = feed.onEvent(({ type, object }, cached) => {
      if (!objects.isVisible(cached)) return;
      this.note(this.objects, object.metadata.uid ?? '', type === 'delete' ? undefined : cached, MOST_OBJECTS);
    });
    const right = history.onChange((run) => {
      this.note(this.runs, run.id, run, MOST_RUNS);
    });
    this.unfollow = () => {
      left();
      right();
    };
  }

  /** Ends it; clients cannot go on after it. */
  forget(): void {
    this.unfollow?.();
    this.unfollow = undefined;
    this.objects.clear();
    this.runs.clear();
    this.seq += 1; // for the changes that are not followed
    this.lost = this.seq;
  }

  /** Returns what has changed after a change; undefined if that is not known any more. */
  after(seq: number): ChangesSince | undefined {
    if (seq < this.lost || seq > this.seq || !this.unfollow) return undefined;
    return { objects: newer(this.objects, seq), runs: newer(this.runs, seq) };
  }

  private note<T>(changes: Map<string, Change<T>>, id: string, value: T, most: number): void {
    changes.delete(id);
    changes.set(id, { seq: ++this.seq, value });
    if (changes.size <= most) return;
    const [oldest] = changes;
    if (!oldest) return;
    changes.delete(oldest[0]);
    this.lost = Math.max(this.lost, oldest[1].seq);
  }
}

function newer<T>(changes: ReadonlyMap<string, Change<T>>, seq: number): Map<string, T> {
  const found = [...changes].filter(([, change]) => change.seq > seq);
  return new Map(found.map(([id, { value }]) => [id, value]));
}
