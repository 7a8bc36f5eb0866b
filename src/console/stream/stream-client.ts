import type { ServerResponse } from 'node:http';
import type { Run } from '../../api/reconcile/reconcile-observer.js';
import type { LogSource, RunSource } from '../access/visible-sources.js';
import type { RingRecord } from '../recorder/log-ring.js';
import type { MetricsSampler } from '../recorder/metrics-sampler.js';
import type { ObjectFeed } from '../recorder/object-feed.js';
import { recordOf, type RunRecord } from '../recorder/run-record.js';
import type { CachedObject, CachedObjects } from '../cached-objects.js';
import { logLine } from '../view/log-line.js';
import type { ObjectView } from '../view/object-view.js';
import type { RunView } from '../view/run-view.js';
import type { Finding, Hello, MetricsSample, RuntimeState, StreamTopic } from '../wire.js';
import { EventStream } from './event-stream.js';
import type { ChangesSince, StreamChanges } from './stream-changes.js';

/** The data of streams. */
export interface StreamSources {
  readonly hello: () => Hello;
  readonly objects: CachedObjects;
  readonly feed: ObjectFeed;
  readonly rows: ObjectView;
  readonly history: RunSource;
  readonly runs: RunView;
  readonly logs: LogSource;
  readonly metrics: MetricsSampler;
  readonly runtime: () => RuntimeState;
  readonly findings: () => readonly Finding[];
  readonly onFindings: (listener: () => void) => () => void;
}

const FRAME_BYTES = 60_000;
const FIRST_RUNS = 200;
const FIRST_LINES = 500;
/** Runs in a frame; more become a number. */
const RUNS_PER_FRAME = 100;
const LINES_PER_FRAME = 200;
/** Frames of 100 ms between two states of the runtime. */
const RUNTIME_FRAMES = 10;

/** The place at which a client begins. */
export interface StreamPosition {
  /** Identifies the streams of this process to one user. */
  readonly id: string;
  readonly changes: StreamChanges;
  /** The place that a client sends after a lost connection. */
  readonly lastEventId: string | undefined;
}

interface Resumed {
  readonly missed: ChangesSince;
  /** The last line of the log that the client has. */
  readonly line: number;
}

/** Collects the changes for one client and sends them in frames; the last state of an object or run wins. */
export class StreamClient {
  private readonly stream: EventStream;
  private readonly unsubscribe: (() => void)[] = [];
  private readonly dirty = new Map<string, CachedObject | undefined>();
  private readonly changedRuns = new Map<string, RunRecord | Run>();
  private lines: RingRecord[] = [];
  private readonly samples: MetricsSample[] = [];
  private routine = 0;
  private droppedLines = 0;
  private hasNewFindings = true;
  private frames = 0;
  private initial: Iterator<CachedObject> | undefined;
  private isFirstFrame = true;
  private kinds = '';
  private marked = '';

  constructor(
    response: ServerResponse,
    private readonly sources: StreamSources,
    private readonly topics: ReadonlySet<StreamTopic>,
    private readonly position: StreamPosition,
  ) {
    this.stream = new EventStream(response, () => {
      this.sendInitialRows();
    });
    this.stream.send('hello', sources.hello());
    position.changes.follow();
    this.subscribe();
    const resumed = this.resumed();
    this.sendHistory(resumed);
    if (topics.has('objects') && !resumed) {
      this.initial = sources.objects.all()[Symbol.iterator]();
      this.sendInitialRows();
    }
    this.flush();
  }

  closed(): Promise<void> {
    return this.stream.closed();
  }

  close(): void {
    for (const end of this.unsubscribe) end();
  }

  bye(reason: string): void {
    this.stream.send('bye', { reason });
    this.stream.end();
  }

  beat(): void {
    this.stream.beat();
  }

  /** Sends what has changed; while the client is slow, changes are only collected. */
  flush(): void {
    if (!this.stream.isReady) return;
    const position = `${this.position.id}.${this.position.changes.last}.${this.sources.logs.last}`;
    this.sendRuns();
    if (!this.initial) this.sendChangedRows();
    this.sendLines();
    if (this.samples.length > 0) this.stream.send('metrics', { samples: this.samples.splice(0) });
    if (this.topics.has('doctor') && this.hasNewFindings) {
      this.hasNewFindings = false;
      this.stream.send('findings', { findings: this.sources.findings() });
    }
    if (this.frames++ % RUNTIME_FRAMES === 0) {
      if (this.topics.has('runtime')) this.stream.send('runtime', this.sources.runtime());
      if (this.topics.has('objects')) this.sendKinds();
    }
    this.mark(position);
  }

  /** Names the place from which the client can go on, once it has everything up to there. */
  private mark(position: string): void {
    if (this.initial || this.dirty.size > 0 || position === this.marked) return;
    this.marked = position;
    this.stream.mark(position);
  }

  private sendKinds(): void {
    const json = JSON.stringify({ kinds: this.sources.objects.kinds() });
    if (json === this.kinds) return;
    this.kinds = json;
    this.stream.sendText('kinds', json);
  }

  private subscribe(): void {
    const { feed, objects, history, logs, metrics, onFindings } = this.sources;
    const on = (topic: StreamTopic, subscribe: () => () => void): void => {
      if (this.topics.has(topic)) this.unsubscribe.push(subscribe());
    };
    on('objects', () =>
      feed.onEvent(({ type, object }, cached) => {
        if (!objects.isVisible(cached)) return;
        this.dirty.set(object.metadata.uid ?? '', type === 'delete' ? undefined : cached);
      }),
    );
    on('runs', () =>
      history.onChange(
        (run) => this.changedRuns.set(run.id, run),
        () => (this.routine += 1),
      ),
    );
    on('logs', () => logs.onLine((line) => this.addLine(line)));
    on('metrics', () => metrics.onSample((sample) => this.samples.push(sample)));
    on('doctor', () => onFindings(() => (this.hasNewFindings = true)));
  }

