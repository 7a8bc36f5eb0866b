import type { KubeObject, ReadonlyDeep } from '../api/kube-object.js';
import type { HotLoopReport, Probe } from '../api/probe.js';
import { processRedactor } from '../api/redaction.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { InformerFactory } from '../cache/informer-factory.js';
import type { Client } from '../client/client.js';
import { Clusters } from '../client/clusters.js';
import type { WorkqueueMetrics } from '../queue/workqueue-metrics.js';
import { dependentsFinalizer } from '../resource/kinds/finalizers.js';
import { kindsOf } from '../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../resource/model.js';
import { passwordFields } from '../resource/password-fields.js';
import type { ProvidedValues } from '../resource/provided-values.js';
import { Applier } from './write/applier.js';
import { CachedKinds } from './read/cached-kinds.js';
import { ChildCreator } from './write/child-creator.js';
import type { ControllerMetrics } from './controller-metrics.js';
import { Dependents } from './reconcile/dependents.js';
import type { Enqueue } from './sources/event-handler.js';
import type { EventRecorder } from './context/event-recorder.js';
import { Finalizers } from './reconcile/finalizers.js';
import { HotLoopDetector } from './hot-loops/hot-loop-detector.js';
import { HotLoopReporter } from './hot-loops/hot-loop-reporter.js';
import type { ObjectGate } from './sources/object-gate.js';
import type { ClusterMember } from './context/context-services.js';
import { ObjectWriter } from './write/object-writer.js';
import { OptionalKinds } from './read/optional-kinds.js';
import { OwnerCheck } from './write/owner-check.js';
import type { OwnWrites } from './run/own-writes.js';
import { rbacHint, watchHint } from './read/rbac-hint.js';
import { ReconciledCondition } from './run/reconciled-condition.js';
import { Reconciler } from './reconcile/reconciler.js';
import { RunRecorder } from './run/run-recorder.js';
import { StatusWriter } from './write/status-writer.js';
import { DueMethods } from './triggers/due-methods.js';
import type { TriggerMetrics } from './triggers/trigger-metrics.js';
import { UnwatchedKinds } from './read/unwatched-kinds.js';
import { OnDemandWatches } from './watches/on-demand-watches.js';
import type { WriteFence } from './write/write-fence.js';

export interface KindControllerOptions {
  readonly client: Client;
  readonly informers: Pick<InformerFactory, 'informersFor' | 'lister' | 'scope'>;
  /** Called when `watchedInformers` of the controller has changed. */
  readonly onWatchesChanged?: (() => void) | undefined;
  /** Default: none. */
  readonly clusters?: Clusters | undefined;
  /** Set if the objects are in another cluster than the operator; `client` is that of their cluster. */
  readonly member?: ClusterMember | undefined;
  readonly recorder: Pick<EventRecorder, 'record'>;
  readonly fence: WriteFence;
  /** The objects to reconcile, if several processes share them. Default: all. */
  readonly gate?: ObjectGate | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** If set, changes that are never written are errors. */
  readonly strict: boolean;
  /** Observes the reconciles. */
  readonly probe?: Probe | undefined;
  readonly detectHotLoops: boolean;
  /** Measure the ages of queued keys. Default: only with metrics. */
  readonly isInspected?: boolean | undefined;
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
  /** The watches that reconciles have declared by `ctx.watch`. */
  readonly watches: OnDemandWatches;
  readonly optionalKinds: OptionalKinds;
  readonly applier: Applier;
  readonly creator: ChildCreator;
  readonly ownerCheck: OwnerCheck;
  readonly reconciler: Reconciler;
  readonly finalizers: Finalizers;
  /** The `@Every` methods that the reconciler calls. */
  readonly due: DueMethods;
  /** Undefined if no run is recorded. */
  readonly recorder: RunRecorder | undefined;
  /** The next step to take after an error. */
  readonly hintFor: (error: Error) => string | undefined;
}

