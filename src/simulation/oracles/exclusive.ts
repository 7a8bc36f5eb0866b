import { numberAt, objectAt, stringAt } from '../../base/json-object.js';
import type { Actor, Commit, History, ReconcileRecord } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { hasFired, runFacts } from './run-facts.js';

/** One reconcile of an object at a time, and no write of a process after its lease. */
export const exclusive: Oracle = {
  name: 'one at a time',
  words: 'two reconciles of one object overlap, or a process writes without its lease',
  judge(history) {
    return [...overlaps(history), ...writesWithoutLease(history)];
  },
};

/** Overlaps within one process; those of two processes are covered by the lease. */
function* overlaps(history: History): Iterable<Alarm> {
  const { names } = runFacts(history);
  const key = ({ actor, controller, object }: ReconcileRecord): string =>
    [actor.name, actor.life, controller, object.kind, object.namespace, object.name].join(' ');
  for (const records of Map.groupBy(history.reconciles, key).values()) {
    const second = records.find((record, index) => {
      const former = records[index - 1];
      return former?.endedAt !== undefined && former.endedAt > record.at;
    });
    if (!second) continue;
    const object = names.groupText(second.object);
    const message = `two reconciles of ${object} run at the same time in one process`;
    yield { oracle: 'one at a time', object, reason: 'overlapping reconciles', message, at: second.at };
  }
}

interface Term {
  readonly holder: string;
  readonly durationMs: number;
  readonly renewedAt: number;
}

/** Follows the Lease of the manager: which process has it, and until when those that had it before may write. */
function* writesWithoutLease(history: History): Iterable<Alarm> {
  if (hasFired(history, 'clock')) return;
  const { names } = runFacts(history);
  const terms = new Map<string, Term>();
  let holder = '';
  for (const commit of history.commits) {
    const { actor, object, at, uid, verb } = commit;
    if (object.kind === 'Lease') holder = renew(terms, commit);
    else if (actor.type === 'operator' && object.kind !== 'Event' && isOver(terms.get(processOf(actor)), holder, at)) {
      const name = names.groupText(object, uid);
      const message = `${actor.name} wrote ${name} after its lease was over and another process had it`;
      yield { oracle: 'one at a time', object: name, field: verb, reason: 'written without the lease', message, at };
    }
  }
}

/** Returns the holder after a change of the Lease. */
function renew(terms: Map<string, Term>, { actor, after, at }: Commit): string {
  const spec = objectAt(after, 'spec');
  const holder = stringAt(spec, 'holderIdentity');
  const durationMs = (numberAt(spec, 'leaseDurationSeconds') ?? 15) * 1000;
  if (actor.type === 'operator' && holder !== '') terms.set(processOf(actor), { holder, durationMs, renewedAt: at });
  return holder;
}

function isOver(term: Term | undefined, holder: string, at: number): boolean {
  if (!term || holder === '' || term.holder === holder) return false;
  return at > term.renewedAt + term.durationMs;
}

function processOf({ name, life = 0 }: Actor): string {
  return `${name} ${String(life)}`;
}
