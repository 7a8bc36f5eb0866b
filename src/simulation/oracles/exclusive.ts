import { objectAt } from '../../base/json-object.js';
import type { Actor, History, ReconcileRecord } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { hasFired, runFacts } from './run-facts.js';

/** One reconcile of an object at a time, and no write of a process whose lease is over. */
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
  readonly actor: Actor;
  readonly durationMs: number;
  renewedAt: number;
}

/** Follows the Lease of the manager: who holds it, and until when those who held it before may write. */
function* writesWithoutLease(history: History): Iterable<Alarm> {
  if (hasFired(history, 'clock')) return;
  const { names } = runFacts(history);
  const terms = new Map<string, Term>();
  let holder: string | undefined;
  for (const { actor, object, after, at, uid, verb } of history.commits) {
    if (object.kind === 'Lease') {
      const spec = objectAt(after, 'spec');
      holder = String(spec['holderIdentity'] ?? '');
      if (actor.type !== 'operator' || holder === '') continue;
      const durationMs = Number(spec['leaseDurationSeconds'] ?? 15) * 1000;
      terms.set(processOf(actor), { holder, actor, durationMs, renewedAt: at });
      continue;
    }
    const term = actor.type === 'operator' ? terms.get(processOf(actor)) : undefined;
    if (!term || object.kind === 'Event' || holder === undefined || term.holder === holder) continue;
    if (at <= term.renewedAt + term.durationMs) continue;
    const name = names.groupText(object, uid);
    const message = `${actor.name} wrote ${name} after its lease was over and another process had it`;
    yield { oracle: 'one at a time', object: name, field: verb, reason: 'written without the lease', message, at };
  }
}

function processOf({ name, life = 0 }: Actor): string {
  return `${name} ${String(life)}`;
}
