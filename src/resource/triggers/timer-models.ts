import { calendarSchedule, type CronSchedule } from '../../base/cron/calendar-schedule.js';
import { durationMs, type Duration } from '../../base/duration.js';
import { EVERY, type EveryEntry } from '../decorators/every.js';
import type { Diagnostics } from '../diagnostics.js';
import { inheritedMetadata } from '../metadata.js';

/** A timer of each object of a kind, declared by `@Every`. */
export interface TimerModel {
  /** The decorator, for logs: `@Every(30s)`, or `@Every(30s) check` on a method. */
  readonly name: string;
  /** The method to call before `reconcile`; undefined to call `reconcile` alone. */
  readonly method: string | undefined;
  readonly schedule: TimerSchedule;
  /** Longest random delay of each time. */
  readonly jitterMs: number;
}

export type TimerSchedule =
  { readonly type: 'interval'; readonly intervalMs: number } | { readonly type: 'cron'; readonly cron: CronSchedule };

type Report = (problem: string, hint: string) => void;

/** A shorter interval is a mistake, such as a forgotten unit. */
const SHORTEST_MS = 100;

/** The timers of a class in source order, those of its base classes first. */
export function timersOf(target: abstract new (...args: never[]) => object, diagnostics: Diagnostics): TimerModel[] {
  return inheritedMetadata(EVERY, target).flatMap((entry) => {
    const { schedule: text, options, method } = entry;
    const report: Report = (problem, hint) => {
      const location = method === undefined ? { target } : { target, member: method };
      diagnostics.add(location, `@Every: ${problem}`, hint);
    };
    collectMethod(target, entry, report);
    const schedule = scheduleOf(entry, report);
    if (!schedule) return [];
    const jitterMs = jitterOf(options.jitter, schedule, report);
    return [{ name: `@Every(${text})${method === undefined ? '' : ` ${method}`}`, method, schedule, jitterMs }];
  });
}

function collectMethod(target: abstract new () => object, { schedule, method, isStatic }: EveryEntry, report: Report) {
  if (method === undefined) return;
  const member = (target.prototype as Record<string, unknown>)[method];
  if (isStatic) report('must not be on a static method', `remove static from ${method}`);
  else if (typeof member !== 'function')
    report('must be on a method', `@Every('${schedule}') async ${method}(ctx: Context)`);
  else if (method === 'reconcile') report('must not be on reconcile', `move @Every('${schedule}') to the class`);
  else if (member.length > 1)
    report('the method has more parameters than the context', `async ${method}(ctx: Context): Promise<void>`);
}

function scheduleOf({ schedule, options }: EveryEntry, report: Report): TimerSchedule | undefined {
  const intervalMs = typeof schedule === 'string' ? durationMs(schedule) : undefined;
  if (intervalMs === undefined) return cronOf(schedule, options.timeZone, report);
  if (options.timeZone !== undefined)
    report('timeZone has no effect on an interval', 'remove timeZone, or use a cron schedule');
  if (intervalMs >= SHORTEST_MS) return { type: 'interval', intervalMs };
  report(`the interval ${schedule} is shorter than ${SHORTEST_MS} ms`, `@Every('30s')`);
  return undefined;
}

function cronOf(text: unknown, timeZone: string | undefined, report: Report): TimerSchedule | undefined {
  const hint = `@Every('30s'), or five cron fields: @Every('0 3 * * *')`;
  if (typeof text !== 'string' || !/^@|\s/.test(text)) {
    report(`"${String(text)}" is not a duration or a cron schedule`, hint);
    return undefined;
  }
  try {
    const cron = calendarSchedule(text, timeZone);
    if (cron.next(0) !== undefined) return { type: 'cron', cron };
    report(`the cron schedule "${text}" has no times`, hint);
  } catch (error) {
    const isZone = error instanceof RangeError;
    const reason = error instanceof Error ? error.message : String(error);
    if (isZone) report(`"${String(timeZone)}" is not a time zone`, `timeZone: 'Europe/Berlin'`);
    else report(`"${text}" is not a duration or a cron schedule: ${reason}`, hint);
  }
  return undefined;
}

function jitterOf(text: Duration | undefined, schedule: TimerSchedule, report: Report): number {
  if (text === undefined) return 0;
  const jitterMs = durationMs(text);
  if (jitterMs === undefined) report(`jitter "${text}" is not a duration`, `jitter: '10s'`);
  else if (schedule.type === 'interval' && jitterMs >= schedule.intervalMs)
    report(`jitter ${text} is not shorter than the interval`, 'use a shorter jitter, or a longer interval');
  return jitterMs ?? 0;
}
