import type { ObjectKey } from '../../api/objects/object-key.js';
import { OldestFirst } from './oldest-first.js';
import type { RunObject, RunRecord } from './run-record.js';

export interface RingLimits {
  readonly notableBytes: number;
  readonly routineBytes: number;
}

const LIMITS: RingLimits = { notableBytes: 3_000_000, routineBytes: 1_000_000 };
/** Notable runs of an object that are kept while others have more. */
const KEPT_PER_OBJECT = 20;

/** The runs of one object, the oldest first. */
interface ObjectRuns {
  readonly records: RunRecord[];
  notable: number;
}

interface Ring {
  readonly records: OldestFirst<RunRecord>;
  bytes: number;
}

/**
 * The last runs, within a budget of bytes.
 *
 * Notable runs (those that wrote, failed or were slow) and routine ones have separate budgets, so that a flood of the latter
 * evicts no failure; and an object with many notable runs loses its own before those of others.
 */
export class RunRings {
  private readonly notable: Ring = { records: new OldestFirst(), bytes: 0 };
  private readonly routine: Ring = { records: new OldestFirst(), bytes: 0 };
  private readonly byId = new Map<string, RunRecord>();
  /** By controller and key, because the hashes of these texts exist already. */
  private readonly byController = new Map<string, Map<ObjectKey, ObjectRuns>>();
  /** Objects with more than `KEPT_PER_OBJECT` notable runs. */
  private readonly crowded = new Set<ObjectRuns>();
  private droppedCount = 0;

  constructor(
    private readonly onEvict: (record: RunRecord) => void = () => undefined,
    private readonly limits = LIMITS,
  ) {}

  get bytes(): number {
    return this.notable.bytes + this.routine.bytes;
  }

  /** Runs that are no longer kept, or were never. */
  get dropped(): number {
    return this.droppedCount;
  }

  add(record: RunRecord): void {
    const ring = this.ringOf(record);
    ring.records.add(record);
    ring.bytes += record.bytes;
    this.byId.set(record.id, record);
    const runs = this.runsOf(record) ?? this.addObject(record);
    runs.records.push(record);
    if (record.isNotable && ++runs.notable > KEPT_PER_OBJECT) this.crowded.add(runs);
    this.trim();
  }

  /** Must be called when the size of a record has changed. */
  resized(record: RunRecord, bytes: number): void {
    this.ringOf(record).bytes += bytes - record.bytes;
    record.bytes = bytes;
    this.trim();
  }

  /** Counts a run that is not kept. */
  leftOut(): void {
    this.droppedCount += 1;
  }

  get(id: string): RunRecord | undefined {
    return this.byId.get(id);
  }

  /** The runs of an object, the oldest first. */
  of(object: RunObject): readonly RunRecord[] {
    return this.runsOf(object)?.records ?? [];
  }

  /** All runs, the oldest first. */
  all(): RunRecord[] {
    return [...this.byId.values()].sort((a, b) => a.startMs - b.startMs);
  }

  evict(record: RunRecord): void {
    const ring = this.ringOf(record);
    ring.records.delete(record);
    ring.bytes -= record.bytes;
    this.byId.delete(record.id);
    this.removeFromObject(record);
    this.droppedCount += 1;
    this.onEvict(record);
  }

  private trim(): void {
    const { routine, notable, limits } = this;
    while (routine.bytes > limits.routineBytes) {
      const oldest = routine.records.shift();
      if (!oldest) break;
      this.evict(oldest);
    }
    while (notable.bytes > limits.notableBytes) {
      const oldest = this.oldestOfCrowded() ?? notable.records.shift();
      if (!oldest) break;
      this.evict(oldest);
    }
  }

  private oldestOfCrowded(): RunRecord | undefined {
    const [runs] = this.crowded;
    return runs?.records.find(({ isNotable }) => isNotable);
  }

  private removeFromObject(record: RunRecord): void {
    const runs = this.runsOf(record);
    if (!runs) return;
    runs.records.splice(runs.records.indexOf(record), 1);
    if (record.isNotable && --runs.notable <= KEPT_PER_OBJECT) this.crowded.delete(runs);
    if (runs.records.length === 0) this.byController.get(controllerId(record))?.delete(record.key);
  }

  private ringOf({ isNotable }: RunRecord): Ring {
    return isNotable ? this.notable : this.routine;
  }

  private runsOf(object: RunObject): ObjectRuns | undefined {
    return this.byController.get(controllerId(object))?.get(object.key);
  }

  private addObject(object: RunObject): ObjectRuns {
    const id = controllerId(object);
    let objects = this.byController.get(id);
    if (!objects) this.byController.set(id, (objects = new Map<ObjectKey, ObjectRuns>()));
    const runs: ObjectRuns = { records: [], notable: 0 };
    objects.set(object.key, runs);
    return runs;
  }
}

function controllerId({ controller, cluster }: RunObject): string {
  return cluster === undefined ? controller : `${cluster} ${controller}`;
}
