import type { KindId, ObjectRefWire } from './objects.js';

/** The runtime screen; also the stream's event `runtime`. */
export interface RuntimeState {
  readonly queues: readonly QueueState[];
  readonly watches: readonly WatchLine[];
  readonly lease: LeadershipState;
}

export interface QueueState {
  readonly controller: string;
  readonly cluster?: string;
  /** Set while a user has paused the controller. */
  readonly isPaused?: true;
  readonly workers: number;
  readonly busy: number;
  readonly ready: number;
  readonly delayed: number;
  /** Durations of the runs of the last 15 minutes; missing without any. */
  readonly run?: Percentiles;
  /** The oldest first; at most 20 of each. */
  readonly working: readonly QueuedKeyWire[];
  readonly waitingKeys: readonly QueuedKeyWire[];
  readonly delayedKeys: readonly QueuedKeyWire[];
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

export interface QueuedKeyWire {
  readonly object: ObjectRefWire;
  readonly ageMs: number;
  readonly why: string;
  readonly dueInMs?: number;
  readonly isHeldByHotLoop?: true;
}

export interface WatchLine {
  readonly kind: KindId;
  /** Missing for all namespaces. */
  readonly namespace?: string;
  readonly cluster?: string;
  /** `listing` before the first list, `waiting` while the connection is retried. */
  readonly state: 'listing' | 'watching' | 'waiting';
  readonly objects: number;
  readonly lastEventMs?: number;
  readonly eventsPerSecond?: number;
  readonly resourceVersion: string;
  readonly error?: string;
}

export interface LeadershipState {
  /** False without leader election: then this process always reconciles. */
  readonly isElected: boolean;
  /** True if this process reconciles now. */
  readonly isLeader: boolean;
}

/** The state and the counts of one second. */
export interface MetricsSample {
  readonly at: number;
  readonly controllers: Readonly<Record<string, ControllerSample>>;
  readonly eventLoopDelayMs: number;
  readonly cpuPercent: number;
  readonly heapBytes: number;
  readonly rssBytes: number;
}

export interface ControllerSample {
  readonly runs: number;
  readonly errors: number;
  readonly writes: number;
  readonly queued: number;
  readonly busy: number;
  readonly run?: Percentiles;
}

export interface MetricsHistory {
  /** The oldest first, at most 900. */
  readonly samples: readonly MetricsSample[];
}
