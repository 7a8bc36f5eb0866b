import { describeCauses } from '../../api/reconcile/describe-causes.js';
import { objectKey } from '../../api/objects/object-key.js';
import type { Cause, EventCause, RunRef } from '../../api/reconcile/reconcile-observer.js';
import { processRedactor } from '../../api/access/redaction.js';
import type { Clock } from '../../base/clock.js';
import { visibleCause, visibleOp } from '../access/visible-run.js';
import { EVERYTHING, type Visibility } from '../access/visibility.js';
import { CONSOLE_SOURCE } from '../console-source.js';
import { isWrite, type FrozenDetails, type OpRecord, type RunRecord } from '../recorder/run-record.js';
import type { CauseDetail, OpDetail, RunDetail, RunSummary } from '../wire.js';
import { errorDetail, errorLine } from './error-detail.js';
import { fieldChanges } from './field-changes.js';
import { kindId, objectRef } from '../kind-id.js';
import type { RingRecord } from '../recorder/log-ring.js';
import { logLine } from './log-line.js';

/** Returns the reconcile that wrote the state of an event. */
type WriterOf = (cause: EventCause) => RunRef | undefined;

/** How the causes of a run are described. */
interface Described {
  readonly record: RunRecord;
  readonly withChanges: boolean;
  readonly writerOf: WriterOf;
}

export interface RunViewOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The KindId that a controller reconciles. */
  readonly kindOf: (controller: string) => string;
  readonly uidOf: (run: Omit<RunRef, 'id'>) => string | undefined;
  readonly writerOf: WriterOf;
  readonly linesOf: (run: string) => readonly RingRecord[];
  /** Default: everything. */
  readonly visibility?: Visibility;
}

/** Turns records of runs into the JSON of the API. All costly work is done here, on demand. */
export class RunView {
  constructor(private readonly options: RunViewOptions) {}

  /** Returns a view for a user without permission to see everything. */
  for(visibility: Visibility): RunView {
    return new RunView({ ...this.options, visibility });
  }

  summary(record: RunRecord): RunSummary {
    const { id, controller, key, cluster, startMs, end, attempt, writes, isNotable } = record;
    const { kindOf, uidOf } = this.options;
    const uid = uidOf(record);
    return {
      id,
      controller,
      object: objectRef(kindOf(controller), key, { ...(uid !== undefined && { uid }), cluster }),
      at: this.wallMs(startMs),
      ...(end && { ms: end.ms, outcome: end.outcome }),
      attempt,
      why: this.why(record),
      writes,
      ...(end?.error && { error: errorLine(end.error) }),
      ...(end?.nextMs !== undefined && { nextMs: end.nextMs }),
      isNotable,
    };
  }

  detail(record: RunRecord): RunDetail {
    const { writerOf } = this.options;
    const { causes, ops } = record.frozen ?? this.describe(record, true, writerOf);
    const { visibility = EVERYTHING } = this.options;
    const { causesOmitted, id, end } = record;
    const log = this.options.linesOf(id).map((line) => logLine(line));
    return {
      ...this.summary(record),
      causes: this.visible(causes),
      causesOmitted,
      ops: visibility.isComplete ? ops : ops.map((op) => visibleOp(op, visibility)),
      log,
      ...(end?.error && { failure: errorDetail(end.error) }),
    };
  }

  /** Describes causes and operations, without a search for the reconciles that caused events. */
  freeze(record: RunRecord, withChanges: boolean): FrozenDetails {
    return this.describe(record, withChanges, ({ byRun }) => byRun);
  }

  private describe(record: RunRecord, withChanges: boolean, writerOf: WriterOf): FrozenDetails {
    return {
      why: whyOf(record),
      causes: record.causes.map((cause) => this.cause(cause, { record, withChanges, writerOf })),
      ops: record.ops.map((op) => opDetail(op, record.startMs, withChanges)),
    };
  }

