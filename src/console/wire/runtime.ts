import type { KindId, KindInfo, ObjectRefWire } from './objects.js';

/** The runtime screen; also the stream's event `runtime`. */
export interface RuntimeState {
  readonly queues: readonly QueueState[];
  readonly watches: readonly WatchLine[];
  readonly lease: LeadershipState;
  /** Missing without sharding. */
  readonly shards?: ShardsWire;
  /** Missing without webhooks. */
  readonly webhooks?: WebhooksWire;
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

/** The replicas that share the objects by slots, as this one knows them. */
export interface ShardsWire {
  /** The name of this replica; empty before it has joined. */
  readonly self: string;
  readonly members: readonly { readonly name: string; readonly slots: number; readonly isLeaving?: true }[];
  /** All slots; 0 before the first map is read. */
  readonly slots: number;
  /** The number of slots that this replica works on, and the slots: `0-340, 512`. */
  readonly ownCount: number;
  readonly own: string;
}

export interface WebhooksWire {
  /** Missing until they are served. */
  readonly port?: number;
  /** When the served certificate expires. */
  readonly expiresAt?: number;
  readonly paths: readonly WebhookLine[];
}

/** A path at which API servers call this process. */
export interface WebhookLine {
  readonly path: string;
  readonly type: 'Mutating' | 'Validating' | 'Conversion';
  readonly kinds: readonly KindId[];
  /** Requests since the start. */
  readonly requests: number;
  /** Those without a verdict; a rejected object is one. */
  readonly failed: number;
}

/** The caches with their sizes, which are at most 10 seconds old. */
export interface CacheList {
  /** The largest first. */
  readonly caches: readonly CacheLine[];
}

export interface CacheLine {
  readonly kind: KindId;
  readonly apiVersion: string;
  readonly cluster?: string;
  readonly shape: KindInfo['shape'];
  /** The labels, fields or namespaces of the cached objects; missing for all. */
  readonly selector?: string;
  /** The controllers that read it. */
  readonly readBy: readonly string[];
  readonly objects: number;
  /** The size of the objects as JSON, estimated from a sample. Missing if the user does not see all of them. */
  readonly bytes?: number;
  /** The field that takes most of it, and its share of 0 to 1. */
  readonly largest?: { readonly field: string; readonly share: number };
}

/** The state and the counts of one second. */
export interface MetricsSample {
  readonly at: number;
  readonly controllers: Readonly<Record<string, ControllerSample>>;
  /**
   * Requests to the API server by status code, or `<error>` without a response, as in `rest_client_requests_total`.
   * Operators of earlier versions send none.
   */
  readonly apiCalls?: Readonly<Record<string, number>>;
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
