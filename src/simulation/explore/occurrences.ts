import { changedFields, formatFieldPath } from '../../base/changed-fields.js';
import type { Trigger } from '../plan/plan.js';
import type { Commit, History, SeenRecord, ReconcileRecord, RequestRecord } from '../record/history.js';
import { ObjectTexts } from '../record/object-text.js';

/** An event of a run at which a fault can begin. */
export interface Occurrence {
  readonly trigger: Trigger;
  /** Equal for events that are alike: of the same kind, object and changed fields. */
  readonly likeness: string;
  readonly at: number;
  readonly kind: string;
}

/** The events of a run at which faults can begin, in their order. */
export interface Occurrences {
  /** Writes of the operator that changed something. */
  readonly writes: readonly Occurrence[];
  /** Requests of the operator, without watches. */
  readonly requests: readonly Occurrence[];
  /** Requests of the operator that write. */
  readonly attempts: readonly Occurrence[];
  /** Events that the operator received and that matter to a reconcile with a write. */
  readonly events: readonly Occurrence[];
  readonly reconciles: readonly Occurrence[];
  /** The steps of the user. */
  readonly steps: readonly Occurrence[];
  /** Spelling of the objects that the operator created, with their kinds. */
  readonly children: readonly { readonly object: string; readonly kind: string }[];
}

const WRITES = new Set(['create', 'update', 'patch', 'apply', 'delete', 'deletecollection']);
const MAX_FIELDS = 20;

/** Returns the events of a run at which a fault can make a difference. */
export function occurrencesOf(history: History): Occurrences {
  const texts = new ObjectTexts();
  for (const { object, after, before } of history.commits) {
    const state = after ?? before;
    if (state) texts.learn(object, state);
  }
  const counter = new Counter();
  const own = history.requests.filter(({ actor }) => actor.type === 'operator');
  const requests = own.filter(({ verb }) => verb !== 'watch');
  const sent = requests.map((request) =>
    counter.of(triggerOf('sent', request, texts), request.at, request.object.kind),
  );
  const commitsOf = Map.groupBy(history.commits, ({ request }) => request);
  const writes = requests.flatMap((request) => {
    const commits = commitsOf.get(request.index) ?? [];
    const occurrence =
      commits.length === 0 ? undefined : counter.of(triggerOf('committed', request, texts), request.at);
    const changed = commits.map(fieldsOf).filter((fields) => fields !== undefined);
    if (!occurrence || changed.length === 0) return [];
    return [{ ...occurrence, kind: request.object.kind, likeness: `${occurrence.likeness} ${changed.join(' ')}` }];
  });
  const reconciles = history.reconciles.map(({ object, at }) =>
    counter.of({ point: 'reconcile begins', object: texts.of(object), nth: 1 }, at, object.kind),
  );
  return {
    writes,
    requests: sent,
    attempts: sent.filter((_, index) => WRITES.has(requests[index]?.verb ?? '')),
    events: eventsOf(history, texts, counter),
    reconciles,
    steps: history.steps.map(({ at }, index): Occurrence => {
      return { trigger: { point: 'step', nth: index + 1 }, likeness: `step ${String(index + 1)}`, at, kind: '' };
    }),
    children: childrenOf(history, texts),
  };
}

/** Keeps the first and the last of the occurrences that are alike. */
export function firstAndLast(occurrences: readonly Occurrence[]): Occurrence[] {
  const last = new Map(occurrences.map((each) => [each.likeness, each]));
  const first = new Map([...occurrences].reverse().map((each) => [each.likeness, each]));
  return occurrences.filter((each) => first.get(each.likeness) === each || last.get(each.likeness) === each);
}

/** Numbers the occurrences of a trigger as the simulation counts them. */
class Counter {
  private readonly counts = new Map<string, number>();

  of(trigger: Trigger, at: number, kind = ''): Occurrence {
    const { point, verb = '', object = '', subresource = '' } = trigger;
    const likeness = [point, verb, subresource, object].join(' ');
    const nth = (this.counts.get(likeness) ?? 0) + 1;
    this.counts.set(likeness, nth);
    return { trigger: { ...trigger, nth }, likeness, at, kind };
  }
}

function triggerOf(point: Trigger['point'], request: RequestRecord, texts: ObjectTexts): Trigger {
  const { verb, object, subresource } = request;
  return { point, verb, object: texts.of(object), ...(subresource !== undefined && { subresource }), nth: 1 };
}

/** The fields that a write changed; undefined if it changed nothing that a reader sees. */
function fieldsOf({ verb, before, after }: Commit): string | undefined {
  if (verb !== 'update') return verb;
  const changes = changedFields(before, after, MAX_FIELDS)
    .map(({ path }) => formatFieldPath(path))
    .filter((path) => !/^metadata\.(?:resourceVersion|generation|managedFields)/.test(path));
  return changes.length === 0 ? undefined : changes.sort().join(',');
}

/** A delay of an event makes a difference only to a reconcile that reads its object, and that writes or is followed by one that does. */
function eventsOf(history: History, texts: ObjectTexts, counter: Counter): Occurrence[] {
  const relevant = relevantReconciles(history);
  return history.deliveries.flatMap(({ type, object, at, actor }) => {
    if (type === 'listed' || actor.type !== 'operator') return [];
    const occurrence = counter.of(
      { point: 'delivered', verb: type, object: texts.of(object), nth: 1 },
      at,
      object.kind,
    );
    const isRead = relevant.some(
      (reconcile) => (reconcile.endedAt ?? Infinity) >= at && reconcile.reads.some((read) => readsObject(read, object)),
    );
    const isReconciled = relevant.some((reconcile) => isSame(reconcile.object, object));
    return isRead || isReconciled ? [occurrence] : [];
  });
}

function relevantReconciles({ reconciles, commits, requests }: History): ReconcileRecord[] {
  const writing = new Set(commits.map(({ actor }) => actor.reconcile).filter((index) => index !== undefined));
  for (const { actor, verb } of requests)
    if (actor.reconcile !== undefined && WRITES.has(verb)) writing.add(actor.reconcile);
  const relevant: ReconcileRecord[] = [];
  const next = new Map<string, boolean>();
  for (const reconcile of [...reconciles].reverse()) {
    const { object, controller, index } = reconcile;
    const key = `${controller} ${object.kind} ${object.namespace ?? ''}/${object.name}`;
    const isWriting = writing.has(index);
    if (isWriting || next.get(key) === true) relevant.push(reconcile);
    next.set(key, isWriting);
  }
  return relevant;
}

function readsObject({ object, listed }: SeenRecord, target: Commit['object']): boolean {
  if (object) return isSame(object, target);
  return listed === target.kind || listed === `${target.kind}.${target.group}`;
}

function isSame(a: Commit['object'], b: Commit['object']): boolean {
  return a.kind === b.kind && a.group === b.group && a.namespace === b.namespace && a.name === b.name;
}

function childrenOf({ commits }: History, texts: ObjectTexts): { object: string; kind: string }[] {
  const created = commits.filter(({ actor, verb }) => actor.type === 'operator' && verb === 'create');
  const found = new Map(created.map(({ object }) => [texts.of(object), object.kind]));
  return [...found].map(([object, kind]) => ({ object, kind }));
}
