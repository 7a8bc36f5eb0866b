import type { HotLoopReport, ReconcileObserver, Run } from '../../api/reconcile/reconcile-observer.js';
import { processRedactor } from '../../api/access/redaction.js';
import { formatFieldPath } from '../../base/changed-fields.js';
import type { Cancel, Clock } from '../../base/clock.js';
import { deepEqual } from '../../base/deep-equal.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import { userLocation } from '../../base/user-frames.js';
import { kindId, objectRef } from '../kind-id.js';
import { errorLine } from '../view/error-detail.js';
import type { Finding, ObjectRefWire } from '../wire.js';
import { IdleWakes } from './idle-wakes.js';
import type { NewFinding, OwnFinding } from './new-finding.js';

const CHECK_MS = 10_000;
const LOG_AGAIN_MS = 3_600_000;
/** Attempts of a reconcile with the same error. */
const SAME_ERROR_TRIES = 8;
/** Time after which a finding is dropped that is not seen again. */
const FORGET_MS = 30 * 60_000;
const MOST_RUNS = 20;
const MOST_FINDINGS = 100;

export interface DoctorOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly refOf: (run: Pick<Run, 'controller' | 'key' | 'cluster'>) => ObjectRefWire;
  /** Returns what is wrong at the moment of the call: reconciles that hang, and watches that fail. */
  readonly inspect: () => readonly OwnFinding[];
  /** Called with each finding that is not a hot loop, at most once an hour. */
  readonly onFinding?: (finding: OwnFinding) => void;
}

/**
 * Finds problems in the runs: hot loops, which the controllers detect, errors that retries do not help against, and runs for
 * events that change nothing.
 */
export class Doctor {
  private readonly found = new Map<string, Finding>();
  private readonly logged = new Map<string, number>();
  private readonly idleWakes = new IdleWakes();
  private readonly listeners = new Set<() => void>();
  private cancel: Cancel | undefined;
  private hasChanged = false;

  constructor(private readonly options: DoctorOptions) {}

  readonly observer: ReconcileObserver = {
    hotLoop: (report) => {
      this.report(this.loopFinding(report));
      this.publish();
    },
    ended: (run) => {
      this.idleWakes.ended(run);
      const { error } = run.end ?? {};
      if (error && run.attempt >= SAME_ERROR_TRIES) this.reportOwn(this.sameError(run, error));
    },
  };

  get findings(): readonly Finding[] {
    return [...this.found.values()];
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  start(): void {
    this.cancel = this.options.clock.schedule(CHECK_MS, () => {
      this.check();
      this.start();
    });
  }

  stop(): void {
    this.cancel?.();
  }

  /** Looks for problems now; `start` does it every 10 seconds. */
  check(): void {
    for (const finding of [...this.idleWakes.findings(), ...this.options.inspect()]) this.reportOwn(finding);
    const oldest = this.options.clock.now() - FORGET_MS;
    for (const [id, { lastAt }] of this.found) {
      if (lastAt >= oldest) continue;
      this.found.delete(id);
      this.hasChanged = true;
    }
    this.publish();
  }

  private publish(): void {
    if (!this.hasChanged) return;
    this.hasChanged = false;
    for (const listener of this.listeners) listener();
  }

  /** Reports a finding as the controllers report hot loops. */
  private reportOwn(finding: OwnFinding): void {
    const { clock, logger, onFinding } = this.options;
    if (!this.report(finding)) return;
    const now = clock.now();
    if (now - (this.logged.get(finding.id) ?? -Infinity) < LOG_AGAIN_MS) return;
    this.logged.set(finding.id, now);
    logger.warn(finding.message, { controller: finding.controller, hint: finding.hint });
    onFinding?.(finding);
  }

  /** Returns false if there are too many findings. */
  private report(finding: NewFinding): boolean {
    const now = this.options.clock.now();
    const present = this.found.get(finding.id);
    if (!present && this.found.size >= MOST_FINDINGS) return false;
    const runs = [...new Set([...(present?.runs ?? []), ...finding.runs])].slice(-MOST_RUNS);
    this.found.set(finding.id, { ...finding, runs, firstAt: present?.firstAt ?? now, lastAt: now });
    this.hasChanged = true;
    return true;
  }

  private loopFinding({ run, cause, message, hint, location, change }: HotLoopReport): NewFinding {
    const path = change ? formatFieldPath(change.path) : '';
    const texts =
      change &&
      [change.from, change.to].map((value) => valueText(processRedactor.redact(change.kind, value, change.path)));
    const isOrder = change !== undefined && isSameInOtherOrder(change.from, change.to);
    return {
      id: `${cause} ${run.controller} ${run.key} ${path}`,
      rule: cause.replace(' ', '-'),
      level: 'error',
      controller: run.controller,
      object: this.options.refOf(run),
      message: processRedactor.text(message),
      hint: isOrder ? `${path} has the same items in another order each time: sort them before they are written` : hint,
      ...place(location),
      ...(change && {
        changed: objectRef(kindId(change.kind), change.key, { cluster: run.cluster }),
        change: {
          path,
          ...(texts?.[0] !== undefined && { from: texts[0] }),
          ...(texts?.[1] !== undefined && { to: texts[1] }),
        },
      }),
      runs: [run.id],
    };
  }

  private sameError(run: Run, error: Error): OwnFinding {
    const location = userLocation(error);
    const hint = error instanceof OperatorError && error.hint !== undefined ? error.hint : undefined;
    return {
      id: `same-error ${run.controller} ${run.key} ${error.name}`,
      rule: 'same-error',
      level: 'error',
      controller: run.controller,
      object: this.options.refOf(run),
      message: `${run.controller} ${run.key} has failed ${run.attempt} times in a row: ${errorLine(error)}`,
      hint: hint ?? 'throw a TerminalError if a retry cannot help; otherwise fix the cause of the error',
      ...(location !== undefined && { location }),
      runs: [run.id],
    };
  }
}

function place(location: string | undefined): Pick<NewFinding, 'location'> {
  return location === undefined ? {} : { location };
}

function valueText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value).slice(0, 500);
}

function isSameInOtherOrder(from: unknown, to: unknown): boolean {
  if (!Array.isArray(from) || !Array.isArray(to) || from.length !== to.length) return false;
  const sorted = (list: readonly unknown[]): string[] => list.map((item) => JSON.stringify(item)).sort();
  return deepEqual(sorted(from), sorted(to));
}
