import { changedFields, formatFieldPath } from '../../base/changed-fields.js';
import { userLocation } from '../../base/user-frames.js';
import { formatFault } from '../plan/fault-text.js';
import { placeOfObject } from '../plan/object-of-step.js';
import type { Trigger, WorkloadStep } from '../plan/plan.js';
import type { Commit, History, SeenRecord, ReconcileRecord, RequestRecord } from '../record/history.js';
import type { Alarm } from '../oracles/oracle.js';

/** A line of a timeline. */
export interface TimelineEntry {
  /** Milliseconds of virtual time. */
  readonly at: number;
  readonly mark: ' ' | '✗' | '!';
  readonly actor: string;
  readonly text: string;
  /** File and line of the user's code. */
  readonly place?: string | undefined;
  /** A remark about the moment. */
  readonly note?: string | undefined;
  /** Entries with the smallest weight are left out last. */
  readonly weight: number;
}

export interface TimelineOptions {
  /** The most entries. Default 20. */
  readonly limit?: number;
  /** Virtual time from which every schedule fails. */
  readonly inevitableAt?: number | undefined;
}

const LIMIT = 20;
const MAX_CHANGES = 3;
const MAX_TEXT = 90;
const AFTER_WRITE = new Set<Trigger['point']>(['committed', 'answered', 'reconcile ends', 'step']);
const INEVITABLE = '← from here every schedule fails';

/** Returns what led to an alarm: the steps of the user, the faults, and what the operator read and wrote around them. */
export function timelineOf(history: History, alarm: Alarm, options: TimelineOptions = {}): TimelineEntry[] {
  const endMs = history.calm.at;
  const entries = [
    ...userEntries(history),
    ...faultEntries(history, false),
    ...history.reconciles.flatMap((reconcile) => reconcileEntries(history, reconcile)),
    ...foreignEntries(history, alarm),
    ...failureEntries(history),
    ...faultEntries(history, true),
  ].filter(({ at }) => at <= Math.max(alarm.at ?? endMs, ...history.fired.map((fired) => fired.at)));
  const sorted = entries.sort((a, b) => a.at - b.at);
  const kept = limited(markInevitable(sorted, options.inevitableAt), (options.limit ?? LIMIT) - 1);
  return [...kept, { at: alarm.at ?? endMs, mark: '!', actor: 'judge', text: alarm.message, weight: 0 }];
}

/** The faults that follow a write or its answer, or the others: of events at the same time, these come first. */
function faultEntries({ fired }: History, isAfterWrite: boolean): TimelineEntry[] {
  return fired
    .filter(({ fault }) => AFTER_WRITE.has(fault.trigger.point) === isAfterWrite)
    .map(({ fault, at }) => ({ at, mark: '✗', actor: 'fault', text: formatFault(fault), weight: 0 }));
}

function userEntries({ plan, steps }: History): TimelineEntry[] {
  return steps.flatMap(({ at, status = 200, message }, index) => {
    const step = plan.workload[index];
    if (!step) return [];
    const refused = status >= 400 ? ` → ${String(status)} ${message ?? ''}` : '';
    return [{ at, mark: ' ', actor: 'user', text: cut(`${stepText(step)}${refused}`), weight: 0 }];
  });
}

function stepText(step: WorkloadStep): string {
  if (step.do === 'delete') return `delete ${step.object}`;
  if (step.do === 'patch') return `patch ${step.object}  ${compact(step.patch)}`;
  const { apiVersion: _, kind = '', metadata, ...fields } = step.object as typeof step.object & { spec?: object };
  return `create ${placeOfObject({ kind, metadata })}  ${compact(fields.spec ?? fields)}`;
}

/** A value as in TypeScript: `{size: 3}`. */
function compact(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/"([A-Za-z_$][\w$]*)":/g, '$1: ')
    .replaceAll(',', ', ');
}

function reconcileEntries(history: History, reconcile: ReconcileRecord): TimelineEntry[] {
  const requests = history.requests.filter(
    ({ actor, at }) => actor.type === 'operator' && actor.reconcile === reconcile.index && at >= reconcile.at,
  );
  const writes = history.commits.filter(({ request }) => requests.some(({ index }) => index === request));
  const { name, life = 1 } = reconcile.actor;
  const actor = history.plan.replicas > 1 ? name : 'operator';
  const title = `reconcile ${reconcile.object.kind} ${reconcile.object.name}${life > 1 ? ` (life ${String(life)})` : ''}`;
  const reads = reconcile.reads.map(readText).join(', ');
  const outcome = outcomeText(reconcile, writes.length);
  const weight = writes.length > 0 || reconcile.error ? 2 : 3;
  return [
    {
      at: reconcile.at,
      mark: ' ',
      actor,
      text: cut([title, reads, outcome].filter((part) => part !== '').join(': ')),
      place: placeOf(reconcile),
      weight,
    },
    ...writes.map((commit): TimelineEntry => {
      const place = requests.find(({ index }) => index === commit.request)?.place;
      return { at: commit.at, mark: ' ', actor, text: cut(commitText(commit)), place, weight: 1 };
    }),
  ];
}

