import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Run } from '../api/reconcile-observer.js';
import { joinObservers } from '../api/join-observers.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { packageVersion } from '../base/package-version.js';
import type { Client } from '../client/client.js';
import type { InspectedManager } from '../manager/debug/debug-state.js';
import type { ManagerOptions } from '../manager/manager-options.js';
import { openApiSchema } from '../manifests/crd/schema.js';
import type { ResourceModel } from '../resource/model.js';
import { ConsoleApi } from './api.js';
import type { ConsoleParts } from './console-parts.js';
import { Doctor } from './doctor/doctor.js';
import { presentProblems } from './doctor/present-problems.js';
import { ConditionHistory } from './recorder/condition-history.js';
import { LogRing, ringLogger } from './recorder/log-ring.js';
import { MetricsSampler } from './recorder/metrics-sampler.js';
import { ObjectFeed } from './recorder/object-feed.js';
import { RunHistory } from './recorder/run-history.js';
import { RunningConsoleFile } from './running-console-file.js';
import { ConsoleServer } from './server/console-server.js';
import { PageFiles } from './server/page-files.js';
import { Streams } from './stream/streams.js';
import { CachedObjects } from './cached-objects.js';
import { kindId, objectRef } from './kind-id.js';
import { ObjectView } from './view/object-view.js';
import { RunView } from './view/run-view.js';
import { UncachedObjects } from './view/uncached-objects.js';
import { RuntimeView } from './view/runtime-view.js';
import type { Hello } from './wire.js';
import { ObjectWrites } from './writes/object-writes.js';

/** The next free port is used if it is taken. Browsers do not open 4190, which is a port of the Fetch standard's list. */
const DEFAULT_PORT = 4191;

export interface ConsoleOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly models: readonly ResourceModel[];
  /** Undefined: the default port, or the next free one. */
  readonly port?: number | undefined;
  /** True permits writes and `reconcile now`. */
  readonly isDevelopment: boolean;
  readonly isElected: boolean;
  /** The folder of the page. Default: that of the package. */
  readonly pageFolder?: string;
}

const TICK_MS = 1000;

/**
 * The console of an operator: records its runs and serves them with its objects on loopback.
 *
 * Order: pass `managerOptions` to the manager; `start` before the manager runs; `close` after it.
 */
export class Console {
  private readonly logs: LogRing;
  private readonly history: RunHistory;
  private readonly objects: CachedObjects;
  private readonly feed: ObjectFeed;
  private readonly conditions: ConditionHistory;
  private readonly metrics: MetricsSampler;
  private readonly rows: ObjectView;
  private readonly runs: RunView;
  private readonly doctor: Doctor;
  private readonly process = randomBytes(4).toString('hex');
  private readonly startedAt: number;
  private inspected: InspectedManager | undefined;
  private server: ConsoleServer | undefined;
  private streams: Streams | undefined;
  private file: RunningConsoleFile | undefined;
  private cancelTick = (): void => undefined;
  private models: readonly ResourceModel[];

  constructor(private readonly options: ConsoleOptions) {
    this.models = options.models;
    const { clock, logger } = options;
    this.startedAt = clock.now();
    this.logs = new LogRing(clock);
    this.history = new RunHistory({ clock, freeze: (record, withChanges) => this.runs.freeze(record, withChanges) });
    this.objects = new CachedObjects(() => this.inspected);
    this.feed = new ObjectFeed(this.objects);
    this.conditions = new ConditionHistory(clock);
    this.metrics = new MetricsSampler(clock, () => this.inspected?.controllers() ?? []);
    this.rows = new ObjectView(this.objects, this.history, clock);
    this.runs = this.createRunView();
    const problems = { clock, objects: this.objects, metrics: this.metrics, refOf: this.refOf };
    this.doctor = new Doctor({
      clock,
      logger,
      refOf: this.refOf,
      inspect: () => presentProblems({ ...problems, running: () => this.history.runningRuns }),
    });
    this.feed.onEvent((event) => {
      if (event.type === 'update') this.conditions.updated(event.old, event.object);
    });
  }

  /** The options of the manager that it needs; `logger` is the one given, with its lines recorded. */
  get managerOptions(): Pick<ManagerOptions, 'observer' | 'onInspectable'> & { readonly logger: Logger } {
    return {
      logger: ringLogger(this.options.logger, this.logs),
      observer: joinObservers(this.history.observer, this.metrics.observer, this.doctor.observer),
      onInspectable: (inspected) => {
        this.inspected = inspected;
      },
    };
  }

