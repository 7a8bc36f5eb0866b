import { silentLogger, type Logger } from '../base/logger.js';
import { safeLogger } from '../base/safe-logger.js';
import { SystemClock } from '../base/system-clock.js';
import { Clusters } from '../client/clusters.js';
import type { InjectionToken } from '../resource/decorators/inject.js';
import { buildResourceModels } from '../resource/build-models.js';
import { OperatorCaches } from '../resource/kinds/operator-caches.js';
import type { ResourceModel } from '../resource/model.js';
import { ProvidedValues } from '../resource/provided-values.js';
import { assertOverrides, unknownControllers, withOverrides } from './controller-overrides.js';
import { ManagedModels, managerMistake } from './managed-models.js';
import { runManager } from './run-manager.js';
import type { RunningClasses } from './running-classes.js';
import type { ManagerOptions } from './manager-options.js';
import { assertDurations } from './option-ms.js';

/**
 * Runs the controllers and webhooks of annotated classes, with shared caches, in one process.
 *
 * Flow: `run` serves the probes, fills the caches, waits for the lease if leader election is enabled, and starts the
 * workers of each controller when its caches have synced. When the signal is aborted, no more keys are taken, running
 * reconciles finish or are aborted after `gracefulShutdownTimeout`, Events are written, and the lease is released
 * last.
 * Guarantees: an unreachable server, a missing CRD or missing permissions are logged with a hint and retried until they
 * are resolved. They do not affect other controllers.
 *
 * @example
 * const manager = new Manager({ client });
 * manager.add(PodSet);
 * await manager.run(signal);
 */
export class Manager {
  private readonly models = new ManagedModels();
  /** The other clusters of `ctx.cluster`; also provided for `@Inject(Clusters)`. Closed when the manager has stopped. */
  readonly clusters: Clusters;
  private readonly provided = new ProvidedValues();
  private isStarted = false;
  private running: RunningClasses | undefined;
  private readonly caches: OperatorCaches;
  /** The models with the caches of the operator, by those that were passed to `add`. */
  private readonly added = new WeakMap<ResourceModel, ResourceModel>();
  private readonly leaving = new Set<ResourceModel>();

  /** @throws OperatorError (E_CONFIG) for options of controllers that are unknown or invalid. */
  constructor(private readonly options: ManagerOptions) {
    const { logger, clock, controllers = {} } = options;
    assertDurations(options);
    assertOverrides(controllers);
    this.caches = new OperatorCaches(options.caches ?? []);
    this.clusters = new Clusters({ logger, clock });
    this.provided.provide(Clusters, this.clusters);
    this.provided.provide(Manager, this);
  }

  /**
   * Adds a class, or a model built from one: its controller if it has a `reconcile` method, and its webhooks.
   *
   * A class can be added while the manager runs: its caches fill, and its controller starts when they have synced and
   * this process leads. A class with webhooks, `@ConvertsTo`, a `@Source` with a path or `onStart` must be added before
   * `run`, and so must the first controller, and all classes with `sharding`.
   *
   * @throws ModelError listing every mistake in the class; OperatorError (E_MANAGER) if it cannot be added now, or shares
   * a name with another one; OperatorError (E_CONFIG) if `controllers` contradicts its options.
   */
  add(resource: (abstract new () => object) | ResourceModel): this {
    const models = typeof resource === 'function' ? buildResourceModels([resource]) : [resource];
    for (const given of models) {
      const model = this.modelOf(given);
      this.assertNotLeaving(model);
      this.running?.assertAddable(model);
      this.models.add(model);
      this.running?.add(model);
    }
    return this;
  }

  /**
   * Removes a class that was added. Resolves when its running reconciles, sources and daemons have ended; reconciles are
   * aborted after `gracefulShutdownTimeout`. Its queue, timers and metrics are removed then, and so are the watches that
   * no other class needs; the class can be added again. Its objects stay, with their finalizers. Connections that its
   * `onStart` has opened stay open until the manager stops.
   *
   * A reconcile that waits for the removal of its own class is aborted.
   *
   * @throws OperatorError (E_MANAGER) for a class that was not added, that is being removed, or that has webhooks.
   */
  async remove(resource: (abstract new () => object) | ResourceModel): Promise<void> {
    const model = this.models.find(typeof resource === 'function' ? resource : (this.added.get(resource) ?? resource));
    if (!model) {
      const className = typeof resource === 'function' ? resource.name : resource.className;
      throw managerMistake(
        `${className} is not a class of this manager`,
        'remove a class only after adding it, and only once',
      );
    }
    this.assertNotLeaving(model);
    this.running?.assertRemovable(model);
    this.leaving.add(model);
    try {
      await this.running?.remove(model);
    } finally {
      this.leaving.delete(model);
      this.models.delete(model);
    }
  }

  /**
   * Uses another version of a class, of the same kind and with the same webhooks, from the next reconcile on; all objects are
   * reconciled with it. Informers, queue and delays stay; running reconciles end with the earlier version.
   *
   * Resolves when it is in use: the caches of kinds that only the new version watches are filled before. Rejects with the
   * reason of the signal; then the earlier version stays.
   *
   * @internal
   */
  async replace(previous: ResourceModel, next: ResourceModel, signal: AbortSignal): Promise<void> {
    const former = this.added.get(previous) ?? previous;
    const model = this.modelOf(next);
    this.assertNotLeaving(former);
    this.models.replace(former, model);
    try {
      await this.running?.replace(former, model, signal);
    } catch (error) {
      this.models.replace(model, former);
      throw error;
    }
  }

  /** The model with the options of the manager. */
  private modelOf(given: ResourceModel): ResourceModel {
    const model = withOverrides(this.caches.applyTo(given), this.options.controllers ?? {});
    this.added.set(given, model);
    return model;
  }

  /**
   * Sets the value of all properties with `@Inject(token)`. Must be called before `run`; replaces an earlier value, and
   * takes precedence over the one that `onStart` provides.
   */
  provide<T>(token: InjectionToken<T>, value: T): this {
    if (this.isStarted)
      throw managerMistake('values cannot be provided to a running manager', 'call provide before run');
    this.provided.provide(token, value);
    return this;
  }

  /**
   * Resolves when everything has stopped after an abort of the signal. Can be called once.
   *
   * @throws LeaseLostError when another process may lead now; the process must exit.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.isStarted) throw managerMistake('a manager runs once', 'make a new Manager');
    if (this.models.all.length === 0) throw managerMistake('no controllers registered', 'manager.add(PodSet)');
    this.isStarted = true;
    const { clock = new SystemClock() } = this.options;
    const logger = safeLogger(this.options.logger ?? silentLogger);
    const { strict = process.env['NODE_ENV'] !== 'production' } = this.options;
    const { provided, clusters } = this;
    this.warnAboutUnknownControllers(logger);
    try {
      const options = { ...this.options, logger, clock, strict, provided, clusters };
      await runManager(this.models.all, options, signal, (classes) => (this.running = classes));
    } finally {
      clusters.close();
    }
  }

  private warnAboutUnknownControllers(logger: Logger): void {
    for (const { name, like } of unknownControllers(this.options.controllers ?? {}, this.models.all)) {
      const hint = like === undefined ? undefined : `did you mean ${like}?`;
      logger.warn(`no controller is named ${name}; its options apply when such a controller is added`, { hint });
    }
  }

  private assertNotLeaving({ target, className }: ResourceModel): void {
    if ([...this.leaving].some((model) => model.target === target))
      throw managerMistake(`${className} is being removed`, `wait for manager.remove(${className})`);
  }
}
