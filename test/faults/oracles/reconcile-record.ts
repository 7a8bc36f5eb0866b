import type { CustomResource } from 'kindwright';

interface Run {
  readonly key: string;
  readonly uid: string;
  readonly generation: number;
  readonly startedMs: number;
  endedMs: number;
}

/** Every reconcile and every reported deletion of one row. */
export class ReconcileRecord {
  readonly runs: Run[] = [];
  /** Uids in the order in which their deletion was reported. */
  readonly deleted: string[] = [];

  /** Records the reconcile while `act` runs. */
  async during<T>({ kind, metadata }: CustomResource, act: () => Promise<T>): Promise<T> {
    const { name, uid = '', generation = 0 } = metadata;
    const run = { key: `${kind}/${name}`, uid, generation, startedMs: performance.now(), endedMs: Infinity };
    this.runs.push(run);
    try {
      return await act();
    } finally {
      run.endedMs = performance.now();
    }
  }

  countOf(name: string): number {
    return this.runs.filter(({ key }) => key.endsWith(`/${name}`)).length;
  }

  hasReconciled(uid: string, generation: number): boolean {
    return this.runs.some((run) => run.uid === uid && run.generation >= generation);
  }

  /** Keys of which two reconciles ran at the same time. */
  overlaps(): string[] {
    const found = new Set<string>();
    const last = new Map<string, Run>();
    for (const run of this.runs) {
      const previous = last.get(run.key);
      if (previous && previous.endedMs > run.startedMs) found.add(run.key);
      last.set(run.key, run);
    }
    return [...found];
  }
}
