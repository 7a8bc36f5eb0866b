import type { Run } from '../../api/reconcile/reconcile-observer.js';
import { isEffectiveWrite } from '../../controller/hot-loops/object-changes.js';
import type { OwnFinding } from './new-finding.js';

const MIN_RUNS = 200;
const IDLE_SHARE = 0.95;
const MOST_SOURCES = 100;
const MOST_RUNS = 5;

interface Count {
  runs: number;
  idle: number;
  readonly ids: string[];
}

/** Counts, by controller and source, the runs for updates that led to no write. */
export class IdleWakes {
  private readonly controllers = new Map<string, Map<string, Count>>();

  ended(run: Run): void {
    const source = updatedSource(run);
    if (source === undefined) return;
    const count = this.countOf(run.controller, source);
    if (!count) return;
    count.runs += 1;
    if (run.end?.error || run.ops.some(isEffectiveWrite)) return;
    count.idle += 1;
    if (count.ids.length < MOST_RUNS) count.ids.push(run.id);
  }

  /** The sources with more than 200 runs since the last call, of which 95 % changed nothing. */
  findings(): OwnFinding[] {
    const found: OwnFinding[] = [];
    for (const [controller, counts] of this.controllers)
      for (const [source, { runs, idle, ids }] of counts) {
        if (runs < MIN_RUNS) continue;
        counts.delete(source);
        if (idle < runs * IDLE_SHARE) continue;
        found.push({
          id: `idle-wakes ${controller} ${source}`,
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

  /** Undefined beyond the limit of sources of a controller. */
  private countOf(controller: string, source: string): Count | undefined {
    let counts = this.controllers.get(controller);
    if (!counts) this.controllers.set(controller, (counts = new Map<string, Count>()));
    let count = counts.get(source);
    if (!count && counts.size < MOST_SOURCES) counts.set(source, (count = { runs: 0, idle: 0, ids: [] }));
    return count;
  }
}

/** The source of a run that has one cause: an update by another client. */
function updatedSource({ causes: [cause, second] }: Run): string | undefined {
  if (cause?.type !== 'event' || second) return undefined;
  return cause.event.type === 'update' && !cause.byRun ? cause.source : undefined;
}
