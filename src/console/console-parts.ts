import type { JsonSchema } from '../api/json-schema.js';
import type { Client } from '../client/client.js';
import type { Doctor } from './doctor/doctor.js';
import type { ConditionHistory } from './recorder/condition-history.js';
import type { LogRing } from './recorder/log-ring.js';
import type { MetricsSampler } from './recorder/metrics-sampler.js';
import type { RunHistory } from './recorder/run-history.js';
import type { Streams } from './stream/streams.js';
import type { CachedObjects } from './cached-objects.js';
import type { UncachedObjects } from './view/uncached-objects.js';
import type { ObjectView } from './view/object-view.js';
import type { RunView } from './view/run-view.js';
import type { RuntimeView } from './view/runtime-view.js';
import type { Hello } from './wire.js';
import type { ObjectWrites } from './writes/object-writes.js';

/** The parts that the API reads and calls. */
export interface ConsoleParts {
  readonly mode: Hello['mode'];
  readonly hello: () => Hello;
  readonly client: Client;
  readonly objects: CachedObjects;
  readonly uncached: UncachedObjects;
  readonly rows: ObjectView;
  readonly history: RunHistory;
  readonly runs: RunView;
  readonly conditions: ConditionHistory;
  readonly logs: LogRing;
  readonly metrics: MetricsSampler;
  readonly runtime: RuntimeView;
  readonly doctor: Doctor;
  readonly streams: Streams;
  readonly writes: ObjectWrites;
  readonly schemaOf: (kind: string) => JsonSchema | undefined;
}
