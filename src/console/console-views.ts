import type { Clock } from '../base/clock.js';
import type { Client } from '../client/client.js';
import type { KindId } from './wire/objects.js';
import { openApiSchema } from '../manifests/crd/schema.js';
import type { ResourceModel } from '../resource/model.js';
import type { Visibility } from './access/visibility.js';
import { visibleFindings, VisibleLogs, VisibleRuns } from './access/visible-sources.js';
import type { CachedObjects } from './cached-objects.js';
import type { ConsoleParts } from './console-parts.js';
import type { Doctor } from './doctor/doctor.js';
import { kindId } from './kind-id.js';
import type { ConditionHistory } from './recorder/condition-history.js';
import type { LogRing } from './recorder/log-ring.js';
import type { MetricsSampler } from './recorder/metrics-sampler.js';
import type { ObjectFeed } from './recorder/object-feed.js';
import type { RunHistory } from './recorder/run-history.js';
import type { Replica } from './replica.js';
import { Streams } from './stream/streams.js';
import { ObjectView } from './view/object-view.js';
import type { RunView } from './view/run-view.js';
import { RuntimeView } from './view/runtime-view.js';
import { UncachedObjects } from './view/uncached-objects.js';
import type { Hello } from './wire.js';
import { ObjectWrites } from './writes/object-writes.js';

/** The records of the console, for all users. */
export interface Recorders {
  readonly clock: Clock;
  readonly client: Client;
  readonly mode: Hello['mode'];
  readonly objects: CachedObjects;
  readonly feed: ObjectFeed;
  readonly history: RunHistory;
  readonly runs: RunView;
  readonly conditions: ConditionHistory;
  readonly logs: LogRing;
  readonly metrics: MetricsSampler;
  readonly doctor: Doctor;
  readonly replica: Replica;
  readonly kindOf: (controller: string) => KindId;
  readonly models: () => readonly ResourceModel[];
  readonly hello: (objects: CachedObjects) => Hello;
}

/** Creates the parts of the API for a user that sees some of the recorded objects. */
export function viewsOf(recorders: Recorders, visibility: Visibility): ConsoleParts {
  const { clock, client, mode, feed, conditions, metrics, doctor, kindOf, models } = recorders;
  const objects = recorders.objects.for(visibility);
  const history = new VisibleRuns(recorders.history, visibility, kindOf);
  const logs = new VisibleLogs(recorders.logs, visibility, kindOf);
  const runs = recorders.runs.for(visibility);
  const rows = new ObjectView(objects, history, clock);
  const runtime = new RuntimeView(objects, metrics, recorders.replica, (informer) => feed.eventsPerSecond(informer));
  const hello = (): Hello => recorders.hello(objects);
  const findings = () => visibleFindings(doctor.findings, visibility);
  const streams = new Streams(clock, {
    ...{ hello, objects, feed, rows, history, runs, logs, metrics, findings },
    runtime: () => runtime.state(),
    onFindings: (listener) => doctor.onChange(listener),
  });
  const schemaOf = (id: KindId) => {
    const model = models().find(({ kind, definesKind }) => definesKind && kindId(kind) === id);
    return model && openApiSchema(model);
  };
  const uncached = new UncachedObjects(client, objects);
  const writes = new ObjectWrites(client, objects);
  return {
    ...{ mode, hello, client, objects, uncached, rows, history, runs, conditions, logs, metrics, runtime, findings },
    ...{ streams, writes, schemaOf },
  };
}
