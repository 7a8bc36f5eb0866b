import type { JsonSchema } from '../api/schema/json-schema.js';
import type { Client } from '../client/client.js';
import type { LogSource, RunSource } from './access/visible-sources.js';
import type { ConditionHistory } from './recorder/condition-history.js';
import type { MetricsSampler } from './recorder/metrics-sampler.js';
import type { Streams } from './stream/streams.js';
import type { CachedObjects } from './cached-objects.js';
import type { UncachedObjects } from './view/uncached-objects.js';
import type { ObjectView } from './view/object-view.js';
import type { RunView } from './view/run-view.js';
import type { RuntimeView } from './view/runtime-view.js';
import type { Finding, Hello } from './wire.js';
import type { ObjectWrites } from './writes/object-writes.js';

/** The parts that the API reads and calls for one user. */
export interface ConsoleParts {
  readonly mode: Hello['mode'];
  readonly hello: () => Hello;
  readonly client: Client;
  readonly objects: CachedObjects;
  readonly uncached: UncachedObjects;
  readonly rows: ObjectView;
  readonly history: RunSource;
  readonly runs: RunView;
  readonly conditions: ConditionHistory;
  readonly logs: LogSource;
  readonly metrics: MetricsSampler;
  readonly runtime: RuntimeView;
  readonly findings: () => readonly Finding[];
  readonly streams: Streams;
  readonly writes: ObjectWrites;
  readonly schemaOf: (kind: string) => JsonSchema | undefined;
}