  private addLine(line: RingRecord): void {
    if (this.lines.length < LINES_PER_FRAME) this.lines.push(line);
    else this.droppedLines += 1;
  }

  /** Returns what the client lacks if it goes on after a lost connection. */
  private resumed(): Resumed | undefined {
    const { id, changes, lastEventId } = this.position;
    const [, stream, seq = '', line = ''] = /^(\w+)\.(\d{1,15})\.(\d{1,15})$/.exec(lastEventId ?? '') ?? [];
    const missed = stream === id ? changes.after(Number(seq)) : undefined;
    return missed && { missed, line: Number(line) };
  }

  private sendHistory(resumed: Resumed | undefined): void {
    const { objects, runs } = resumed?.missed ?? {};
    const { metrics } = this.sources;
    if (this.topics.has('objects')) for (const [uid, cached] of objects ?? []) this.dirty.set(uid, cached);
    if (this.topics.has('runs')) this.sendRunHistory(runs);
    if (this.topics.has('logs')) this.sendLogHistory(resumed?.line);
    if (this.topics.has('metrics')) this.stream.send('metrics', { reset: true, samples: metrics.samples });
  }

  private sendRunHistory(changed: ReadonlyMap<string, RunRecord | Run> | undefined): void {
    if (changed && changed.size <= RUNS_PER_FRAME) {
      for (const [id, run] of changed) this.changedRuns.set(id, run);
      return;
    }
    const { history, runs } = this.sources;
    const latest = history.all().slice(0, FIRST_RUNS);
    this.stream.send('runs', {
      reset: true,
      runs: latest.map((run) => runs.summary(run)),
      routine: history.dropped,
    });
  }

  private sendLogHistory(after: number | undefined): void {
    const { logs } = this.sources;
    const lines = logs
      .after(after ?? 0)
      .slice(-FIRST_LINES)
      .map((line) => logLine(line));
    this.stream.send('logs', { ...(after === undefined && { reset: true }), lines, dropped: logs.dropped });
  }

  private sendInitialRows(): void {
    const { initial } = this;
    if (!initial) return;
    while (this.stream.isReady) {
      const rows: string[] = [];
      let bytes = 0;
      let isComplete = false;
      while (bytes < FRAME_BYTES && !isComplete) {
        const next = initial.next();
        if (next.done === true) isComplete = true;
        else {
          const row = JSON.stringify(this.sources.rows.row(next.value));
          rows.push(row);
          bytes += row.length;
        }
      }
      const reset = this.isFirstFrame ? '"reset":true,' : '';
      const complete = isComplete ? '"isComplete":true,' : '';
      this.stream.sendText('rows', `{${reset}${complete}"rows":[${rows.join(',')}]}`);
      this.isFirstFrame = false;
      if (isComplete) {
        this.initial = undefined;
        return;
      }
    }
  }

  private sendChangedRows(): void {
    if (this.dirty.size === 0) return;
    const rows: string[] = [];
    const gone: string[] = [];
    let bytes = 0;
    for (const [uid, cached] of this.dirty) {
      if (bytes > FRAME_BYTES) break;
      this.dirty.delete(uid);
      const text = cached ? JSON.stringify(this.sources.rows.row(cached)) : uid;
      bytes += text.length;
      if (cached) rows.push(text);
      else gone.push(uid);
    }
    const deleted = gone.length > 0 ? `,"gone":${JSON.stringify(gone)}` : '';
    this.stream.sendText('rows', `{"rows":[${rows.join(',')}]${deleted}}`);
  }

  private sendRuns(): void {
    if (this.changedRuns.size === 0 && this.routine === 0) return;
    const changed = [...this.changedRuns.values()];
    this.changedRuns.clear();
    const shown = changed.slice(-RUNS_PER_FRAME);
    const { runs, objects } = this.sources;
    for (const { controller, key, cluster } of shown) this.markRow(objects, { controller, key, cluster });
    const summaries = shown.map((run) => runs.summary('isNotable' in run ? run : recordOf(run)));
    const routine = this.routine + changed.length - shown.length;
    this.routine = 0;
    this.stream.send('runs', { runs: summaries, routine });
  }

  /** A run changes the last run of its object's row. */
  private markRow(
    objects: CachedObjects,
    { controller, key, cluster }: Pick<Run, 'controller' | 'key' | 'cluster'>,
  ): void {
    if (!this.topics.has('objects')) return;
    const kind = objects.controllerInfos().find(({ name }) => name === controller)?.kind;
    const cached = kind === undefined ? undefined : objects.get(kind, key, cluster);
    const uid = cached?.object.metadata.uid;
    if (uid !== undefined && !this.dirty.has(uid)) this.dirty.set(uid, cached);
  }

  private sendLines(): void {
    if (this.lines.length === 0 && this.droppedLines === 0) return;
    const lines = this.lines.map((line) => logLine(line));
    this.stream.send('logs', { lines, dropped: this.droppedLines });
    if (this.droppedLines > 0) this.stream.send('gap', { dropped: this.droppedLines });
    this.lines = [];
    this.droppedLines = 0;
  }
}
