/** A process of the simulated world: its steps end when it is killed. */
export interface Owner {
  /** `server`, `user`, or the operator with its life: `operator-1.2`. */
  readonly name: string;
  isDead: boolean;
}

/** The cause of what happens during a step: timers and requests belong to the task of the step that starts them. */
export interface Task {
  readonly owner: Owner;
  /** A description that is the same in each run. */
  readonly label: string;
  /** Index of the request in the history that the server handles in this task. */
  readonly request?: number | undefined;
  /** The built-in controller that works in this task. */
  readonly controller?: string | undefined;
}

/** Something that can happen next. */
export interface WorldStep {
  readonly task: Task;
  /** Steps of one lane happen in their order. */
  readonly lane: string;
  /** The virtual time from which it can happen. */
  readonly dueMs: number;
  /** Order of creation. */
  readonly order: number;
  readonly run: () => void;
  isCanceled: boolean;
  /** Rank of its label among those of other lanes, from the seed; set when it is first compared. */
  rank?: number;
}