/** Creates the parts of a controller and connects them. */
export function createControllerParts(
  model: ResourceModel,
  options: KindControllerOptions,
  enqueue: Enqueue,
): ControllerParts {
  const { client, fence, clock, member } = options;
  const { kind, className } = model;
  const { name, fieldManager } = model.controller;
  const log = options.logger.child({ controller: name });
  const watches = new OnDemandWatches({
    informers: options.informers.scope(),
    enqueue,
    logger: log,
    className,
    onDelete: (watched, object) => {
      applier.forget(watched, object.metadata.name, object.metadata.namespace);
      ownerCheck.childDeleted(object);
    },
    owns: (key) => options.gate?.owns(key) !== false,
    onChange: () => options.onWatchesChanged?.(),
    hintFor: (watched, error) => watchHint(error, model, watched, member?.name),
  });
  const caches = new CachedKinds(options.informers, kindsOf(model), className, watches, model.indexes);
  for (const owned of model.owns)
    for (const informer of caches.informersFor(owned.kind)) informer.listedFields.addManager(fieldManager);
  const optionalKinds = new OptionalKinds(model, caches);
  const unwatched = new UnwatchedKinds(model, log);
  const writer = new ObjectWriter(client, caches, fence, fieldManager);
  const ownerCheck = new OwnerCheck(kind, client, caches);
  const applier = new Applier(kind, client, caches, writer, ownerCheck, clock);
  const creator = new ChildCreator(kind, client, caches, writer, ownerCheck);
  const finalizers = createFinalizers(model, client, writer);
  const due = new DueMethods();
  const reconciler = new Reconciler(
    model,
    {
      client,
      clusters: options.clusters ?? new Clusters(),
      member,
      caches,
      writer,
      applier,
      creator,
      unwatched,
      record: (about, type, reason, message, { related, action = 'Reconcile' } = {}) => {
        const objects = { about: subjectOf(about), related: related && subjectOf(related) };
        options.recorder.record({ component: name, ...objects, type, reason, message, action });
      },
    },
    finalizers,
    new StatusWriter(kind, client, writer, clock),
    new ReconciledCondition(model, clock),
    options.strict,
    options.provided,
    due,
    model.dependents.length > 0 ? new Dependents(model, caches, clock, optionalKinds) : undefined,
    watches,
  );
  const recorder = createRecorder(model, options, log);
  return {
    log,
    caches,
    watches,
    optionalKinds,
    applier,
    creator,
    ownerCheck,
    reconciler,
    finalizers,
    due,
    recorder,
    hintFor: (error) => rbacHint(error, model, unwatched, member?.name),
  };
}

/** An earlier release of the class may have had `deleteWhen`; only a class that defines its kind can. */
function createFinalizers(model: ResourceModel, client: Client, writer: ObjectWriter) {
  const { kind, definesKind, finalizers, controller } = model;
  const names = finalizers.map(({ name }) => name);
  const ofDependents = definesKind ? [dependentsFinalizer(kind)] : [];
  const former = [...ofDependents, ...(controller.formerFinalizers ?? [])].filter((name) => !names.includes(name));
  return new Finalizers(kind, names, client, writer, former);
}

/** Runs are recorded only for a probe or for the detection of hot loops. */
function createRecorder(
  model: ResourceModel,
  { client, clock, probe, ownWrites, detectHotLoops, member }: KindControllerOptions,
  logger: Logger,
): RunRecorder | undefined {
  if (!probe && !detectHotLoops) return undefined;
  const { kind, controller } = model;
  const { name, fieldManager } = controller;
  processRedactor.addKind(kind, passwordFields(model));
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

function subjectOf({ apiVersion = '', kind = '', metadata }: ReadonlyDeep<KubeObject>) {
  const { name, namespace = '', uid = '' } = metadata;
  return { apiVersion, kind, name, namespace, uid };
}
