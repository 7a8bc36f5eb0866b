import { without } from '../../base/json-object.js';
import { stringifyJson } from '../../base/json.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import { canonicalObject } from '../canonical/canonical-object.js';
import type { Commit, History } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { followsOthers, inputsOf } from './inputs.js';
import { runFacts, type RunFacts } from './run-facts.js';

const MINUTE_MS = 60_000;
/** Changes of an operator that works by a schedule are slower: those have minutes. */
const CHANGES_PER_MINUTE = 1.5;
/** The rate at which changes of nothing but times are reported. */
const TIMES_PER_MINUTE = 0.7;
const WINDOW_MS = 10 * MINUTE_MS;
const IGNORED = new Set(['Event', 'Lease']);

/** Changes end, and the operator does not write one state and then another for the same reason. */
export const stable: Oracle = {
  name: 'stable',
  words: 'the operator never stops changing objects, or changes them back and forth',
  judge(history) {
    const alarms = [...unrest(history), ...flapping(history)];
    return alarms.filter(({ object }, index) => alarms.findIndex((other) => other.object === object) === index);
  },
};

/** An operator that starts again changes nothing that it has finished. */
export const idempotent: Oracle = {
  name: 'idempotent',
  words: 'a restart of the operator changes objects that were finished',
  judge(history) {
    const { calm, poked } = history;
    if (!poked || !calm.isQuiet) return [];
    const facts = runFacts(history);
    const later = ownChanges(history, calm.at, poked.at).filter((commit) => !facts.isTimed(commit));
    const groups = Map.groupBy(later, (commit) => group(facts, commit));
    return [...groups].flatMap(([object, commits]) => {
      const [first] = commits;
      if (!first) return [];
      const message = `${object}: ${first.verb} after a restart, although nothing had changed`;
      return [
        { oracle: 'idempotent', object, field: first.verb, reason: 'changed by a restart', message, at: first.at },
      ];
    });
  },
};

/** Objects that the operator still writes at a high rate when the time to become quiet is over. */
function unrest(history: History): Alarm[] {
  const { calm } = history;
  if (calm.isQuiet) return [];
  const facts = runFacts(history);
  const own = ownChanges(history, calm.at - WINDOW_MS, calm.at).filter((commit) => !followsOthers(facts, commit));
  const changes = Map.groupBy(own, (commit) => group(facts, commit));
  const isTime = ({ before, after }: Commit): boolean =>
    before !== undefined && after !== undefined && content(facts, before) === content(facts, after);
  const minutes = WINDOW_MS / MINUTE_MS;
  return [...changes]
    .filter(
      ([, commits]) =>
        commits.length > CHANGES_PER_MINUTE * minutes || commits.filter(isTime).length > TIMES_PER_MINUTE * minutes,
    )
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, 1)
    .map(([object, commits]) => {
      const message = `${object} was changed ${String(commits.length)} times in the last 10 minutes and is never quiet`;
      return { oracle: 'stable', object, reason: 'never quiet', message, at: commits[0]?.at };
    });
}

/**
 * Objects that the operator changed from one state to another and back within a minute, while no other program changed
 * anything that its reconciles saw.
 */
function flapping(history: History): Alarm[] {
  const facts = runFacts(history);
  const alarms: Alarm[] = [];
  for (const uid of facts.uids()) {
    const commits = facts.commitsOf(uid).filter(({ object }) => !IGNORED.has(object.kind));
    for (const [index, commit] of commits.entries()) {
      const next = commits[index + 1];
      if (!next || !isBackAndForth(facts, commit, next) || hasOtherChange(facts, commit, next)) continue;
      const object = group(facts, commit);
      const message = `${object} was changed and changed back, although nothing that the operator reads had changed`;
      alarms.push({ oracle: 'stable', object, reason: 'back and forth', message, at: next.at });
      break;
    }
  }
  return alarms;
}

function isBackAndForth(facts: RunFacts, first: Commit, second: Commit): boolean {
  if (first.actor.type !== 'operator' || second.actor.type !== 'operator' || second.at - first.at > MINUTE_MS)
    return false;
  if (!first.before || !first.after || !second.after) return false;
  const inputs = [first, second].map((commit) => inputsOf(facts, commit));
  if (inputs[0] === undefined || inputs[0] !== inputs[1]) return false;
  const [before, between, after] = [first.before, first.after, second.after].map((state) => content(facts, state));
  return before === after && before !== between;
}

/**
 * Another program changed an object of the same root after the first reconcile had begun: a client of the user's own, of
 * which the versions are not recorded, may have shown the change to one of the reconciles only.
 */
function hasOtherChange(facts: RunFacts, first: Commit, second: Commit): boolean {
  const { commits, reconciles } = facts.history;
  const root = facts.rootOf(first.uid)?.uid;
  const startMs = reconciles[first.actor.reconcile ?? -1]?.at ?? first.at;
  return commits
    .slice(0, second.index)
    .some(
      ({ actor, at, object, uid }) =>
        at >= startMs && actor.type !== 'operator' && !IGNORED.has(object.kind) && facts.rootOf(uid)?.uid === root,
    );
}

function content({ names }: RunFacts, object: KubeObject): string {
  return stringifyJson(without(canonicalObject(object, names), 'apiVersion'));
}

function ownChanges({ commits }: History, from: number, to: number): Commit[] {
  return commits.filter(
    ({ at, actor, object }) => at > from && at <= to && actor.type === 'operator' && !IGNORED.has(object.kind),
  );
}

function group({ names }: RunFacts, { object, uid }: Commit): string {
  return names.groupText(object, uid);
}
