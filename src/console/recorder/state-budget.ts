import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { OldestFirst } from './oldest-first.js';
import { isWrite, type RunRecord } from './run-record.js';

type State = ReadonlyDeep<KubeObject>;

/** Objects that wait to be measured: a flood is dropped unmeasured. */
const MOST_UNMEASURED = 2000;
const DEFAULT_BYTES = 3_000_000;
/** Time for one call of `settle`. */
const SLICE_MS = 4;

interface Held {
  readonly bytes: number;
  users: number;
}

/**
 * Limits the memory of the states of objects that runs refer to. An object that several runs share counts once.
 *
 * Nothing is measured when a run ends, but later in `settle`. The states of the oldest runs are then released.
 */
export class StateBudget {
  private readonly held = new Map<State, Held>();
  private readonly unmeasured = new OldestFirst<RunRecord>();
  /** The oldest first. */
  private readonly measured = new Map<RunRecord, readonly State[]>();
  private sum = 0;

  constructor(
    /** Must release the states of a record: immediately if it is `isHurried`. */
    private readonly release: (record: RunRecord, isHurried: boolean) => void,
    private readonly monotonic: () => number,
    private readonly maxBytes = DEFAULT_BYTES,
  ) {}

  get bytes(): number {
    return this.sum;
  }

  get hasWork(): boolean {
    return this.unmeasured.size > 0 || this.sum > this.maxBytes;
  }

  add(record: RunRecord): void {
    if (!hasStates(record)) return;
    this.unmeasured.add(record);
    if (this.unmeasured.size <= MOST_UNMEASURED) return;
    const oldest = this.unmeasured.shift();
    if (oldest) this.release(oldest, true);
  }

  /** Forgets a record that is no longer kept. */
  remove(record: RunRecord): void {
    this.unmeasured.delete(record);
    for (const state of this.measured.get(record) ?? []) this.drop(state);
    this.measured.delete(record);
  }

  /** Measures new states and releases old ones for a few milliseconds. */
  settle(): void {
    const endMs = this.monotonic() + SLICE_MS;
    for (let record = this.unmeasured.shift(); record; record = this.unmeasured.shift()) {
      const states = [...statesOf(record)];
      this.measured.set(record, states);
      for (const state of states) this.take(state);
      if (this.monotonic() > endMs) break;
    }
    for (const record of this.measured.keys()) {
      if (this.sum <= this.maxBytes || this.monotonic() > endMs) return;
      this.release(record, false);
      this.remove(record);
    }
  }

  private take(state: State): void {
    const held = this.held.get(state);
    if (held) held.users += 1;
    else {
      const bytes = estimatedBytes(state);
      this.held.set(state, { bytes, users: 1 });
      this.sum += bytes;
    }
  }

  private drop(state: State): void {
    const held = this.held.get(state);
    if (!held || --held.users > 0) return;
    this.held.delete(state);
    this.sum -= held.bytes;
  }
}

function hasStates({ causes, ops }: RunRecord): boolean {
  return causes.some(({ type }) => type === 'event') || ops.some((op) => isWrite(op) && (op.before ?? op.after));
}

function* statesOf({ causes, ops }: RunRecord): Generator<State> {
  for (const cause of causes) {
    if (cause.type !== 'event') continue;
    yield cause.event.object;
    if (cause.event.type === 'update') yield cause.event.old;
  }
  for (const op of ops) {
    if (!isWrite(op)) continue;
    if (op.before) yield op.before;
    if (op.after) yield op.after;
  }
}

/** The heap of a JSON value, roughly. */
function estimatedBytes(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 32;
  for (const member of Object.values(value)) sum += 8 + estimatedBytes(member);
  return sum;
}
