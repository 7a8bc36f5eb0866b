import { arrayAt, isJsonObject, objectAt, stringAt } from '../../base/json-object.js';
import type { History, ReconcileRecord } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { hasFired, runFacts } from './run-facts.js';

/** Faults that make the server answer 403. */
const FORBIDDING = ['forbidden', 'namespace', 'webhook', 'crd'];

/** The generated role of the operator allows all of its requests. */
export const permissions: Oracle = {
  name: 'rights',
  words: 'the server forbids a request: the class does not declare the permission',
  judge(history) {
    if (hasFired(history, ...FORBIDDING)) return [];
    const { names } = runFacts(history);
    const terminating = new Set(
      history.commits.flatMap(({ object, after }) =>
        object.kind === 'Namespace' && after?.metadata.deletionTimestamp !== undefined ? [object.name] : [],
      ),
    );
    const denied = history.requests.filter(
      ({ actor, status, object }) =>
        actor.type === 'operator' && status === 403 && !terminating.has(object.namespace ?? ''),
    );
    const groups = Map.groupBy(
      denied,
      ({ verb, object, subresource = '' }) => `${verb} ${object.plural} ${subresource}`,
    );
    return [...groups.values()].flatMap(([first]) => {
      if (!first) return [];
      const { verb, object, subresource, at } = first;
      const resource = `${object.plural}${subresource === undefined ? '' : `/${subresource}`}`;
      const field = `${verb} ${resource}`;
      const message = `the role does not allow to ${field} (${names.text(object)})`;
      return [{ oracle: 'rights', field, reason: 'forbidden', message, at }];
    });
  },
};

/** Times after which a write that is refused for its content is not refused by chance. */
const REFUSED = 3;

/** A spec that is accepted and cannot work shows in a condition or in a Warning. */
export const saysSo: Oracle = {
  name: 'reported failures',
  words: 'reconciles of an object fail for good, and neither a condition nor an event shows it',
  judge(history) {
    const facts = runFacts(history);
    const before = history.reconciles.filter(({ at }) => at <= history.calm.at);
    const keys = Map.groupBy(before, ({ controller, object }) => `${controller} ${facts.names.text(object)}`);
    const failing = [...keys.values()].flatMap((records) => {
      const last = records.findLast(({ outcome }) => outcome !== undefined && outcome !== 'aborted');
      if (!last || !['failed', 'terminal'].includes(last.outcome ?? '') || isShown(history, last)) return [];
      const object = facts.names.groupText(last.object);
      const message = `the reconciles of ${object} fail (${last.error?.message ?? ''}), and neither a condition nor an event shows it`;
      return [{ oracle: 'reported failures', object, reason: 'silent failure', message, at: last.at }];
    });
    return [...failing, ...refusals(history)];
  },
};

/** Writes that the server refuses again and again, in reconciles that succeed. */
function refusals(history: History): Alarm[] {
  const { names } = runFacts(history);
  const writes = history.requests.filter(
    ({ actor, verb, at }) =>
      actor.reconcile !== undefined && !['get', 'list', 'watch'].includes(verb) && at <= history.calm.at,
  );
  const targets = Map.groupBy(
    writes,
    ({ verb, object, subresource = '' }) => `${verb} ${names.text(object)} ${subresource}`,
  );
  return [...targets.values()].flatMap((requests) => {
    const last = requests.at(-1);
    const refused = requests.filter(({ status = 0, body }) => [400, 422].includes(status) && body === last?.body);
    const record = history.reconciles[last?.actor.reconcile ?? -1];
    if (!last || !record || refused.at(-1) !== last || refused.length < REFUSED || isShown(history, record)) return [];
    const object = names.groupText(record.object);
    const message = `the server refuses ${last.verb} ${names.text(last.object)} with status ${String(last.status)}, and neither a condition nor an event of ${object} shows it`;
    return [{ oracle: 'reported failures', object, reason: 'silent failure', message, at: last.at }];
  });
}

function isShown({ calm, commits }: History, { object }: ReconcileRecord): boolean {
  const own = calm.objects.find(
    ({ kind, metadata }) =>
      kind === object.kind && metadata.name === object.name && metadata.namespace === object.namespace,
  );
  if (!own) return true; // nothing is left that could show it
  const conditions = arrayAt(objectAt(own, 'status'), 'conditions').filter(isJsonObject);
  if (conditions.some((condition) => condition['status'] !== 'True')) return true;
  return commits.some(({ object: { kind }, after }) => {
    if (kind !== 'Event' || stringAt(after, 'type') !== 'Warning') return false;
    const about = { ...objectAt(after, 'regarding'), ...objectAt(after, 'involvedObject') };
    return about['kind'] === object.kind && about['name'] === object.name;
  });
}
