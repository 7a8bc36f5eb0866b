import { kindKey } from '../api/kinds/kind-ref.js';
import { deepEqual } from '../base/deep-equal.js';
import { hasConversion } from '../resource/conversion/kind-conversion-of.js';
import type { ResourceModel } from '../resource/model.js';
import type { ControllerGroup } from './controller-group.js';
import type { Fleet } from './fleet/fleet.js';
import type { InformerSupervision } from './informers/informer-supervision.js';
import { managerMistake } from './managed-models.js';
import { selectsNamespaces } from './namespace-selection.js';
import { reportMissingPermissions } from './missing-permissions.js';
import type { RunOptions } from './run-options.js';
import type { StartHooks } from './start-hooks.js';

/** The parts of a running manager that depend on its classes. */
interface Parts {
  readonly controllers: ControllerGroup;
  readonly fleet: Fleet;
  readonly supervision: InformerSupervision;
  readonly startHooks: StartHooks;
  /** Replaces a class in what API servers call. */
  readonly replaceWebhooks: (previous: ResourceModel, next: ResourceModel) => void;
  /** False if the manager was started without a controller: then it holds no lease. */
  readonly isLeading: boolean;
  readonly options: RunOptions;
  readonly signal: AbortSignal;
}

/** Adds classes to a running manager, and removes them. */
export class RunningClasses {
  private isClosed = false;

  constructor(private readonly parts: Parts) {}

  /** @throws OperatorError for a class that can only be added before the start. */
  assertAddable(model: ResourceModel): void {
    const { signal, isLeading, startHooks, options } = this.parts;
    const { className } = model;
    if (this.isClosed || signal.aborted)
      throw managerMistake(`${className} cannot be added to a manager that has stopped`, 'make a new Manager');
    const feature = featureOfServers(model);
    if (feature !== undefined)
      throw managerMistake(`${className} has ${feature}, which is served from the start of the manager`, ADD_BEFORE);
    if (!isLeading)
      throw managerMistake(`${className} cannot be added: the manager was started without a controller`, ADD_BEFORE);
    if (options.sharding !== undefined && options.sharding !== false)
      throw managerMistake(
        `${className} cannot be added: with sharding, all replicas must run the same classes from their start`,
        `${ADD_BEFORE}, or use leaderElection`,
      );
    startHooks.assertStarted(model);
  }

  /** Starts the controller of a model that can be added, when this process may write. */
  add(model: ResourceModel): void {
    const { controllers, fleet } = this.parts;
    if (model.controller.clusters) fleet.add(model);
    else controllers.add(model);
    this.supervise();
    this.reportMissingPermissions(model);
  }

  /** Resolves when another version of a class is in use; see ControllerGroup.replace. */
  async replace(previous: ResourceModel, next: ResourceModel, signal: AbortSignal): Promise<void> {
    const { controllers, replaceWebhooks } = this.parts;
    if (!deepEqual(permissionsOf(previous), permissionsOf(next))) this.reportMissingPermissions(next);
    await controllers.replace(previous, next, AbortSignal.any([signal, this.parts.signal]));
    replaceWebhooks(previous, next);
    this.supervise();
  }

  private reportMissingPermissions(model: ResourceModel): void {
    const { preflight = true, client, logger, namespaces = [] } = this.parts.options;
    const { signal } = this.parts;
    if (preflight && !selectsNamespaces(this.parts.options))
      void reportMissingPermissions([model], { client, logger, namespaces, signal });
  }

  /** @throws OperatorError for a class that must stay until the stop. */
  assertRemovable(model: ResourceModel): void {
    const isServed = model.webhooks.length > 0 || hasConversion(model.target);
    if (this.isClosed || !isServed) return;
    throw managerMistake(
      `${model.className} cannot be removed: API servers call its webhooks`,
      'move the webhooks to a class without reconcile, or stop the manager',
    );
  }

  /** Resolves when the controller has ended; see ControllerGroup.remove. */
  async remove(model: ResourceModel): Promise<void> {
    if (this.isClosed) return;
    const { controllers, fleet } = this.parts;
    await Promise.all([controllers.remove(model), fleet.remove(model)]);
    this.supervise();
  }

  /** Must be called when the manager stops. */
  close(): void {
    this.isClosed = true;
    this.supervise();
  }

  /** Supervises the informers that the controllers have now. */
  supervise(): void {
    const { controllers, supervision } = this.parts;
    supervision.supervise(this.isClosed ? [] : controllers.allInformers);
  }
}

/** The members of a model that permissions derive from. */
function permissionsOf({ owns, watches, rules, finalizers, hasStatus }: ResourceModel): object {
  return {
    owns: owns.map(({ kind, verbs }) => [kindKey(kind), verbs]),
    watches: watches.map(({ kind }) => kindKey(kind)),
    ...{ rules, hasStatus, finalizers },
  };
}

const ADD_BEFORE = 'call add before run';

/** The feature of the class that needs a server of the manager, which is started once. */
function featureOfServers({ webhooks, target, sources }: ResourceModel): string | undefined {
  if (webhooks.length > 0) return `@${webhooks[0]?.type === 'Mutating' ? 'Mutate' : 'Validate'}`;
  if (hasConversion(target)) return '@ConvertsTo';
  return sources.some(({ type }) => type === 'http') ? '@Source with a path' : undefined;
}
