import type { CustomResource, ReconcileObserver } from '../../../src/index.js';
import { describeCauses } from '../../../src/api/reconcile/describe-causes.js';
import type { Metrics } from '../../../src/base/metrics.js';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { InformerFactory } from '../../../src/cache/informer-factory.js';
import type { Client } from '../../../src/client/client.js';
import { KindController } from '../../../src/controller/kind-controller.js';
import type { ObjectGate } from '../../../src/controller/sources/object-gate.js';
import { OwnWrites } from '../../../src/controller/run/own-writes.js';
import { GroupMetrics } from '../../../src/manager/metrics/group-metrics.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { ProvidedValues } from '../../../src/resource/provided-values.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { ScriptedClient } from '../../cache/scripted-client.js';

/** A controller of one class with a clock, a server and a log under control of the test. */
export class TriggeredController {
  readonly clock = new FakeClock();
  readonly server = new ScriptedClient();
  readonly logger = new RecordingLogger();
  /** The causes of each reconcile. */
  readonly causes: string[] = [];
  readonly controller: KindController;
  private readonly informers = new InformerFactory(this.server, { clock: this.clock });

  constructor(target: new () => CustomResource, gate?: ObjectGate, metrics?: Metrics) {
    const [model] = buildResourceModels([target]);
    const observer: ReconcileObserver = { began: (run) => void this.causes.push(describeCauses(run)) };
    this.controller = new KindController(model!, {
      client: this.server as unknown as Client,
      informers: this.informers,
      recorder: { record: () => undefined },
      fence: () => undefined,
      gate,
      clock: this.clock,
      logger: this.logger,
      strict: false,
      detectHotLoops: false,
      observer,
      ownWrites: new OwnWrites(),
      provided: new ProvidedValues(),
      metrics: metrics && new GroupMetrics(metrics).of(model!, undefined),
    });
  }

  /** Starts with the given objects. */
  async start(...objects: Parameters<ScriptedClient['last']['initial']> extends [number, ...infer O] ? O : never) {
    const started = await this.begin();
    this.server.last.initial(10, ...objects);
    await started.done;
    await this.clock.advance(0);
  }

  /** Starts without any list; `done` resolves when all caches have synced. */
  async begin(): Promise<{ readonly done: Promise<void> }> {
    this.informers.start();
    await this.clock.advance(0);
    return { done: this.controller.start(new AbortController().signal) };
  }

  async stop(): Promise<void> {
    await this.controller.stop();
    await this.informers.stop();
  }
}
