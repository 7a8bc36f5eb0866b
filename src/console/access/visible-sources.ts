import type { Run, RunRef } from '../../api/reconcile/reconcile-observer.js';
import { splitKey } from '../../api/objects/object-key.js';
import type { LogRing, RingRecord } from '../recorder/log-ring.js';
import type { RunHistory } from '../recorder/run-history.js';
import type { RunObject, RunRecord } from '../recorder/run-record.js';
import type { Finding, KindId } from '../wire.js';
import type { Visibility } from './visibility.js';

/** The members of the history that views read. */
export type RunSource = Pick<RunHistory, 'all' | 'of' | 'get' | 'lastOf' | 'countSince' | 'dropped' | 'onChange'>;
/** The members of the log that views read. */
export type LogSource = Pick<LogRing, 'after' | 'last' | 'dropped' | 'onLine'>;

type KindOf = (controller: string) => KindId;

/** The runs of the objects that a user sees. */
export class VisibleRuns implements RunSource {
  constructor(
    private readonly history: RunHistory,
    private readonly visibility: Visibility,
    private readonly kindOf: KindOf,
  ) {}

  get dropped(): number {
    return this.history.dropped;
  }

  all(): RunRecord[] {
    return this.history.all().filter((run) => this.isVisible(run));
  }

  of(object: RunObject): RunRecord[] {
    return this.history.of(object).filter((run) => this.isVisible(run));
  }

  get(id: string): RunRecord | undefined {
    return this.ifVisible(this.history.get(id));
  }

  lastOf(object: RunObject): RunRecord | undefined {
    return this.ifVisible(this.history.lastOf(object));
  }

  countSince(object: RunObject, sinceMs: number): number {
    return this.lastOf(object) ? this.history.countSince(object, sinceMs) : 0;
  }

  onChange(listener: (run: RunRecord | Run) => void, onLeftOut?: () => void): () => void {
    return this.history.onChange((run) => {
      if (this.isVisible(run)) listener(run);
    }, onLeftOut);
  }

  private ifVisible(run: RunRecord | undefined): RunRecord | undefined {
    return run && this.isVisible(run) ? run : undefined;
  }

  private isVisible({ controller, key, cluster }: Omit<RunRef, 'id'>): boolean {
    return this.visibility.sees({ kind: this.kindOf(controller), namespace: splitKey(key).namespace, cluster });
  }
}

/** The lines of the log about objects that a user sees. Other lines may name any object. */
export class VisibleLogs implements LogSource {
  constructor(
    private readonly logs: LogRing,
    private readonly visibility: Visibility,
    private readonly kindOf: KindOf,
  ) {}

  get last(): number {
    return this.logs.last;
  }

  get dropped(): number {
    return this.logs.dropped;
  }

  after(seq: number): RingRecord[] {
    return this.logs.after(seq).filter((line) => this.isVisible(line));
  }

  onLine(listener: (line: RingRecord) => void): () => void {
    return this.logs.onLine((line) => {
      if (this.isVisible(line)) listener(line);
    });
  }

  private isVisible({ fields: { controller, namespace, name, cluster } }: RingRecord): boolean {
    if (this.visibility.isComplete) return true;
    if (typeof controller !== 'string' || typeof name !== 'string' || cluster !== undefined) return false;
    return this.visibility.sees({
      kind: this.kindOf(controller),
      namespace: typeof namespace === 'string' ? namespace : '',
    });
  }
}

/** The findings about objects that a user sees. */
export function visibleFindings(findings: readonly Finding[], visibility: Visibility): readonly Finding[] {
  if (visibility.isComplete) return findings;
  return findings.filter(
    ({ object, changed }) => object && visibility.sees(object) && (!changed || visibility.sees(changed)),
  );
}
