import { isJsonObject } from '../../base/json-object.js';
import { stringifyJson } from '../../base/json.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import type { Commit, History } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { runFacts, type RunFacts } from './run-facts.js';

/** Members by which items of lists are identified. */
const ITEM_KEYS = ['uid', 'name', 'type', 'key', 'ip', 'mountPath', 'port', 'containerPort'];
/** Set by the server with each write. */
const IGNORED = new Set(['managedFields', 'resourceVersion', 'generation', 'status']);

/** Fields that others set in an object vanish only when they remove them. */
export const othersFields: Oracle = {
  name: "others' fields",
  words: 'the operator removed a field, finalizer, owner or list item that another program had set',
  judge(history) {
    const facts = runFacts(history);
    return [...facts.uids()].flatMap((uid) => lost(history, facts, uid));
  },
};

function lost(history: History, facts: RunFacts, uid: string): Alarm[] {
  const authors = new Map<string, string>();
  const commits = facts.commitsOf(uid);
  const alarms: Alarm[] = [];
  for (const commit of commits) {
    const isOwn = commit.actor.type === 'operator';
    if (isOwn && commit.verb === 'update' && !isApply(history, commit))
      alarms.push(...alarmsOf(facts, commit, authors));
    const [before, after] = [pathsOf(commit.before), pathsOf(commit.after)];
    for (const path of after) if (!before.has(path)) authors.set(path, commit.actor.type);
    for (const path of before) if (!after.has(path)) authors.delete(path);
  }
  return alarms;
}

/** Server-side apply removes only what the operator owns, or what it takes over on purpose. */
function isApply({ requests }: History, { request }: Commit): boolean {
  return requests[request ?? -1]?.verb === 'apply';
}

function alarmsOf(facts: RunFacts, commit: Commit, authors: ReadonlyMap<string, string>): Alarm[] {
  const { before, after, object, uid, at } = commit;
  const [old, now] = [pathsOf(before), pathsOf(after)];
  const gone = [...old].filter((path) => !now.has(path) && isForeign(path, authors, before));
  const [path] = gone;
  if (path === undefined) return [];
  const name = facts.names.groupText(object, uid);
  const field = facts.names.replaceIn(path);
  const message = `the operator removed ${field} from ${name}, which ${authors.get(path) === 'fault' ? 'another program' : 'somebody else'} had set`;
  return [{ oracle: "others' fields", object: name, field, reason: 'removed', message, at }];
}

/** Only what a program other than the operator has certainly set: a fault, or another program before the run. */
function isForeign(path: string, authors: ReadonlyMap<string, string>, before: KubeObject | undefined): boolean {
  const author = authors.get(path);
  if (author === 'fault') return true;
  if (author !== undefined || before === undefined) return false;
  return path.startsWith('metadata.finalizers') || path.startsWith('metadata.ownerReferences');
}

/** The leaves of an object; items of lists are named by a key, so that their order does not count. */
function pathsOf(object: KubeObject | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown, path: string): void => {
    if (isJsonObject(value))
      for (const [name, member] of Object.entries(value)) {
        if (!IGNORED.has(name)) visit(member, path === '' ? name : `${path}.${name}`);
      }
    else if (Array.isArray(value)) for (const item of value) found.add(`${path}[${keyOf(item)}]`);
    else found.add(path);
  };
  visit(object, '');
  return found;
}

function keyOf(item: unknown): string {
  if (!isJsonObject(item)) return String(item);
  const key = ITEM_KEYS.find((name) => item[name] !== undefined);
  return key === undefined ? stringifyJson(item) : `${key}=${String(item[key])}`;
}
