import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import type { Client } from '../client/client.js';
import type { InjectionToken } from '../resource/decorators/inject.js';
import { Diagnostics } from '../resource/diagnostics.js';
import type { ResourceModel } from '../resource/model.js';
import type { ProvidedValues } from '../resource/provided-values.js';
import type { CustomMetrics } from './metrics/custom-metrics.js';
import { managerMistake } from './managed-models.js';
import type { HealthCheck, HealthCheckOptions, HealthChecks } from './health/health-checks.js';
import type { RunOptions } from './run-options.js';
import { shutdownTimeoutMs } from './option-ms.js';
import { settledWithin } from './settled-within.js';

/** The argument of `static onStart` of an operator class. */
export interface StartContext {
  /**
   * Writes in every replica, also before this process leads. Once it has lost the leadership, writes reject with
   * WriteFencedError, as those of `ctx`.
   */
  readonly client: Client;
  readonly log: Logger;
  /** Aborted when the operator stops. */
  readonly signal: AbortSignal;
  /**
   * Sets the value of all properties with `@Inject(token)`, in every class of the operator. Has no effect if a value was
   * provided before the start, as by a test.
   *
   * @throws OperatorError when another hook has provided one.
   */
  readonly provide: <T>(token: InjectionToken<T>, value: T) => void;
  /** Returns true if there is a value, so that the hook need not create one. */
  readonly isProvided: (token: InjectionToken) => boolean;
  /** Creates metrics that `/metrics` serves; without effect if it is not served. */
  readonly metrics: CustomMetrics;
  /**
   * Adds a check to `/healthz` and `/healthz/<name>`. While it fails, the kubelet restarts the container: check only what a
   * restart repairs.
   *
   * @throws OperatorError for a name that is invalid or already in use.
   */
  readonly healthCheck: (name: string, check: HealthCheck, options?: HealthCheckOptions) => void;
  /**
   * Adds a check to `/readyz` and `/readyz/<name>`. While it fails, the pod is not ready and receives no webhook requests.
   *
   * @throws OperatorError for a name that is invalid or already in use.
   */
  readonly readyCheck: (name: string, check: HealthCheck, options?: HealthCheckOptions) => void;
}

/** The parts of a manager that hooks use. */
interface HookParts extends Pick<StartContext, 'client' | 'log' | 'metrics'> {
  readonly checks: HealthChecks;
}

/**
 * Releases what `onStart` opened; called once, after the last reconcile and review. The stop waits for it at most
 * `gracefulShutdownTimeout`.
 */
export type Disposer = AsyncDisposable | Disposable | (() => Promise<void> | void);

/**
 * The start-up hook of an operator class, its static method `onStart`.
 *
 * Runs once in each process, before the first reconcile of any class, and before the lease is acquired: also in replicas
 * that wait to lead. Hooks run one after the other in the order of the classes. A throw stops the start. What the hook
 * returns is disposed of when the operator has stopped, the last first.
 */
export type StartHook = (context: StartContext) => Promise<Disposer | void> | Disposer | void;

/** Runs the start-up hooks of classes, and at the stop the functions that they returned. */
export class StartHooks {
  private readonly disposers: (readonly [className: string, disposer: Disposer])[] = [];

  /** The provided values by token, with the class of the hook. */
  private readonly providers = new Map<InjectionToken, string>();
  private readonly started = new Set<ResourceModel['target']>();
  private isComplete = false;

  constructor(
    private readonly models: readonly ResourceModel[],
    private readonly parts: HookParts,
    private readonly provided: ProvidedValues,
    private readonly options: Pick<RunOptions, 'clock' | 'gracefulShutdownTimeout'>,
  ) {}

  /**
   * Resolves when all hooks have run.
   *
   * @throws OperatorError naming the class whose hook threw, or ModelError listing the `@Inject` properties without a
   * value; neither if the signal is aborted.
   */
  async run(signal: AbortSignal): Promise<void> {
    for (const model of this.models) if (!signal.aborted) await this.start(model, signal);
    if (signal.aborted) return;
    this.assertProvided(this.models);
    this.isComplete = true;
  }

  /** @throws OperatorError for a class with a hook that has not run, or with an `@Inject` property without a value. */
  assertStarted(model: ResourceModel): void {
    const { target, className } = model;
    if ('onStart' in target && !this.started.has(target))
      throw managerMistake(`${className} has onStart, which runs at the start of the manager`, 'call add before run');
    if (this.isComplete) this.assertProvided([model]);
  }

  private assertProvided(models: readonly ResourceModel[]): void {
    const diagnostics = new Diagnostics();
    for (const model of models) this.provided.collectMissing(model, diagnostics);
    diagnostics.throwIfAny();
  }

  private async start({ target, className }: ResourceModel, signal: AbortSignal): Promise<void> {
    const { onStart } = target as { onStart?: StartHook };
    try {
      this.started.add(target);
      const disposer = await onStart?.call(target, this.contextOf(className, signal));
      if (disposer) this.disposers.unshift([className, disposer]);
    } catch (error) {
      if (!signal.aborted) throw failed(className, error);
    }
  }

  private contextOf(className: string, signal: AbortSignal): StartContext {
    const { provided, providers } = this;
    const { checks, ...context } = this.parts;
    return {
      ...context,
      signal,
      healthCheck: (name, check, options) => {
        checks.add('/healthz', name, check, options);
      },
      readyCheck: (name, check, options) => {
        checks.add('/readyz', name, check, options);
      },
      isProvided: (token) => provided.has(token),
      provide: (token, value) => {
        const provider = providers.get(token);
        if (provider !== undefined) throw providedTwice(token, provider);
        if (provided.has(token)) return;
        providers.set(token, className);
        provided.provide(token, value);
      },
    };
  }

  /**
   * Never throws: a failure is logged, and the other disposers still run. All of them together are waited for at most as
   * long as for reconciles, so that the process ends.
   */
  async dispose(): Promise<void> {
    const { clock } = this.options;
    const timeoutMs = shutdownTimeoutMs(this.options);
    const deadline = clock.monotonic() + timeoutMs;
    for (const [className, disposer] of this.disposers.splice(0)) {
      const leftMs = Math.max(0, deadline - clock.monotonic());
      if (await settledWithin(clock, leftMs, this.disposeOf(className, disposer))) continue;
      const limit = `within ${timeoutMs} ms`;
      this.parts.log.error(`The cleanup after ${className}.onStart did not finish ${limit} of the stop`);
    }
  }

  private async disposeOf(className: string, disposer: Disposer): Promise<void> {
    try {
      await dispose(disposer);
    } catch (error) {
      this.parts.log.error(`Cannot clean up after ${className}.onStart`, { err: error });
    }
  }
}

async function dispose(disposer: Disposer): Promise<void> {
  if (typeof disposer === 'function') await disposer();
  else if (Symbol.asyncDispose in disposer) await disposer[Symbol.asyncDispose]();
  else disposer[Symbol.dispose]();
}

function providedTwice({ name }: InjectionToken, provider: string): OperatorError {
  return new OperatorError(`${provider}.onStart has already provided ${name}`, {
    code: 'E_START',
    hint: `if (!isProvided(${name})) provide(${name}, …)`,
  });
}

function failed(className: string, cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(`${className}.onStart failed: ${reason}`, {
    code: 'E_START',
    hint: (cause instanceof OperatorError ? cause.hint : undefined) ?? 'fix the cause and start the operator again',
    cause,
  });
}
