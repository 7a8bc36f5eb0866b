import { seenIn, type History } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { comparable, hasFired, isEnding, runFacts } from './run-facts.js';

/** Faults that change the lives of the operator's objects, so that other numbers are right. */
const OTHER_LIVES = ['recreate', 'delete-mid', 'namespace', 'crd', 'foreign'];
const IGNORED = new Set(['Event', 'Lease']);

/** How often the operator and others created and deleted the objects in one role. */
interface Entry {
  created: number;
  deleted: number;
  createdByOthers: number;
  deletedByOthers: number;
}

/** The operator creates and deletes each object as often as in runs without faults. */
export const ledger: Oracle = {
  name: 'ledger',
  words: 'an object was created or deleted more or less often than without faults',
  judge(history, references) {
    if (hasFired(history, ...OTHER_LIVES)) return [];
    const equals = comparable(history, references);
    const seen = seenGenerations(history);
    const above = equals.filter((reference) => isWithin(seen, seenGenerations(reference)));
    const below = equals.filter((reference) => isWithin(seenGenerations(reference), seen));
    const entries = entriesOf(history);
    return [
      ...[...entries].flatMap(([object, entry]) => surplus(object, entry, above)),
      ...[...expectedOf(below)].flatMap((object) => deficit(object, entries.get(object) ?? none(), below)),
    ];
  },
};

function surplus(object: string, entry: Entry, references: readonly History[]): Alarm[] {
  if (references.length === 0) return [];
  const others = references.map((reference) => entriesOf(reference).get(object) ?? none());
  const most = (count: (entry: Entry) => number): number => Math.max(...others.map(count));
  const replaced = Math.max(0, entry.deletedByOthers - most((other) => other.deletedByOthers));
  const taken = Math.max(0, entry.createdByOthers - most((other) => other.createdByOthers));
  const created = most((other) => other.created);
  const deleted = most((other) => other.deleted);
  return [
    ...(entry.created - replaced > created ? [alarm(object, 'create', 'too often', entry.created, created)] : []),
    ...(entry.deleted - taken > deleted ? [alarm(object, 'delete', 'too often', entry.deleted, deleted)] : []),
  ];
}

function deficit(object: string, entry: Entry, references: readonly History[]): Alarm[] {
  const others = references.map((reference) => entriesOf(reference).get(object) ?? none());
  const least = (count: (entry: Entry) => number): number => Math.min(...others.map(count));
  const created = least((other) => other.created);
  const deleted = least((other) => other.deleted);
  return [
    ...(entry.created + entry.createdByOthers < created
      ? [alarm(object, 'create', 'too rarely', entry.created, created)]
      : []),
    ...(entry.deleted + entry.deletedByOthers < deleted
      ? [alarm(object, 'delete', 'too rarely', entry.deleted, deleted)]
      : []),
  ];
}

function alarm(object: string, field: string, reason: string, actual: number, expected: number): Alarm {
  const message = `the operator sent ${field} for ${object} ${times(actual)}; without faults ${times(expected)}`;
  return { oracle: 'ledger', object, field, reason, message };
}

function times(count: number): string {
  return count === 1 ? 'once' : `${String(count)} times`;
}

/** Deletions after the calm are steps of the simulation, and not counted. */
function entriesOf(history: History): ReadonlyMap<string, Entry> {
  const counted = known.get(history);
  if (counted) return counted;
  const entries = new Map<string, Entry>();
  known.set(history, entries);
  const facts = runFacts(history);
  const { names } = facts;
  const commits = history.commits.filter(
    (commit) => commit.at <= history.calm.at && !IGNORED.has(commit.object.kind) && !facts.isTimed(commit),
  );
  for (const commit of commits) {
    const { verb, actor, object, uid } = commit;
    if (verb !== 'create' && !isEnding(commit)) continue;
    const text = names.groupText(object, uid);
    const entry = entries.get(text) ?? none();
    entries.set(text, entry);
    entry[counter(verb === 'create', actor.type === 'operator')] += 1;
  }
  return entries;
}

function counter(isCreation: boolean, isOwn: boolean): keyof Entry {
  if (isCreation) return isOwn ? 'created' : 'createdByOthers';
  return isOwn ? 'deleted' : 'deletedByOthers';
}

const known = new WeakMap<History, Map<string, Entry>>();

function none(): Entry {
  return { created: 0, deleted: 0, createdByOthers: 0, deletedByOthers: 0 };
}

function expectedOf(references: readonly History[]): Set<string> {
  return new Set(references.flatMap((reference) => [...entriesOf(reference).keys()]));
}

/** The specs of the user that the operator has seen: others may be skipped, and the objects that they need with them. */
function seenGenerations(history: History): Set<string> {
  const facts = runFacts(history);
  const generations = new Map<string, string>();
  // An object that is deleted and created again has another life, with generations of its own.
  const lives = new Map<string, Set<string>>();
  for (const { uid, after, object } of history.commits) {
    if (!after || !facts.isDefined(object)) continue;
    const name = facts.names.text(object, uid);
    const uids = lives.get(name) ?? new Set();
    lives.set(name, uids.add(uid));
    const life = [...uids].indexOf(uid);
    const generation = `${name} ${String(life)}@${String(after.metadata.generation ?? 0)}`;
    generations.set(`${uid}@${after.metadata.resourceVersion ?? ''}`, generation);
  }
  const reads = history.reconciles.filter(({ at }) => at <= history.calm.at).flatMap(seenIn);
  const seen = reads.map(({ uid = '', resourceVersion = '' }) => generations.get(`${uid}@${resourceVersion}`));
  return new Set(seen.filter((generation) => generation !== undefined));
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return some.isSubsetOf(all);
}
