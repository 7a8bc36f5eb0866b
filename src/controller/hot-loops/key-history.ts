import { hash } from 'node:crypto';
import type { ObjectEvent } from '../../api/events/object-event.js';
import { objectKey } from '../../api/objects/object-key.js';
import type { Cause, EventCause, Run, RunRef, WriteOp } from '../../api/reconcile/reconcile-observer.js';
import { formatFieldPath } from '../../base/changed-fields.js';
import { deepEqual } from '../../base/deep-equal.js';
import { stringifyJson } from '../../base/json.js';
import { parseTime } from '../../base/timestamp.js';
import { isSameApartFromStatus } from '../../api/objects/same-object.js';
import { changesOf, isEffectiveWrite, type ObjectChange } from './object-changes.js';

/** The writes of one field in the recent reconciles of one object. */
export interface FieldHistory {
  /** The last write. */
  change: ObjectChange;
  /** Reconciles in a row that wrote the field and were triggered by such a write of the reconcile before. */
  ownWakes: number;
  /** Their sum, in which those with a new state count less. */
  ownWakesWeight: number;
  /** Time of the first of those. */
  ownWakesSinceMs: number;
  /** Number of writes before which another client had changed the field since the previous write; new values count less. */
  reverts: number;
  /** The values that the field had in the present row of reconciles. */
  readonly seen: SeenValues;
  /** The reconcile of this process that is the second writer. */
  writer?: RunRef | undefined;
}

/** A reconcile that requests the next one sooner than this is a candidate for a loop. */
const SHORT_TIMER_MS = 100;
/**
 * How much a reconcile counts that writes a value which was not there before: it may be a step of a process that ends, such as
 * a migration in phases, while a loop returns to earlier values. A loop may also write a new value each time, such as a
 * random name, so that it counts at all.
 */
const NEW_STATE_WEIGHT = 1 / 8;
/** The number of values of a field that are kept. */
const MOST_VALUES = 200;
/** Longer values are kept as hashes. */
const LONGEST_KEPT = 40;

/**
 * The fields written by the recent reconciles of one object, and the causes of these reconciles.
 *
 * Only fields of objects that trigger reconciles are followed: a write that triggers nothing cannot loop.
 */
export class KeyHistory {
  runs = 1;
  /**
   * Reconciles in a row that were triggered by a short timer, and by nothing else than that or own writes. Those with a new
   * state count less.
   */
  timers = 0;
  private readonly fieldsByTarget = new Map<string, Map<string, FieldHistory>>();

  constructor(readonly sinceMs: number) {}

  /** Adds a run. Returns the fields that it wrote. */
  add(run: Run, nowMs: number): ReadonlySet<FieldHistory> {
    this.runs += 1;
    const isPure = run.causes.every((cause) => this.isOwnEffect(cause, run));
    const hasTimer = run.causes.some(({ type }) => type === 'timer');
    const isWokenByTimer = isPure && hasTimer;
    const writes = run.ops
      .filter(isEffectiveWrite)
      .flatMap((op) => this.addWrite(op, run, { isPure, isWokenByTimer, nowMs }));
    const weight = writes.some(({ isNewState }) => isNewState) ? NEW_STATE_WEIGHT : 1;
    for (const { field, isOwnWake } of writes) if (isOwnWake) countOwnWake(field, weight, nowMs);
    if (isWokenByTimer && requestsShortTimer(run)) this.timers += weight;
    const written = new Set(writes.map(({ field }) => field));
    if (!requestsShortTimer(run)) this.endTimers(written);
    if (isPure && run.causes.some((cause) => isOwn(cause, run))) this.forgetOwnWakes(written);
    return written;
  }

  fields(): FieldHistory[] {
    return [...this.fieldsByTarget.values()].flatMap((fields) => [...fields.values()]);
  }

  private addWrite(op: WriteOp, run: Run, { isPure, isWokenByTimer, nowMs }: WakeUp): FieldWrite[] {
    const target = targetOf(op.kind, op.key);
    const wakes = run.causes.filter((cause) => isWake(cause, op, run));
    const followed = this.fieldsByTarget.get(target);
    if (!followed && wakes.length === 0 && !isWokenByTimer) return [];
    const fields = followed ?? new Map<string, FieldHistory>();
    this.fieldsByTarget.set(target, fields);
    const isOwnWake = isPure && wakes.some((cause) => isOwn(cause, run));
    const foreign = wakes.find((cause) => !isOwn(cause, run)) as EventCause | undefined;
    return changesOf(op).map((change) => {
      const id = formatFieldPath(change.path);
      const previous = fields.get(id);
      const field = previous ?? newField(change, nowMs);
      const isNewState = field.seen.add(change.to);
      if (previous && foreign) countRevert(previous, change, foreign, isNewState);
      field.change = change;
      fields.set(id, field);
      return { field, isNewState, isOwnWake };
    });
  }

  /** A reconcile that was triggered by own writes alone and does not repeat them ends the row. */
  private forgetOwnWakes(written: ReadonlySet<FieldHistory>): void {
    for (const field of this.fields()) if (!written.has(field)) endRow(field);
  }

