import type { HotLoopReport } from '../api/reconcile/reconcile-observer.js';
import type { ObjectKey } from '../api/objects/object-key.js';
import type { Logger } from '../base/logger.js';
import { sourceLine } from '../resource/location.js';
import type { ResourceModel } from '../resource/model.js';
import type { KindControllerOptions } from './kind-controller-options.js';
import { HotLoopGuard } from './hot-loops/hot-loop-guard.js';
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
  /** Undefined if none is throttled. */
  readonly loops: HotLoopGuard | undefined;
  /** The message of each paused object. */
  readonly paused: Map<ObjectKey, string>;
}

/** @param current returns the present version of the class */
export function createLastingParts(
  model: ResourceModel,
  options: KindControllerOptions,
  enqueue: Enqueue,
  current: () => {
    readonly model: ResourceModel;
    readonly warnAbout: (key: ObjectKey, reason: string, message: string) => void;
  },
): LastingParts {
  const log = options.logger.child({ controller: model.controller.name });
  const watches = new OnDemandWatches({
    informers: options.informers.scope(),
    enqueue,
    logger: log,
    className: model.className,
    owns: (key) => options.gate?.owns(key) !== false,
    onChange: () => options.onWatchesChanged?.(),
    hintFor: (watched, error) => watchHint(error, current().model, watched, options.member?.name),
  });
  const observers = createObservers(model, options, log, {
    onHotLoop: ({ run, message }) => {
      current().warnAbout(run.key, 'HotLoop', message);
    },
    methodLine: (member) => sourceLine({ target: current().model.target, member }),
  });
  return { log, watches, due: new DueMethods(), deletions: new Deletions(), paused: new Map(), ...observers };
}

/** Runs are recorded only for an observer or for the detection of hot loops. */
function createObservers(
  { kind, controller: { name, fieldManager } }: ResourceModel,
  { client, clock, observer, ownWrites, detectHotLoops, member, metrics }: KindControllerOptions,
  logger: Logger,
  {
    onHotLoop,
    methodLine,
  }: { onHotLoop: (report: HotLoopReport) => void; methodLine: (method: string) => string | undefined },
): Pick<LastingParts, 'recorder' | 'loops'> {
  if (!observer && !detectHotLoops) return { recorder: undefined, loops: undefined };
  const shared = { clock, logger };
  const cluster = member?.name;
  const recorder = new RunRecorder({ controller: name, kind: kind.kind, cluster, observer, ownWrites, ...shared });
  if (!detectHotLoops) return { recorder, loops: undefined };
  const onReport = (report: HotLoopReport): void => {
    metrics?.controller.hotLoop(report.cause);
    onHotLoop(report);
    recorder.notify('hotLoop', report);
  };
  return { recorder, loops: new HotLoopGuard({ client, fieldManager, methodLine, onReport, ...shared }) };
}
