import { changedFields, formatFieldPath } from '../../base/changed-fields.js';
import type { JsonObject } from '../../base/json-object.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import type { Alarm, Oracle } from './oracle.js';
import { hasFired, runFacts, type RunFacts } from './run-facts.js';
import { isOwned } from './written-fields.js';

/** Kinds that record what happened, or that outlive an operator on purpose. */
const IGNORED = new Set(['Event', 'Lease', 'CustomResourceDefinition']);

/**
 * After all objects of the operator's kinds were deleted, nothing is left that was created for them.
 *
 * @param keeps kinds that are kept on purpose
 */
export function noLeaks(keeps: readonly string[] = []): Oracle {
  return {
    name: 'no leaks',
    words: 'an object or a field that was made for a deleted object stays',
    judge(history) {
      const { removed } = history;
      if (!removed || hasFired(history, 'foreign', 'crd')) return [];
      const facts = runFacts(history);
      const live = new Set(removed.objects.map(({ metadata }) => metadata.uid));
      const objects = removed.objects.filter(({ kind = '' }) => !IGNORED.has(kind) && !keeps.includes(kind));
      return objects.flatMap((object) => [...leftObject(facts, object, live), ...leftFields(facts, object)]);
    },
  };
}

function leftObject(facts: RunFacts, object: KubeObject, live: ReadonlySet<string | undefined>): Alarm[] {
  const { uid = '' } = object.metadata;
  const [first] = facts.commitsOf(uid);
  if (first?.verb !== 'create' || first.actor.type !== 'operator') return [];
  const root = facts.rootOf(uid);
  if (!root || live.has(root.uid) || facts.isOrphan(object)) return [];
  const name = facts.names.groupText(first.object, uid);
  if (root.uid === uid || object.metadata.deletionTimestamp !== undefined) return [];
  const message = `${name} still exists, although ${facts.names.text(root.object)}, for which it was created, is deleted`;
  return [{ oracle: 'no leaks', object: name, reason: 'left behind', message, at: first.at }];
}

/** Fields of others' objects that the operator set and did not take back. */
function leftFields(facts: RunFacts, object: KubeObject): Alarm[] {
  const { uid = '' } = object.metadata;
  if (facts.isMadeByOperator(uid) || facts.rootOf(uid) !== undefined) return [];
  const writes = facts
    .commitsOf(uid)
    .filter((commit) => commit.actor.type === 'operator' && facts.causeOf(commit) !== undefined);
  const original = writes[0]?.before;
  if (!original) return [];
  const { fieldManagers } = facts.history;
  const left = changedFields(comparedPart(original), comparedPart(object), 50).filter(
    ({ path, from, to }) => from === undefined && to !== undefined && isOwned(object, fieldManagers, path),
  );
  const [first] = left;
  if (!first || !writes[0]) return [];
  const name = facts.names.groupText(writes[0].object, uid);
  const field = formatFieldPath(first.path);
  const message = `${name} still has ${field}, which the operator set for an object that is deleted`;
  return [{ oracle: 'no leaks', object: name, field, reason: 'field left behind', message, at: writes[0].at }];
}

function comparedPart(object: KubeObject): JsonObject {
  const { labels, annotations, finalizers } = object.metadata;
  const { metadata: _, status: _status, ...rest } = object as KubeObject & { status?: unknown };
  return { ...rest, metadata: { labels: labels ?? {}, annotations: annotations ?? {}, finalizers } };
}
