import type { KubeObject } from '../api/kube-object.js';
import type { Probe } from '../api/probe.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { InformerFactory } from '../cache/informer-factory.js';
import type { Client } from '../client/client.js';
import type { WorkqueueMetrics } from '../queue/workqueue-metrics.js';
import { kindsOf } from '../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../resource/model.js';
import type { ProvidedValues } from '../resource/provided-values.js';
import { Applier } from './applier.js';
import { CachedKinds } from './cached-kinds.js';
import { ChildCreator } from './child-creator.js';
import type { ControllerMetrics } from './controller-metrics.js';
import { Dependents } from './dependents.js';
import type { EventRecorder } from './event-recorder.js';
import { Finalizers } from './finalizers.js';
import { HotLoopDetector } from './loops/hot-loop-detector.js';
import { HotLoopReporter } from './loops/hot-loop-reporter.js';
import { ObjectWriter } from './object-writer.js';
import { OwnerCheck } from './owner-check.js';
import type { OwnWrites } from './own-writes.js';
import { rbacHint } from './rbac-hint.js';
import { ReconciledCondition } from './reconciled-condition.js';
import { Reconciler } from './reconciler.js';
import { RunRecorder } from './run-recorder.js';
import { StatusWriter } from './status-writer.js';
import { DueMethods } from './triggers/due-methods.js';
import type { TriggerMetrics } from './triggers/trigger-metrics.js';
import { UnwatchedKinds } from './unwatched-kinds.js';
import type { WriteFence } from './write-fence.js';

export interface KindControllerOptions {
  readonly client: Client;
  readonly informers: Pick<InformerFactory, 'informersFor' | 'lister'>;
  readonly recorder: Pick<EventRecorder, 'record'>;
  readonly fence: WriteFence;
  readonly clock: Clock;
  readonly logger: Logger;
  /** If set, changes that are never written are errors. */
  readonly strict: boolean;
  /** Observes the reconciles. */
  readonly probe?: Probe | undefined;
  readonly detectHotLoops: boolean;
  /** The values of `@Inject` properties. */
  readonly provided: ProvidedValues;
  /** Shared by all controllers of a manager. */
  readonly ownWrites: OwnWrites;
  readonly metrics?:
    | { readonly controller: ControllerMetrics; readonly queue: WorkqueueMetrics; readonly triggers: TriggerMetrics }
    | undefined;
}

/** The parts of a controller that read and write objects. */
export interface ControllerParts {
  readonly log: Logger;
  readonly caches: CachedKinds;
  readonly applier: Applier;
  readonly reconciler: Reconciler;
  /** The `@Every` methods that the reconciler calls. */
  readonly due: DueMethods;
  /** Undefined if no run is recorded. */
  readonly recorder: RunRecorder | undefined;
  /** The next step to take after an error. */
  readonly hintFor: (error: Error) => string | undefined;
}

/** Creates the parts of a controller and connects them. */
export function createControllerParts(model: ResourceModel, options: KindControllerOptions): ControllerParts {
  const { client, fence, clock } = options;
  const { kind, className, finalizers } = model;
  const { name, fieldManager } = model.controller;
  const log = options.logger.child({ controller: name });
  const caches = new CachedKinds(options.informers, kindsOf(model), className);
  const unwatched = new UnwatchedKinds(model, log);
  const writer = new ObjectWriter(client, caches, fence, fieldManager);
  const ownerCheck = new OwnerCheck(kind, client, caches);
  const applier = new Applier(kind, client, caches, writer, ownerCheck);
  const finalizerNames = finalizers.map((finalizer) => finalizer.name);
  const due = new DueMethods();
  const reconciler = new Reconciler(
    model,
    {
      client,
      caches,
      writer,
      applier,
      creator: new ChildCreator(kind, client, caches, writer, ownerCheck),
      unwatched,
      record: (about, type, reason, message) => {
        options.recorder.record({ component: name, about: subjectOf(about), type, reason, message });
      },
    },
    new Finalizers(kind, finalizerNames, client, writer),
    new StatusWriter(kind, client, writer),
    new ReconciledCondition(model, clock),
    options.strict,
    options.provided,
    due,
    model.dependents.length > 0 ? new Dependents(model, caches, clock) : undefined,
  );
  const recorder = createRecorder(model, options, log);
  return { log, caches, applier, reconciler, due, recorder, hintFor: (error) => rbacHint(error, model, unwatched) };
}

/** Runs are recorded only for a probe or for the detection of hot loops. */
function createRecorder(
  { controller: { name, fieldManager } }: ResourceModel,
  { client, clock, probe, ownWrites, detectHotLoops }: KindControllerOptions,
  logger: Logger,
): RunRecorder | undefined {
  if (!probe && !detectHotLoops) return undefined;
  const shared = { clock, logger };
  const loops = detectHotLoops
    ? { detector: new HotLoopDetector(clock), reporter: new HotLoopReporter({ client, fieldManager, ...shared }) }
    : undefined;
  return new RunRecorder({ controller: name, probe, ownWrites, loops, ...shared });
}

function subjectOf({ apiVersion = '', kind = '', metadata }: KubeObject) {
  const { name, namespace = '', uid = '' } = metadata;
  return { apiVersion, kind, name, namespace, uid };
}
