import { arrayAt, isJsonObject, objectAt, type JsonObject } from '../../base/json-object.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import { canonicalNames } from '../canonical/canonical-names.js';
import { canonicalState } from '../canonical/canonical-state.js';
import type { Commit, History } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { comparable, runFacts, type RunFacts } from './run-facts.js';

/** How long a status may be ahead of the objects that it describes. */
const AHEAD_MS = 1000;
const READY_TYPES = new Set(['Ready', 'Available']);

/** The status is about the present: it neither runs ahead of the spec nor of what was made for it. */
export const status: Oracle = {
  name: 'status',
  words: 'the status is Ready before its objects exist, or observedGeneration is wrong',
  judge(history, references) {
    const facts = runFacts(history);
    const own = history.commits.filter(
      ({ object, after, at }) => after && facts.isDefined(object) && at <= history.calm.at,
    );
    const [reference] = comparable(history, references);
    return [
      ...own.flatMap((commit) => generationAlarm(facts, commit)),
      ...(reference ? own.flatMap((commit) => readyAlarm(facts, commit, reference)) : []),
    ];
  },
};

function generationAlarm({ names }: RunFacts, { actor, after, before, object, uid, at }: Commit): Alarm[] {
  if (actor.type !== 'operator' || !after) return [];
  const [observed, former] = [observedOf(after), before && observedOf(before)];
  if (observed === undefined) return [];
  const name = names.groupText(object, uid);
  const alarm = (reason: string, message: string): Alarm[] => [
    { oracle: 'status', object: name, field: 'status.observedGeneration', reason, message: `${name}: ${message}`, at },
  ];
  const generation = after.metadata.generation ?? 0;
  if (observed > generation)
    return alarm(
      'exceeds the generation',
      `observedGeneration ${String(observed)} exceeds generation ${String(generation)}`,
    );
  if (former !== undefined && observed < former)
    return alarm('falls', `observedGeneration falls from ${String(former)} to ${String(observed)}`);
  return [];
}

/** The status reports that the last spec is done, but objects that all runs without faults have were never created. */
function readyAlarm(facts: RunFacts, commit: Commit, reference: History): Alarm[] {
  const { history, names } = facts;
  const { actor, after, before, object, uid, at } = commit;
  if (actor.type !== 'operator' || !after || !isDone(after) || (before && isDone(before))) return [];
  const last = history.calm.objects.find(({ metadata }) => metadata.uid === uid);
  if (last?.metadata.generation !== after.metadata.generation) return [];
  const name = names.text(object, uid);
  for (const child of childrenOf(reference, name)) {
    const created = history.commits.find(
      ({ verb, object: other, uid: other_, at: when }) =>
        verb === 'create' && when <= at + AHEAD_MS && names.groupText(other, other_) === child,
    );
    if (created) continue;
    const message = `${name}: the status says that generation ${String(after.metadata.generation)} is done, but ${child} was not created within a second`;
    return [
      {
        oracle: 'status',
        object: names.groupText(object, uid),
        field: 'status',
        reason: `ahead of ${child}`,
        message,
        at,
      },
    ];
  }
  return [];
}

/** The objects that the operator has created for an object, other than by the clock, and that are there in the end. */
function childrenOf(reference: History, root: string): string[] {
  const facts = runFacts(reference);
  const names = canonicalNames(reference);
  const state = canonicalState(reference, reference.calm);
  return [...state.texts()].flatMap((text) => {
    const entry = state.get(text);
    const uid = entry?.object.metadata.uid ?? '';
    const owner = facts.rootOf(uid);
    const isChild = owner !== undefined && owner.uid !== uid && names.text(owner.object, owner.uid) === root;
    const isTimed = facts.commitsOf(uid).some((commit) => facts.isTimed(commit));
    return entry && isChild && facts.isMadeByOperator(uid) && !isTimed ? [entry.group] : [];
  });
}

function isDone(object: KubeObject): boolean {
  const state = objectAt(object, 'status');
  const generation = object.metadata.generation ?? 0;
  const conditions = arrayAt(state, 'conditions').filter(isJsonObject);
  const ready = conditions.find(({ type }) => READY_TYPES.has(String(type)));
  if (ready) return ready['status'] === 'True' && isCurrent(ready, generation) && isCurrent(state, generation);
  if (state['ready'] === true || ['Ready', 'Running', 'Available'].includes(String(state['phase'])))
    return isCurrent(state, generation);
  return state['observedGeneration'] === generation && conditions.every((condition) => condition['status'] !== 'False');
}

function isCurrent({ observedGeneration }: JsonObject, generation: number): boolean {
  return observedGeneration === undefined || observedGeneration === generation;
}

function observedOf(object: KubeObject): number | undefined {
  const { observedGeneration } = objectAt(object, 'status');
  return typeof observedGeneration === 'number' ? observedGeneration : undefined;
}
