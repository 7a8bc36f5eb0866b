import { kindKey } from '../api/kind-ref.js';
import { silentLogger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { safeLogger } from '../base/safe-logger.js';
import { SystemClock } from '../base/system-clock.js';
import type { InjectionToken } from '../resource/decorators/inject.js';
import { Diagnostics } from '../resource/diagnostics.js';
import { collectUniqueness } from '../resource/kinds/uniqueness.js';
import { buildResourceModels } from '../resource/build-models.js';
import { isRun } from '../resource/is-run.js';
import type { ResourceModel } from '../resource/model.js';
import { ProvidedValues } from '../resource/provided-values.js';
import { runManager } from './run-manager.js';
import type { ManagerOptions } from './manager-options.js';

/**
 * Runs the controllers and webhooks of annotated classes, with shared caches, in one process.
 *
 * Flow: `run` serves the probes, fills the caches, waits for the lease if leader election is enabled, and starts the
 * workers of each controller when its caches have synced. When the signal is aborted, no more keys are taken, running
 * reconciles finish or are aborted after `gracefulShutdownTimeoutMs`, Events are written, and the lease is released
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
  private readonly models: ResourceModel[] = [];
  private readonly provided = new ProvidedValues();
  private isStarted = false;

  constructor(private readonly options: ManagerOptions) {}

  /**
   * Adds a class, or a model built from one: its controller if it has a `reconcile` method, and its webhooks. Must be
   * called before `run`.
   *
   * @throws ModelError listing every mistake in the class.
   */
  add(resource: (abstract new () => object) | ResourceModel): this {
    if (this.isStarted) throw mistake('a controller cannot be added to a manager that runs', 'call add before run');
    const models = typeof resource === 'function' ? buildResourceModels([resource]) : [resource];
    for (const model of models) this.addModel(model);
    return this;
  }

  /**
   * Sets the value of all properties with `@Inject(token)`. Must be called before `run`; replaces an earlier value, and
   * takes precedence over the one that `onStart` provides.
   */
  provide<T>(token: InjectionToken<T>, value: T): this {
    if (this.isStarted) throw mistake('values cannot be provided to a running manager', 'call provide before run');
    this.provided.provide(token, value);
    return this;
  }

  /**
   * Resolves when everything has stopped after an abort of the signal. Can be called once.
   *
   * @throws LeaseLostError when another process may lead now; the process must exit.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.isStarted) throw mistake('a manager runs once', 'make a new Manager');
    if (this.models.length === 0) throw mistake('no controllers registered', 'manager.add(PodSet)');
    this.isStarted = true;
    const { clock = new SystemClock() } = this.options;
    const logger = safeLogger(this.options.logger ?? silentLogger);
    const { strict = process.env['NODE_ENV'] !== 'production' } = this.options;
    const { provided } = this;
    await runManager(this.models, { ...this.options, logger, clock, strict, provided }, signal);
  }

  private addModel(model: ResourceModel): void {
    if (!isRun(model))
      throw mistake(`${model.className} has no reconcile to run`, 'async reconcile(ctx: Context): Promise<void>');
    for (const other of this.models) {
      if (other.definesKind && model.definesKind && kindKey(other.kind) === kindKey(model.kind)) {
        throw mistake(
          `${model.className} and ${other.className} are of the same kind ${kindKey(model.kind)}`,
          'add each kind once',
        );
      }
      if (other.controller.name === model.controller.name && other.isReconciled && model.isReconciled) {
        throw mistake(
          `the controllers of ${model.className} and ${other.className} have the same name ${model.controller.name}`,
          `@Controller({ name: '…' })`,
        );
      }
    }
    const diagnostics = new Diagnostics();
    collectUniqueness([...this.models, model], diagnostics);
    diagnostics.throwIfAny();
    this.models.push(model);
  }
}

function mistake(message: string, hint: string): OperatorError {
  return new OperatorError(message, { code: 'E_MANAGER', hint });
}
