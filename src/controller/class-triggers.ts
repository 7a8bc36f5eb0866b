import type { ResourceModel } from '../resource/model.js';
import type { ClassParts } from './controller-parts.js';
import type { KindControllerOptions } from './kind-controller-options.js';
import type { LastingParts } from './lasting-parts.js';
import type { Enqueue } from './sources/event-handler.js';
import type { TriggerMetrics } from './triggers/trigger-metrics.js';
import { TriggerRecorder } from './triggers/trigger-recorder.js';
import { Triggers } from './triggers/triggers.js';

export interface ClassTriggersOptions {
  readonly controller: Pick<KindControllerOptions, 'clock' | 'provided' | 'observer' | 'member' | 'metrics'>;
  readonly lasting: Pick<LastingParts, 'log' | 'due'>;
  readonly enqueue: Enqueue;
  /** The parts of the present version of the class. */
  readonly current: () => ClassParts;
  readonly mayStartTasks: () => boolean;
  /** Called when the triggers of another version of the class may follow the objects. */
  readonly onStarted: () => void;
}

/** The triggers of the present version of a class. */
export class ClassTriggers {
  present: Triggers;
  private isStarted = false;
  private isStopped = false;
  /** Resolves when the sources and tasks of earlier versions have ended. */
  private ending: Promise<void> | undefined;

  constructor(private readonly options: ClassTriggersOptions) {
    this.present = this.create(options.current().model, options.controller.metrics?.triggers);
  }

  startSources(): void {
    this.isStarted = true;
    if (!this.ending) this.present.startSources();
  }

  /** Stops the triggers of the version before. The triggers of the present one start when its sources and tasks have ended. */
  replace(former: ResourceModel, metrics: TriggerMetrics | undefined): void {
    const { model } = this.options.current();
    if (!hasTriggers(former) && !hasTriggers(model)) return;
    const stopped = this.present.stop(new Error('the class was replaced'));
    const next = this.create(model, metrics);
    this.present = next;
    const ending = Promise.all([this.ending, stopped]).then(() => {
      if (this.present !== next || this.isStopped) return;
      this.ending = undefined;
      this.options.onStarted();
      if (this.isStarted) next.startSources();
    });
    this.ending = ending;
  }

  /** Resolves when sources and tasks have ended. */
  async stop(reason: Error): Promise<void> {
    this.isStopped = true;
    await Promise.all([this.present.stop(reason), this.ending]);
  }

  private create(model: ResourceModel, metrics: TriggerMetrics | undefined): Triggers {
    const { controller, lasting, enqueue, current, mayStartTasks } = this.options;
    const { clock, provided, observer, member } = controller;
    const { log: logger, due } = lasting;
    const { reconciler, access } = current();
    return new Triggers(model, {
      ...{ clock, logger, enqueue, caches: access.caches, provided, due, metrics },
      mayStartTasks: () => !this.ending && mayStartTasks(),
      callDaemon: (request, method, task) => reconciler.runDaemon(request, method, task),
      recorder: new TriggerRecorder({
        controller: model.controller.name,
        cluster: member?.name,
        observer,
        clock,
        logger,
      }),
    });
  }
}

function hasTriggers({ timers, sources, daemons }: ResourceModel): boolean {
  return timers.length + sources.length + daemons.length > 0;
}
