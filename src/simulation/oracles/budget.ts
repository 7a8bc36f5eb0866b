import type { History, RequestRecord } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { runFacts } from './run-facts.js';

const MINUTE_MS = 60_000;
const RECONCILES_PER_MINUTE = 60;
/** A request that the server has refused so often for the same reason will be refused again. */
const REFUSED = 40;
/** Deletions of an object that is being deleted already. */
const DELETED_AGAIN = 10;

/** The operator does not work in vain: reconciles per minute, and requests that change nothing. */
export const budget: Oracle = {
  name: 'budget',
  words: 'too many reconciles in a minute, or the same request again and again',
  judge(history) {
    return [...reconciles(history), ...refusals(history), ...deletions(history)];
  },
};

function* reconciles(history: History): Iterable<Alarm> {
  const { names } = runFacts(history);
  const keys = Map.groupBy(history.reconciles, ({ controller, object }) => `${controller} ${names.text(object)}`);
  for (const records of keys.values()) {
    const index = records.findIndex(
      (record, at) => (records[at + RECONCILES_PER_MINUTE]?.at ?? Infinity) - record.at < MINUTE_MS,
    );
    const first = records[index];
    if (!first) continue;
    const object = names.groupText(first.object);
    const message = `more than ${String(RECONCILES_PER_MINUTE)} reconciles of ${object} in a minute`;
    yield { oracle: 'budget', object, reason: 'too many reconciles', message, at: first.at };
  }
}

/** Not in reconciles that fail: the runtime repeats those ever less often, and a spec can be impossible. */
function* refusals(history: History): Iterable<Alarm> {
  const refused = history.requests.filter(({ actor, status = 0, verb }) => {
    const hasFailed = history.reconciles[actor.reconcile ?? -1]?.outcome === 'failed';
    return actor.type === 'operator' && [400, 422].includes(status) && verb !== 'get' && !hasFailed;
  });
  for (const [key, requests] of Map.groupBy(refused, keyOf)) {
    const [first] = requests;
    if (!first || requests.length <= REFUSED) continue;
    const object = key.split('\n')[1] ?? '';
    const message = `${first.verb} ${object} was refused ${String(requests.length)} times with status ${String(first.status)}`;
    yield { oracle: 'budget', object, field: first.verb, reason: 'refused again and again', message, at: first.at };
  }
}

/** Deletions of objects that are being deleted, counted between the beginning and the end of their deletion. */
function* deletions(history: History): Iterable<Alarm> {
  const facts = runFacts(history);
  for (const uid of facts.uids()) {
    const commits = facts.commitsOf(uid);
    const begun = commits.find(({ after }) => after?.metadata.deletionTimestamp !== undefined);
    if (!begun) continue;
    const end = commits.find(({ verb }) => verb === 'delete')?.at ?? Infinity;
    const { kind, namespace, name } = begun.object;
    const deleted = history.requests.filter(({ actor, verb, object, status = 0 }) => {
      const isSame = object.kind === kind && object.namespace === namespace && object.name === name;
      return isSame && verb === 'delete' && actor.type === 'operator' && status < 300;
    });
    const again = deleted.filter(({ at }) => at > begun.at && at < end);
    if (again.length <= DELETED_AGAIN) continue;
    const object = facts.names.groupText(begun.object, uid);
    const message = `${object} is being deleted, and was deleted ${String(again.length)} times more`;
    yield { oracle: 'budget', object, field: 'delete', reason: 'deleted again and again', message, at: begun.at };
  }
}

function keyOf({ verb, object, body = '', subresource = '' }: RequestRecord): string {
  const { kind, namespace, name = '' } = object;
  const text = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  return [`${verb} ${subresource}`, text, body].join('\n');
}