/** The place where the reconcile threw, or otherwise its last read, on which depends what it did next. */
function placeOf({ error, reads }: ReconcileRecord): string | undefined {
  return (error && userLocation(error)) ?? reads.findLast(({ place }) => place !== undefined)?.place;
}

function readText({ object, listed, uid }: SeenRecord): string {
  if (!object) return `list ${(listed ?? '').replace(/\..*$/, '')}`;
  return `get ${object.kind} ${object.name} → ${uid === undefined ? 'none' : 'found'}`;
}

function outcomeText({ error, outcome, endedAt }: ReconcileRecord, writes: number): string {
  if (error) return `fails: ${error.message.split('\n', 1)[0] ?? ''}`;
  if (endedAt === undefined || outcome === 'aborted') return 'does not end';
  return writes === 0 ? 'writes nothing' : '';
}

function commitText({ verb, object, before, after }: Commit): string {
  const text = `${verb} ${object.kind} ${object.name}`;
  if (verb !== 'update') return text;
  const changes = changedFields(before, after, 20)
    .filter(({ path }) => !/^metadata\.(?:resourceVersion|generation|managedFields)/.test(formatFieldPath(path)))
    .map(({ path, to }) => `${formatFieldPath(path)}: ${to === undefined ? 'removed' : JSON.stringify(to)}`);
  const more = changes.length > MAX_CHANGES ? ', …' : '';
  return `${text}  ${changes.slice(0, MAX_CHANGES).join(', ')}${more}`;
}

/** Changes by built-in controllers and faults to the object of the alarm and to what the operator wrote. */
function foreignEntries({ commits }: History, alarm: Alarm): TimelineEntry[] {
  const own = new Set(commits.filter(({ actor }) => actor.type === 'operator').map(({ uid }) => uid));
  return commits.flatMap((commit): TimelineEntry[] => {
    const { actor, at, object, uid } = commit;
    if (actor.type === 'operator' || actor.type === 'user') return [];
    const isSubject = alarm.object?.endsWith(`/${object.name}`) === true;
    if (!isSubject && !own.has(uid) && actor.type !== 'fault') return [];
    const weight = commit.verb === 'update' ? 5 : isSubject ? 2 : 4;
    return [{ at, mark: ' ', actor: actor.name, text: cut(commitText(commit)), weight }];
  });
}

/** Requests of the operator that were refused or lost, and what it threw. */
function failureEntries({ requests, breakdowns }: History): TimelineEntry[] {
  const failed = requests.filter(({ status = 200, lost, actor, verb }) => {
    return actor.type === 'operator' && verb !== 'watch' && (status >= 400 || lost !== undefined) && status !== 404;
  });
  return [
    ...failed.map((request): TimelineEntry => {
      return { at: request.answeredAt ?? request.at, mark: ' ', actor: 'operator', ...failureOf(request), weight: 2 };
    }),
    ...breakdowns.map(({ at, reason, message, actor }): TimelineEntry => {
      return { at, mark: '!', actor: actor.type, text: cut(`${reason}: ${message}`), weight: 0 };
    }),
  ];
}

function failureOf({ verb, object, status, lost, place }: RequestRecord): Pick<TimelineEntry, 'text' | 'place'> {
  const name = object.name === undefined ? '' : ` ${object.name}`;
  const answer = lost === undefined ? String(status) : lost === 'timeout' ? 'no answer' : `connection ${lost}`;
  return { text: `${verb} ${object.kind}${name} → ${answer}`, place };
}

function markInevitable(entries: TimelineEntry[], inevitableAt: number | undefined): TimelineEntry[] {
  const index = inevitableAt === undefined ? -1 : entries.findLastIndex(({ at }) => at <= inevitableAt);
  return entries.map((entry, at) => {
    return at === index ? { ...entry, note: INEVITABLE, weight: 0 } : entry;
  });
}

/** Leaves out what matters least; of equal weight, what is farthest from the first fault. */
function limited(entries: readonly TimelineEntry[], limit: number): TimelineEntry[] {
  const faultAt = entries.find(({ mark }) => mark === '✗')?.at ?? entries.at(-1)?.at ?? 0;
  const byImportance = [...entries].sort(
    (a, b) => a.weight - b.weight || Math.abs(a.at - faultAt) - Math.abs(b.at - faultAt),
  );
  const kept = new Set(byImportance.slice(0, limit));
  return entries.filter((entry) => kept.has(entry));
}

function cut(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ');
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1)}…`;
}
