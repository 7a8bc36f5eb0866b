import { keyOf } from '../api/objects/object-key.js';
import { randomHex } from '../base/random.js';
import type { Run } from '../api/reconcile/reconcile-observer.js';
import { joinObservers } from '../api/reconcile/join-observers.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { packageVersion } from '../base/package-version.js';
import type { ClientMetrics } from '../client/client-metrics.js';
import type { Client } from '../client/client.js';
import type { InspectedManager } from '../manager/debug/debug-state.js';
import { parseBindAddress } from '../manager/http-endpoint.js';
import type { ManagerOptions } from '../manager/manager-options.js';
import { selfSignedCertificate } from '../manager/serving-certificate.js';
import type { ResourceModel } from '../resource/model.js';
import { reviewScope } from './access/review-visibility.js';
import { EVERYTHING } from './access/visibility.js';
import { ConsoleApi } from './api.js';
import { viewsOf, type Recorders } from './console-views.js';
import { DEFAULT_PORT } from './default-port.js';
import { Doctor } from './doctor/doctor.js';
import type { OwnFinding } from './doctor/new-finding.js';
import { presentProblems } from './doctor/present-problems.js';
import { ConditionHistory } from './recorder/condition-history.js';
import { LogRing, ringLogger } from './recorder/log-ring.js';
import { MetricsSampler } from './recorder/metrics-sampler.js';
import { ObjectFeed } from './recorder/object-feed.js';
import { RunHistory } from './recorder/run-history.js';
import { Replica } from './replica.js';
import { RunningConsoleFile } from './running-console-file.js';
import { ClusterAccess } from './server/cluster-access.js';
import { ConsoleServer, LOOPBACK } from './server/console-server.js';
import { LoopbackAccess } from './server/loopback-access.js';
import { PAGE_FOLDER, PageFiles } from './server/page-files.js';
import { CachedObjects } from './cached-objects.js';
import { kindId, objectRef } from './kind-id.js';
import { RunView } from './view/run-view.js';
import type { Hello } from './wire.js';

export interface ConsoleOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly models: readonly ResourceModel[];
  /** Undefined: the default port, or the next free one. */
  readonly port?: number | undefined;
  /** Serves users of the cluster at this address, instead of the developer that runs the operator. */
  readonly bindAddress?: string | undefined;
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
  private readonly runs: RunView;
  private readonly doctor: Doctor;
  private readonly replica: Replica;
  private readonly process = randomHex('process', 4);
  private readonly startedAt: number;
  private inspected: InspectedManager | undefined;
  private server: ConsoleServer | undefined;
  private address: string | undefined;
  private endStreams = (): void => undefined;
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
    this.replica = new Replica(clock, options.isElected, () => this.inspected);
    this.conditions = new ConditionHistory(clock);
    this.metrics = new MetricsSampler(clock, () => this.inspected?.controllers() ?? []);
    this.runs = this.createRunView();
    const problems = { clock, objects: this.objects, metrics: this.metrics, refOf: this.refOf };
    this.doctor = new Doctor({
      clock,
      logger,
      refOf: this.refOf,
      inspect: () => presentProblems({ ...problems, running: () => this.history.runningRuns }),
      onFinding: (finding) => {
        this.reportToController(finding);
      },
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

  /** Receives the requests of the operator's client. */
  get clientMetrics(): ClientMetrics {
    return this.metrics;
  }

  /** Shows other versions of the classes, or other classes. */
  useModels(models: readonly ResourceModel[]): void {
    this.models = models;
  }

  /** With the token, for the user alone; undefined if only users of the cluster are served. */
  get url(): string | undefined {
    return this.address;
  }

  /** Returns the path of a file that leads a browser to the page; undefined if it cannot be written. */
  writeRedirect(): string | undefined {
    return this.file?.writeRedirect();
  }

  /** @throws OperatorError when the port cannot be used. */
  async start(client: Client): Promise<void> {
    const { bindAddress } = this.options;
    const recorders = this.recorders(client);
    if (bindAddress === undefined) await this.startLocally(recorders);
    else await this.startInCluster(recorders, bindAddress);
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
    this.endStreams();
    await this.server?.close();
  }

  private async startLocally(recorders: Recorders): Promise<void> {
    const { clock, logger, port, pageFolder = PAGE_FOLDER } = this.options;
    const parts = viewsOf(recorders, EVERYTHING);
    const api = new ConsoleApi(parts);
    const access = new LoopbackAccess(clock, (request) => api.answer(request));
    const server = new ConsoleServer({ logger, files: new PageFiles(pageFolder), access });
    await server.listen({ host: LOOPBACK, port: port ?? DEFAULT_PORT, isFlexible: port === undefined });
    this.server = server;
    const { origin } = server;
    const { token } = access;
    this.address = `${origin}/#t=${token}`;
    const { operator } = parts.hello();
    this.file = RunningConsoleFile.write({ url: origin, token, pid: process.pid, operator }, logger);
    this.endStreams = () => parts.streams.close('the operator stops');
  }

  /** Without a page: `kindwright console` serves it. */
  private async startInCluster(recorders: Recorders, bindAddress: string): Promise<void> {
    const { clock, logger } = this.options;
    const address = parseBindAddress(bindAddress);
    if (!address) return;
    const access = new ClusterAccess({
      ...{ client: recorders.client, clock, logger },
      scope: () => reviewScope(this.objects, this.history),
      viewsOf: (visibility) => viewsOf(recorders, visibility),
    });
    const server = new ConsoleServer({ logger, files: undefined, access, certificate: await selfSignedCertificate() });
    await server.listen(address);
    this.server = server;
    logger.info('Serving the console to kindwright console', { address: bindAddress });
    this.endStreams = () => {
      access.close();
    };
  }

  private recorders(client: Client): Recorders {
    const { clock, isDevelopment, bindAddress } = this.options;
    const { objects, history, runs, conditions, logs, metrics, doctor, feed, replica } = this;
    const mode = isDevelopment && bindAddress === undefined ? 'dev' : 'read-only';
    return {
      ...{ clock, client, mode },
      ...{ objects, history, runs, conditions, logs, metrics, doctor, feed, replica },
      kindOf: (controller) => this.kindOf(controller),
      models: () => this.models,
      hello: (visible) => this.hello(visible, mode),
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

  private hello(objects: CachedObjects, mode: Hello['mode']): Hello {
    const { clock } = this.options;
    const names = this.models.filter(({ isReconciled }) => isReconciled).map(({ controller }) => controller.name);
    return {
      v: 1,
      process: this.process,
      operator: names.join(', '),
      version: packageVersion(),
      mode,
      isLeader: this.replica.lease.isLeader,
      startedAt: this.startedAt,
      now: clock.now(),
      kinds: objects.kinds(),
      controllers: objects.controllerInfos(),
    };
  }

  /** The controller records the Event and the metric, as it does for hot loops. */
  private reportToController({ rule, controller, object, message }: OwnFinding): void {
    const member = this.objects.controllers.find(
      ({ cluster, item }) => item.name === controller && cluster === object?.cluster,
    );
    const key = object && keyOf(object.name, object.namespace);
    member?.item.reportFinding(rule, { key, message });
  }

  private tick(): void {
    this.feed.tick();
    this.cancelTick = this.options.clock.schedule(TICK_MS, () => {
      this.tick();
    });
  }
}
