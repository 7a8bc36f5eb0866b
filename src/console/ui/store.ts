import { computed, signal } from '@preact/signals';
import type {
  Finding,
  Hello,
  ShownLine,
  MetricsSample,
  ObjectRow,
  RunSummary,
  RuntimeState,
  StreamEventName,
  StreamEvents,
} from '../wire.js';
import type { ServerEvent } from './sse-parser.js';

/** Limits of what the page keeps of each topic; screens request older runs. */
const MAX_RUNS = 3000;
const MAX_LINES = 5000;
const MAX_SAMPLES = 900;

export const hello = signal<Hello | undefined>(undefined);
export const runtime = signal<RuntimeState | undefined>(undefined);
export const findings = signal<readonly Finding[] | undefined>(undefined);
export const samples = signal<readonly MetricsSample[]>([]);
/** The newest first. */
export const runs = signal<readonly RunSummary[]>([]);
/** Runs without a change that the stream has left out. */
export const routineRuns = signal(0);
/** The oldest first. */
export const logLines = signal<readonly ShownLine[]>([]);
export const droppedLines = signal(0);
/** Changes that the operator has left out because this page was too slow. */
export const droppedChanges = signal(0);
/** False until the first complete list of objects. */
export const isComplete = signal(false);
/** Why the operator has stopped. */
export const stopReason = signal<string | undefined>(undefined);

/** The time of the browser's clock, updated each second. */
export const localNow = signal(Date.now());
const clockOffsetMs = signal(0);
/** The time of the operator's clock, updated each second. */
export const now = computed(() => localNow.value + clockOffsetMs.value);
setInterval(() => {
  localNow.value = Date.now();
}, 1000);

export const isDevelopment = computed(() => hello.value?.mode === 'dev');

const objects = new Map<string, ObjectRow>();
/** Incremented with each change of the objects. */
export const objectsVersion = signal(0);
/** The uids in the order of the list; sorted again only when objects are added or deleted. */
let order: string[] = [];
let isOrdered = true;

/** Returns the present state of an object; a component that calls it is rendered again with each change. */
export function objectWithUid(uid: string): ObjectRow | undefined {
  return objectsVersion.value < 0 ? undefined : objects.get(uid);
}

/** All objects: those that are reconciled first, then by kind, namespace and name. */
export const objectRows = computed<readonly ObjectRow[]>(() => {
  if (objectsVersion.value >= 0 && !isOrdered) {
    const reconciled = new Set(hello.value?.controllers.map(({ kind }) => kind));
    const keys = new Map([...objects.values()].map((row) => [row.uid, sortKey(row, reconciled)]));
    order = [...objects.keys()].sort((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1));
    isOrdered = true;
  }
  return order.flatMap((uid) => objects.get(uid) ?? []);
});

function sortKey({ kind, namespace = '', name }: ObjectRow, reconciled: ReadonlySet<string>): string {
  return `${reconciled.has(kind) ? '0' : '1'} ${kind} ${namespace} ${name}`;
}

type Handlers = { readonly [Name in StreamEventName]: (data: StreamEvents[Name]) => void };

const HANDLERS: Handlers = {
  hello: (data) => {
    localNow.value = Date.now();
    clockOffsetMs.value = data.now - localNow.value;
    stopReason.value = undefined;
    hello.value = data;
    isOrdered = false;
  },
  kinds: ({ kinds }) => {
    if (hello.value) hello.value = { ...hello.value, kinds };
  },
  rows: changeRows,
  runs: (data) => {
    runs.value = mergedRuns(data.reset ? [] : runs.value, data.runs);
    routineRuns.value = data.reset ? data.routine : routineRuns.value + data.routine;
  },
  runtime: (data) => {
    runtime.value = data;
  },
  logs: ({ reset, lines, dropped }) => {
    const last = reset ? -1 : (logLines.value.at(-1)?.seq ?? -1);
    const added = lines.filter(({ seq }) => seq > last);
    logLines.value = [...(reset ? [] : logLines.value), ...added].slice(-MAX_LINES);
    droppedLines.value = reset ? dropped : droppedLines.value + dropped;
  },
  metrics: (data) => {
    samples.value = [...(data.reset ? [] : samples.value), ...data.samples].slice(-MAX_SAMPLES);
  },
  findings: (data) => {
    findings.value = data.findings;
  },
  gap: ({ dropped }) => {
    droppedChanges.value += dropped;
  },
  bye: ({ reason }) => {
    stopReason.value = reason;
  },
};

/** Applies an event of the stream; unknown ones are from a newer operator and ignored. */
export function applyEvent({ type, data }: ServerEvent): void {
  if (!Object.hasOwn(HANDLERS, type)) return;
  const handler = HANDLERS[type as StreamEventName] as (data: unknown) => void;
  handler(JSON.parse(data));
}

function changeRows({ reset, rows, gone = [], isComplete: isLast }: StreamEvents['rows']): void {
  if (reset) {
    objects.clear();
    isOrdered = false;
    isComplete.value = false;
  }
  for (const row of rows) {
    if (!objects.has(row.uid)) isOrdered = false;
    objects.set(row.uid, row);
  }
  for (const uid of gone) if (objects.delete(uid)) isOrdered = false;
  if (isLast) isComplete.value = true;
  objectsVersion.value += 1;
}

/** Returns runs with changes: a run that has ended replaces the running one. */
export function mergedRuns(present: readonly RunSummary[], changed: readonly RunSummary[]): readonly RunSummary[] {
  const known = new Map(changed.map((run) => [run.id, run]));
  const kept = present.map((run) => {
    const change = known.get(run.id);
    known.delete(run.id);
    return change ?? run;
  });
  const added = [...known.values()];
  if (added.length === 0) return kept;
  return [...kept, ...added].sort((a, b) => b.at - a.at).slice(0, MAX_RUNS);
}