  /** A reconcile that requests no other one soon ends the row of those that do. */
  private endTimers(written: ReadonlySet<FieldHistory>): void {
    if (this.timers === 0) return;
    this.timers = 0;
    for (const field of this.fields()) if (!written.has(field)) endRow(field);
  }

  /**
   * Returns whether the cause is a timer, an own write, or a new status of an object that the reconciles write, which
   * another controller sets in reaction to that write.
   */
  private isOwnEffect(cause: Cause, run: Run): boolean {
    if (cause.type === 'timer' || cause.type === 'retry' || isOwn(cause, run)) return true;
    if (cause.type !== 'event' || cause.event.type !== 'update') return false;
    const { object, old } = cause.event;
    return this.fieldsByTarget.has(targetOf(cause.kind, objectKey(object))) && isSameApartFromStatus(object, old);
  }
}

/** The values that a field had; the oldest are forgotten together. */
class SeenValues {
  private readonly keys = new Set<string>();

  constructor(first: unknown) {
    this.clear(first);
  }

  /** Returns whether the field did not have the value before. A time is never new: it is not the state of a process. */
  add(value: unknown): boolean {
    if (typeof value === 'string' && parseTime(value) !== undefined) return false;
    const key = seenKey(value);
    if (this.keys.has(key)) return false;
    if (this.keys.size === MOST_VALUES) this.keys.clear();
    this.keys.add(key);
    return true;
  }

  /** Forgets all values but one. */
  clear(value: unknown): void {
    this.keys.clear();
    this.keys.add(seenKey(value));
  }
}

function seenKey(value: unknown): string {
  const json = stringifyJson(value ?? null);
  return json.length > LONGEST_KEPT ? hash('sha1', json, 'base64') : json;
}

interface FieldWrite {
  readonly field: FieldHistory;
  /** True if the field has a value that it did not have before in the row. */
  readonly isNewState: boolean;
  readonly isOwnWake: boolean;
}

interface WakeUp {
  readonly isPure: boolean;
  readonly isWokenByTimer: boolean;
  readonly nowMs: number;
}

function newField(change: ObjectChange, nowMs: number): FieldHistory {
  const seen = new SeenValues(change.from);
  return { change, ownWakes: 0, ownWakesWeight: 0, ownWakesSinceMs: nowMs, reverts: 0, seen };
}

function countRevert(field: FieldHistory, { from }: ObjectChange, { byRun }: EventCause, isNewState: boolean): void {
  if (deepEqual(field.change.to, from)) return;
  field.reverts += isNewState ? NEW_STATE_WEIGHT : 1;
  field.writer = byRun;
}

function countOwnWake(field: FieldHistory, weight: number, nowMs: number): void {
  if (field.ownWakes === 0) field.ownWakesSinceMs = nowMs;
  field.ownWakes += 1;
  field.ownWakesWeight += weight;
}

function endRow(field: FieldHistory): void {
  field.ownWakes = 0;
  field.ownWakesWeight = 0;
  field.seen.clear(field.change.to);
}

/** Returns whether a loop may begin with the run: it requests the next one immediately, or writes what triggered it. */
export function mayBeginLoop(run: Run): boolean {
  if (requestsShortTimer(run)) return true;
  return run.ops.some((op) => isEffectiveWrite(op) && run.causes.some((cause) => isWake(cause, op, run)));
}

export function requestsShortTimer({ end }: Run): boolean {
  return end?.outcome === 'requeueAfter' && (end.nextMs ?? Infinity) < SHORT_TIMER_MS;
}

/**
 * Returns whether the cause is nothing but a write of the same reconciled object.
 *
 * The response to an own write may include a change by another client that the watch has not reported yet. A single
 * write never changes both the status and the rest of an object, so an event that does includes such a change.
 */
function isOwn(cause: Cause, { controller, key }: Run): boolean {
  if (cause.type !== 'event' || cause.byRun?.key !== key || cause.byRun.controller !== controller) return false;
  const { event } = cause;
  return event.type !== 'update' || !isStatusChanged(event) || isSameApartFromStatus(event.object, event.old);
}

/** Returns whether the cause is a change of the object written by `op`, made by an earlier run or another client. */
function isWake(cause: Cause, op: WriteOp, run: Run): boolean {
  if (cause.type !== 'event' || !isOn(cause, op)) return false;
  if (isOwn(cause, run)) return true;
  const { event } = cause;
  if (event.type === 'update') return op.do !== 'status' || isStatusChanged(event);
  return event.type === 'delete';
}

function isOn({ kind, event }: EventCause, op: WriteOp): boolean {
  return kind.kind === op.kind.kind && kind.group === op.kind.group && objectKey(event.object) === op.key;
}

function isStatusChanged({ old, object }: Pick<Extract<ObjectEvent, { type: 'update' }>, 'old' | 'object'>): boolean {
  return !deepEqual((old as { status?: unknown }).status, (object as { status?: unknown }).status);
}

function targetOf({ group, kind }: WriteOp['kind'], key: string): string {
  return `${group}/${kind} ${key}`;
}
