import { seenIn, type Commit, type ReconcileRecord } from '../record/history.js';
import type { RunFacts } from './run-facts.js';

/**
 * Returns the versions of everything that the reconcile of a commit saw, and its requests that failed. The versions of the
 * object that it changed differ by the change itself: what counts of them is the last change by another program. Undefined if
 * the reconcile is not known or did not end.
 */
export function inputsOf(facts: RunFacts, { actor, uid }: Commit): string | undefined {
  const record = facts.history.reconciles[actor.reconcile ?? -1];
  if (record?.endedAt === undefined) return undefined;
  const seen = seenIn(record).flatMap(({ uid: other = '', resourceVersion }) => {
    if (resourceVersion === undefined) return [];
    return [`${other}@${other === uid ? lastOfOthers(facts, uid, resourceVersion) : resourceVersion}`];
  });
  const failed = facts.history.requests.flatMap(({ actor: { reconcile }, verb, object, status, lost }) => {
    const hasFailed = reconcile === record.index && (lost !== undefined || (status ?? 0) >= 400);
    return hasFailed ? [`${verb} ${facts.names.text(object)} ${lost ?? String(status)}`] : [];
  });
  return [...new Set([...seen, ...failed])].sort().join(' ');
}

/**
 * Returns whether the reconcile of a commit saw changes of other objects by other programs, which the reconcile of the same
 * object with the change before had not seen.
 */
export function followsOthers(facts: RunFacts, { actor, uid, index: end }: Commit): boolean {
  const { reconciles } = facts.history;
  const record = reconciles[actor.reconcile ?? -1];
  if (!record) return false;
  const former = facts.commitsOf(uid).flatMap(({ index, actor: { reconcile } }) => {
    const other = reconciles[reconcile ?? -1];
    return index < end && other && isOfSameObject(other, record) ? [other] : [];
  });
  const last = former.at(-1);
  return last !== undefined && changesOfOthers(facts, last, uid) !== changesOfOthers(facts, record, uid);
}

function isOfSameObject({ object: one }: ReconcileRecord, { object: other }: ReconcileRecord): boolean {
  return one.kind === other.kind && one.name === other.name && one.namespace === other.namespace;
}

/** The changes of others that a reconcile saw, without those of the object that it changed. */
function changesOfOthers(facts: RunFacts, record: ReconcileRecord, changed: string): string {
  const others = seenIn(record).filter(({ uid }) => uid !== changed);
  const seen = others.map(({ uid = '', resourceVersion = '' }) => lastOfOthers(facts, uid, resourceVersion));
  return [...new Set(seen)].sort().join(' ');
}

/** The version that another program gave to an object last, when it had a version. */
function lastOfOthers(facts: RunFacts, uid: string, version: string): string {
  const commits = facts.commitsOf(uid);
  const index = commits.findIndex(({ after }) => after?.metadata.resourceVersion === version);
  const last = commits.slice(0, index + 1).findLast(({ actor }) => actor.type !== 'operator');
  return last?.after?.metadata.resourceVersion ?? '';
}
