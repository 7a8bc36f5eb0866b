import { processRedactor } from '../../api/access/redaction.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import { splitKey } from '../../api/objects/object-key.js';
import type { HotLoopReport } from '../../api/reconcile/reconcile-observer.js';
import { formatFieldPath } from '../../base/changed-fields.js';
import type { Cancel, Clock } from '../../base/clock.js';
import { deepEqual } from '../../base/deep-equal.js';
import type { Logger } from '../../base/logger.js';
import type { Client } from '../../client/client.js';
import { fieldManagersOf, fieldValue } from './field-managers.js';
import { LONGEST_HOLD_MS, type HotLoop } from './hot-loop-detector.js';
import { isEffectiveWrite, type ObjectChange } from './object-changes.js';

export interface HotLoopReporterOptions {
  readonly client: Pick<Client, 'get'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The manager of this controller's own fields. */
  readonly fieldManager: string;
  /** Returns the line of a method of the user, such as `operators/podset.ts:31`. */
  readonly methodLine?: (method: string) => string | undefined;
  /** Called with each report; must not throw. */
  readonly onReport?: (report: HotLoopReport) => void;
}

/** The second writer sets its value soon after the last write; the object is read until it has. */
const READ_AFTER_MS = 500;
const READS = 5;

/** Logs each loop once, with the field that changes, both values, the cause and a hint. */
export class HotLoopReporter {
  private readonly pending = new Set<Cancel>();

  constructor(private readonly options: HotLoopReporterOptions) {}

  report(loop: HotLoop): void {
    const { change } = loop;
    if (loop.cause !== 'second writer' || !change) this.log(loop);
    else if (loop.writer) this.log(loop, `the reconcile of ${loop.writer.controller} ${loop.writer.key}`);
    else this.readManager(loop, change, READS);
  }

  /** Drops the reports that wait for the second writer. */
  stop(): void {
    for (const cancel of this.pending) cancel();
    this.pending.clear();
  }

  private readManager(loop: HotLoop, change: ObjectChange, reads: number): void {
    const cancel = this.options.clock.schedule(READ_AFTER_MS, () => {
      this.pending.delete(cancel);
      void this.read(change).then((manager) => {
        if (manager === undefined && reads > 1) this.readManager(loop, change, reads - 1);
        else this.log(loop, manager ?? 'another client');
      });
    });
    this.pending.add(cancel);
  }

  /** The manager of the field; undefined while the field has the value of the last own write. */
  private async read({ kind, key, path, to }: ChangedObject): Promise<string | undefined> {
    const { client, fieldManager } = this.options;
    const { name, namespace } = splitKey(key);
    let object: KubeObject;
    try {
      object = await client.get(kind, name, { namespace: namespace === '' ? undefined : namespace });
    } catch {
      return undefined;
    }
    if (deepEqual(fieldValue(object, path), to)) return undefined;
    const managers = fieldManagersOf(object, path);
    const other = managers.find((manager) => manager !== fieldManager);
    if (other !== undefined) return `field manager "${other}"`;
    return managers.length > 0 ? `another client with the same field manager "${fieldManager}"` : undefined;
  }

  /** A status is written after the method, and the next run is requested by what it returns: neither has a line of its own. */
  private locationOf({ run, cause, change }: HotLoop): string | undefined {
    const written = cause === 'timer' ? undefined : writeLocation(run, change);
    return written ?? this.options.methodLine?.(run.method ?? 'reconcile');
  }

  private log(loop: HotLoop, writer = ''): void {
    const { run, change, cause, reconciles, ms } = loop;
    const object = change && `${change.kind.kind} ${change.key}`;
    const field = change && formatFieldPath(change.path);
    const subject = change && (field === '' ? `${object}` : `${field} of ${object}`);
    const message =
      `Hot loop: ${reconciles} reconciles in ${Math.round(ms)} ms, ${describe(loop, subject, writer)}. ` +
      `They are delayed by up to ${LONGEST_HOLD_MS[cause] / 1000} s until the loop ends`;
    const hint = HINTS[cause];
    const location = this.locationOf(loop);
    this.options.logger.warn(message, {
      ...splitKey(run.key),
      cause,
      reconciles,
      ...(change && { object, field, from: printableValue(change, 'from'), to: printableValue(change, 'to') }),
      ...(writer !== '' && { writer }),
      ...(location !== undefined && { location }),
      hint,
    });
    this.options.onReport?.({ run, cause, message, hint, location, change });
  }
}

/** The line of user code that has written a field. */
function writeLocation({ ops }: HotLoop['run'], change: ObjectChange | undefined): string | undefined {
  if (!change) return undefined;
  const { kind, key } = change;
  const writes = ops.filter(isEffectiveWrite).filter((op) => op.key === key && op.kind.kind === kind.kind);
  return writes.findLast(({ caller }) => caller !== undefined)?.caller?.location;
}

type ChangedObject = Pick<ObjectChange, 'kind' | 'key' | 'path' | 'to'>;

function describe({ cause, run }: HotLoop, subject = '', writer: string): string {
  switch (cause) {
    case 'own write':
      return `each changes ${subject} and so triggers the next`;
    case 'second writer':
      return `each changes ${subject} back after a change by ${writer}`;
    case 'timer':
      return `each requests the next by requeueAfter ${run.end?.nextMs} ms${subject && ` and changes ${subject}`}`;
  }
}

const HINTS: Readonly<Record<HotLoop['cause'], string>> = {
  'own write': 'write a value that stays the same while nothing else changes, such as a sorted list and no time',
  'second writer': 'leave the field to one of the two writers',
  timer: 'return a longer requeueAfter, or name the kinds that the reconcile waits for by @Owns or @Watches',
};

const LONGEST_VALUE = 200;

/** The old or new value of a field for the log: JSON, cut when long, and redacted when it is a secret. */
function printableValue({ kind, path, ...values }: ObjectChange, side: 'from' | 'to'): string {
  const value = processRedactor.redact(kind, values[side], path);
  if (value === undefined) return 'absent';
  const text = path.length === 0 && typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}
