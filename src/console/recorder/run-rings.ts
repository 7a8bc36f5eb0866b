import { runObject, type RunRecord } from './run-record.js';

export interface RingLimits {
  readonly notableBytes: number;
  readonly routineBytes: number;
}

const LIMITS: RingLimits = { notableBytes: 3_000_000, routineBytes: 1_000_000 };
/** Notable runs of an object that are kept while others have more. */
const KEPT_PER_OBJECT = 20;
/** Oldest runs that are looked at to find one of an object with more. */
const SCANNED = 64;

/**
 * The last runs, within a budget of bytes.
 *
 * Notable runs (those that wrote, failed or were slow) and routine ones have separate budgets, so that a flood of the latter
 * evicts no failure; and an object with many notable runs loses its own before those of others.
 */
export class RunRings {
  /** The oldest first. */
  private readonly notable = new Map<string, RunRecord>();
  private readonly routine = new Map<string, RunRecord>();
  private readonly byObject = new Map<string, RunRecord[]>();
  private notableSum = 0;
  private routineSum = 0;
  private droppedCount = 0;

  constructor(
    private readonly onEvict: (record: RunRecord) => void = () => undefined,
    private readonly limits = LIMITS,
  ) {}

  get bytes(): number {
    return this.notableSum + this.routineSum;
  }

  /** Runs that are no longer kept, or were never. */
  get dropped(): number {
    return this.droppedCount;
  }

  add(record: RunRecord): void {
    if (record.isNotable) {
      this.notable.set(record.id, record);
      this.notableSum += record.bytes;
    } else {
      this.routine.set(record.id, record);
      this.routineSum += record.bytes;
    }
    const object = runObject(record);
    const runs = this.byObject.get(object);
    if (runs) runs.push(record);
    else this.byObject.set(object, [record]);
    this.trim();
  }

  /** Must be called when the size of a record has changed. */
  resized(record: RunRecord, bytes: number): void {
    if (record.isNotable) this.notableSum += bytes - record.bytes;
    else this.routineSum += bytes - record.bytes;
    record.bytes = bytes;
    this.trim();
  }

  /** Counts a run that is not kept. */
  leftOut(): void {
    this.droppedCount += 1;
  }

  get(id: string): RunRecord | undefined {
    return this.notable.get(id) ?? this.routine.get(id);
  }

  /** The runs of an object, the oldest first. */
  of(object: string): readonly RunRecord[] {
    return this.byObject.get(object) ?? [];
  }

  /** All runs, the oldest first. */
  all(): RunRecord[] {
    return [...this.notable.values(), ...this.routine.values()].sort((a, b) => a.startMs - b.startMs);
  }

  private trim(): void {
    while (this.routineSum > this.limits.routineBytes && this.routine.size > 0) {
      const [oldest] = this.routine.values();
      if (oldest) this.evict(oldest);
    }
    while (this.notableSum > this.limits.notableBytes && this.notable.size > 0) this.evictNotable();
  }

  private evictNotable(): void {
    let scanned = 0;
    let oldest: RunRecord | undefined;
    for (const record of this.notable.values()) {
      oldest ??= record;
      if (this.of(runObject(record)).length > KEPT_PER_OBJECT) {
        this.evict(record);
        return;
      }
      if (++scanned >= SCANNED) break;
    }
    if (oldest) this.evict(oldest);
  }

  private evict(record: RunRecord): void {
    if (record.isNotable) {
      this.notable.delete(record.id);
      this.notableSum -= record.bytes;
    } else {
      this.routine.delete(record.id);
      this.routineSum -= record.bytes;
    }
    const object = runObject(record);
    const rest = this.of(object).filter((other) => other !== record);
    if (rest.length > 0) this.byObject.set(object, rest);
    else this.byObject.delete(object);
    this.droppedCount += 1;
    this.onEvict(record);
  }
}