  /** Shows other versions of the classes, or other classes. */
  useModels(models: readonly ResourceModel[]): void {
    this.models = models;
  }

  /** With the token, for the user alone. */
  get url(): string {
    return `${this.server?.origin ?? ''}/#t=${this.server?.token ?? ''}`;
  }

  /** @throws OperatorError when the port cannot be used. */
  async start(client: Client): Promise<void> {
    const { clock, logger, port, pageFolder = PAGE_FOLDER } = this.options;
    const parts = this.createParts(client);
    const api = new ConsoleApi(parts);
    this.streams = parts.streams;
    const files = new PageFiles(pageFolder);
    this.server = new ConsoleServer({ clock, logger, files, answer: (request) => api.answer(request) });
    await this.server.listen(port ?? DEFAULT_PORT, port !== undefined);
    const { origin, token } = this.server;
    this.file = RunningConsoleFile.write(
      { url: origin, token, pid: process.pid, operator: parts.hello().operator },
      logger,
    );
    this.metrics.start();
    this.doctor.start();
    this.tick();
  }

  async close(): Promise<void> {
    this.file?.remove();
    this.cancelTick();
    this.metrics.stop();
    this.doctor.stop();
    this.history.close();
    this.feed.close();
    this.streams?.close('the operator stops');
    await this.server?.close();
  }

  private createParts(client: Client): ConsoleParts {
    const { clock, isDevelopment, isElected } = this.options;
    const { objects, history, rows, runs, conditions, logs, metrics, doctor, feed } = this;
    const hello = (): Hello => this.hello();
    const lease = () => ({ isElected, isLeader: this.inspected?.isLeading() ?? false });
    const runtime = new RuntimeView(objects, metrics, lease, (informer) => feed.eventsPerSecond(informer));
    const streams = new Streams(clock, {
      process: this.process,
      hello,
      objects,
      feed,
      rows,
      history,
      runs,
      logs,
      metrics,
      runtime: () => runtime.state(),
      findings: () => doctor.findings,
      onFindings: (listener) => doctor.onChange(listener),
    });
    const schemaOf = (id: string) => {
      const model = this.models.find(({ kind, definesKind }) => definesKind && kindId(kind) === id);
      return model && openApiSchema(model);
    };
    const writes = new ObjectWrites(client, objects);
    const uncached = new UncachedObjects(client, objects);
    const mode = isDevelopment ? 'dev' : 'read-only';
    return {
      mode,
      hello,
      client,
      objects,
      uncached,
      rows,
      history,
      runs,
      conditions,
      logs,
      metrics,
      runtime,
      doctor,
      streams,
      writes,
      schemaOf,
    };
  }

  private createRunView(): RunView {
    const { clock } = this.options;
    return new RunView({
      clock,
      kindOf: (controller) => this.kindOf(controller),
      uidOf: (run) => this.refOf(run).uid,
      writerOf: (cause) => this.history.writerOf(cause),
      linesOf: (run) => this.logs.after(0).filter(({ fields }) => fields['reconcileID'] === run),
    });
  }

  /** The kind of a class, also of one that was added while the manager runs. */
  private kindOf(controller: string): string {
    const model = this.models.find((each) => each.controller.name === controller);
    return model
      ? kindId(model.kind)
      : (this.objects.controllerInfos().find(({ name }) => name === controller)?.kind ?? '');
  }

  private readonly refOf = ({ controller, key, cluster }: Pick<Run, 'controller' | 'key' | 'cluster'>) => {
    const kind = this.kindOf(controller);
    const uid = this.objects.get(kind, key, cluster)?.object.metadata.uid;
    return objectRef(kind, key, { ...(uid !== undefined && { uid }), cluster });
  };

  private hello(): Hello {
    const { clock, isDevelopment } = this.options;
    const names = this.models.filter(({ isReconciled }) => isReconciled).map(({ controller }) => controller.name);
    return {
      v: 1,
      process: this.process,
      operator: names.join(', '),
      version: packageVersion(),
      mode: isDevelopment ? 'dev' : 'read-only',
      isLeader: this.inspected?.isLeading() ?? false,
      startedAt: this.startedAt,
      now: clock.now(),
      kinds: this.objects.kinds(),
      controllers: this.objects.controllerInfos(),
    };
  }

  private tick(): void {
    this.feed.tick();
    this.cancelTick = this.options.clock.schedule(TICK_MS, () => {
      this.tick();
    });
  }
}

const PAGE_FOLDER = fileURLToPath(new URL('./ui/', import.meta.url));
