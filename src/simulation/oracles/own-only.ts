import type { Commit, History, ReconcileRecord } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { hasFired, isEnding, runFacts, type Root, type RunFacts } from './run-facts.js';

/** The operator deletes only objects that belong to the object it reconciles, and that it has seen as they are. */
export function ownOnly(touches: readonly string[] = []): Oracle {
  return {
    name: 'own only',
    words: 'the operator deleted or took over an object that belongs to something else',
    judge(history) {
      const facts = runFacts(history);
      const judged = history.commits.filter(
        ({ actor, object, at }) => actor.type === 'operator' && !touches.includes(object.kind) && at <= history.calm.at,
      );
      return judged.flatMap((commit) => {
        const found = isEnding(commit) ? deletionAlarm(facts, commit) : takeoverAlarm(history, facts, commit);
        return found ? [found] : [];
      });
    },
  };
}

function deletionAlarm(facts: RunFacts, commit: Commit): Alarm | undefined {
  const { object, uid, actor, at } = commit;
  const name = facts.names.groupText(object, uid);
  const [root, cause] = [facts.rootOf(uid), facts.causeOf(commit)];
  const alarm = { oracle: 'own only', object: name, field: 'delete', at };
  if (root && cause && root.uid !== cause.uid && root.uid !== uid) {
    const owner = isSameName(root, cause) ? 'a later object of the name' : 'another object';
    const deleter = facts.names.text(cause.object, cause.uid);
    const message = `the reconcile of ${deleter} deleted ${name}, which belongs to ${owner}: ${facts.names.text(root.object, root.uid)}`;
    return { ...alarm, reason: `deleted what belongs to ${owner}`, message };
  }
  const record = facts.history.reconciles[actor.reconcile ?? -1];
  if (!record || !isOtherThanRead(record, commit)) return undefined;
  const message = `${name} was deleted by its name: the reconcile had read an earlier object of this name`;
  return { ...alarm, reason: 'deleted an object that it had not read', message };
}

function isSameName({ object: one }: Root, { object: other }: Root): boolean {
  return one.name === other.name && one.namespace === other.namespace;
}

/** The reconcile read the object, but with another uid. */
function isOtherThanRead({ reads }: ReconcileRecord, { object, uid }: Commit): boolean {
  const uids = reads.flatMap((read) =>
    read.uid !== undefined &&
    read.object?.kind === object.kind &&
    read.object.name === object.name &&
    read.object.namespace === object.namespace
      ? [read.uid]
      : [],
  );
  return uids.length > 0 && !uids.includes(uid);
}

/**
 * A forced apply changes an object that a fault has put in the place of the operator's. One that names the uid is meant for
 * this object: it adds to what the operator has read.
 */
function takeoverAlarm(history: History, facts: RunFacts, commit: Commit): Alarm | undefined {
  const { object, uid, at, verb, request } = commit;
  const sent = history.requests[request ?? -1];
  const isApply = verb === 'update' && sent?.verb === 'apply' && sent.body?.includes(`"uid":"${uid}"`) !== true;
  if (!isApply || facts.creatorOf(uid)?.type !== 'fault' || !hasFired(history, 'foreign')) return undefined;
  const name = facts.names.groupText(object, uid);
  const message = `the operator changed ${name}, which it did not create`;
  return { oracle: 'own only', object: name, field: 'apply', reason: 'took over a foreign object', message, at };
}
