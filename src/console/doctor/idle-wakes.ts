import type { Run } from '../../api/reconcile/reconcile-observer.js';
import { isEffectiveWrite } from '../../controller/hot-loops/object-changes.js';
import type { NewFinding } from './new-finding.js';

const MIN_RUNS = 200;
const IDLE_SHARE = 0.95;
const MOST_SOURCES = 500;
const MOST_RUNS = 5;

interface Count {
  runs: number;
  idle: number;
  readonly ids: string[];
}

/** Counts, by controller and source, the runs for updates that led to no write. */
export class IdleWakes {
  private readonly counts = new Map<string, Count>();

  ended(run: Run): void {
    const source = updatedSource(run);
    if (source === undefined) return;
    const key = `${run.controller} ${source}`;
    const count = this.counts.get(key) ?? { runs: 0, idle: 0, ids: [] };
    if (count.runs === 0 && this.counts.size >= MOST_SOURCES) return;
    this.counts.set(key, count);
    count.runs += 1;
    if (run.end?.error || run.ops.some(isEffectiveWrite)) return;
    count.idle += 1;
    if (count.ids.length < MOST_RUNS) count.ids.push(run.id);
  }

  /** The sources with more than 200 runs since the last call, of which 95 % changed nothing. */
  findings(): NewFinding[] {
    const found: NewFinding[] = [];
    for (const [key, { runs, idle, ids }] of this.counts) {
      if (runs < MIN_RUNS) continue;
      this.counts.delete(key);
      if (idle < runs * IDLE_SHARE) continue;
      const [controller = '', ...rest] = key.split(' ');
      const source = rest.join(' ');
      found.push({
        id: `idle-wakes ${key}`,
        rule: 'idle-wakes',
        level: 'warning',
        controller,
        message: `${controller} is reconciled for each update of ${source}: ${idle} of ${runs} runs changed nothing`,
        hint: `pass a predicate to ${source}, such as { predicate: generationChanged }`,
        runs: ids,
      });
    }
    return found;
  }
}

/** The source of a run that has one cause: an update by another client. */
function updatedSource({ causes: [cause, second] }: Run): string | undefined {
  if (cause?.type !== 'event' || second) return undefined;
  return cause.event.type === 'update' && !cause.byRun ? cause.source : undefined;
}
