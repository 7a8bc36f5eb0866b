import type { HotLoopReport } from '../api/probe.js';
import type { Logger } from '../base/logger.js';
import type { ResourceModel } from '../resource/model.js';
import type { KindControllerOptions } from './kind-controller-options.js';
import { HotLoopDetector } from './hot-loops/hot-loop-detector.js';
import { HotLoopReporter } from './hot-loops/hot-loop-reporter.js';
import type { PresentClass } from './object-access.js';
import { Deletions } from './read/deleted-objects.js';
import { watchHint } from './read/rbac-hint.js';
import { RunRecorder } from './run/run-recorder.js';
import type { Enqueue } from './sources/event-handler.js';
import { DueMethods } from './triggers/due-methods.js';
import { OnDemandWatches } from './watches/on-demand-watches.js';

/** The parts of a controller that stay when its class is replaced by another version of it. */
export interface LastingParts {
  readonly log: Logger;
  /** The watches that reconciles have declared by `ctx.watch`. */
  readonly watches: OnDemandWatches;
  /** The `@Every` methods that the reconciler calls. */
  readonly due: DueMethods;
  readonly deletions: Deletions;
  /** Undefined if no run is recorded. */
  readonly recorder: RunRecorder | undefined;
}

/** @param current returns the present version of the class */
export function createLastingParts(
  model: ResourceModel,
  options: KindControllerOptions,
  enqueue: Enqueue,
  current: () => PresentClass,
): LastingParts {
  const log = options.logger.child({ controller: model.controller.name });
  const watches = new OnDemandWatches({
    informers: options.informers.scope(),
    enqueue,
    logger: log,
    className: model.className,
    onDelete: (watched, object) => {
      const { applier, ownerCheck } = current().access;
      applier.forget(watched, object.metadata.name, object.metadata.namespace);
      ownerCheck.childDeleted(object);
    },
    owns: (key) => options.gate?.owns(key) !== false,
    onChange: () => options.onWatchesChanged?.(),
    hintFor: (watched, error) => watchHint(error, current().model, watched, options.member?.name),
  });
  const recorder = createRecorder(model, options, log);
  return { log, watches, due: new DueMethods(), deletions: new Deletions(), recorder };
}

/** Runs are recorded only for a probe or for the detection of hot loops. */
function createRecorder(
  { kind, controller: { name, fieldManager } }: ResourceModel,
  { client, clock, probe, ownWrites, detectHotLoops, member }: KindControllerOptions,
  logger: Logger,
): RunRecorder | undefined {
  if (!probe && !detectHotLoops) return undefined;
  const shared = { clock, logger };
  const onReport = (report: HotLoopReport): void => {
    recorder.notify('hotLoop', report);
  };
  const loops = detectHotLoops
    ? {
        detector: new HotLoopDetector(clock),
        reporter: new HotLoopReporter({ client, fieldManager, onReport, ...shared }),
      }
    : undefined;
  const cluster = member?.name;
  const recorder = new RunRecorder({ controller: name, kind: kind.kind, cluster, probe, ownWrites, loops, ...shared });
  return recorder;
}