  private why(record: RunRecord): string {
    const { visibility = EVERYTHING } = this.options;
    if (visibility.isComplete) return record.frozen?.why ?? whyOf(record);
    const causes = record.frozen?.causes ?? this.freeze(record, false).causes;
    const texts = new Set(this.visible(causes).map(({ text }) => text));
    return [...texts, ...(record.causesOmitted > 0 ? [`${String(record.causesOmitted)} more`] : [])].join('; ');
  }

  private visible(causes: readonly CauseDetail[]): readonly CauseDetail[] {
    const { visibility = EVERYTHING, kindOf } = this.options;
    return visibility.isComplete ? causes : causes.map((cause) => visibleCause(cause, visibility, kindOf));
  }

  private cause(cause: Cause, described: Described): CauseDetail {
    const text = processRedactor.text(describeCauses({ ...described.record, causes: [cause], causesOmitted: 0 }));
    switch (cause.type) {
      case 'initial':
        return { type: 'initial', text, source: cause.source };
      case 'trigger':
        return { type: cause.source === CONSOLE_SOURCE ? 'console' : 'trigger', text, source: cause.source };
      case 'timer':
        return { type: 'timer', text, delayMs: cause.delayMs };
      case 'retry':
        return { type: 'retry', text, delayMs: cause.delayMs, attempt: cause.attempt };
      case 'event':
        return this.event(cause, text, described);
    }
  }

  private event(
    cause: Extract<Cause, { type: 'event' }>,
    text: string,
    { record, withChanges, writerOf }: Described,
  ): CauseDetail {
    const { kind, event, source } = cause;
    const { uid } = event.object.metadata;
    const writer = writerOf(cause);
    return {
      type: 'event',
      text,
      source,
      event: event.type,
      object: objectRef(kindId(kind), objectKey(event.object), uid === undefined ? {} : { uid }),
      ...(withChanges && event.type === 'update' && fieldChanges(kind, event.old, event.object)),
      ...(writer && { byRun: writerDetail(writer, record) }),
    };
  }

  private wallMs(monotonicMs: number): number {
    const { clock } = this.options;
    return Math.round(clock.now() - clock.monotonic() + monotonicMs);
  }
}

function writerDetail({ id, controller, key }: RunRef, run: RunRecord) {
  return { id, controller, object: key, isSame: controller === run.controller && key === run.key };
}

function whyOf(record: RunRecord): string {
  return processRedactor.text(describeCauses(record));
}

function opDetail(op: OpRecord, startMs: number, withChanges: boolean): OpDetail {
  const base = {
    do: op.do,
    atMs: op.startMs - startMs,
    ...(op.ms !== undefined && { ms: op.ms }),
    ...(op.error && { error: errorLine(op.error) }),
  };
  if (op.do === 'event') {
    const { type: eventType, reason, message } = op;
    return { ...base, eventType, reason, message: processRedactor.text(message) };
  }
  if (isWrite(op)) return { ...base, ...writeDetail(op, withChanges) };
  const kind = kindId(op.kind);
  const { key, namespace, from, count } = op;
  const { kind: _, ...name } = key === undefined ? { kind } : objectRef(kind, key);
  return { ...base, kind, ...(namespace !== undefined && { namespace }), ...name, from, found: count };
}

type WriteRecord = Extract<OpRecord, { before: unknown }>;

function writeDetail(op: WriteRecord, withChanges: boolean): Omit<OpDetail, 'do' | 'atMs'> {
  const kind = kindId(op.kind);
  const uid = (op.after ?? op.before)?.metadata.uid;
  const { kind: _, ...name } = objectRef(kind, op.key, uid === undefined ? {} : { uid });
  return {
    kind,
    ...name,
    ...(op.isSkipped && { isSkipped: true }),
    ...(withChanges ? writeChanges(op) : { isDiffDropped: true }),
  };
}

function writeChanges(op: WriteRecord): Pick<OpDetail, 'changes' | 'changesOmitted'> {
  if (op.isSkipped === true || op.ms === undefined || op.error) return {};
  return fieldChanges(op.kind, op.before, op.do === 'delete' ? op.after : (op.after ?? op.before));
}
