import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import type { Client } from '../client/client.js';
import type { ResourceModel } from '../resource/model.js';

/** What `static onStart` of an operator class is called with. */
export interface StartContext {
  readonly client: Client;
  readonly log: Logger;
  /** Aborted when the operator stops. */
  readonly signal: AbortSignal;
}

/** Releases what `onStart` opened; called once, after the last reconcile. */
export type Disposer = AsyncDisposable | Disposable | (() => Promise<void> | void);

/**
 * The start-up hook of an operator class, its static method `onStart`.
 *
 * Runs once in each process, before the first reconcile of any class, and before the lease is acquired: also in replicas
 * that wait to lead. Hooks run one after the other in the order of the classes. A throw stops the start. What the hook
 * returns is disposed of when the operator has stopped, the last first.
 */
export type StartHook = (context: StartContext) => Promise<Disposer | void> | Disposer | void;

/** Runs the start-up hooks of classes, and what they return at the end. */
export class StartHooks {
  private readonly disposers: (readonly [className: string, disposer: Disposer])[] = [];

  constructor(
    private readonly models: readonly ResourceModel[],
    private readonly context: Omit<StartContext, 'signal'>,
  ) {}

  /** @throws OperatorError naming the class whose hook threw, unless the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    for (const model of this.models) if (!signal.aborted) await this.start(model, signal);
  }

  private async start({ target, className }: ResourceModel, signal: AbortSignal): Promise<void> {
    const { onStart } = target as { onStart?: StartHook };
    try {
      const disposer = await onStart?.call(target, { ...this.context, signal });
      if (disposer) this.disposers.unshift([className, disposer]);
    } catch (error) {
      if (!signal.aborted) throw failed(className, error);
    }
  }

  /** Never throws: a failure is logged, and the other disposers still run. */
  async dispose(): Promise<void> {
    for (const [className, disposer] of this.disposers.splice(0)) {
      try {
        await dispose(disposer);
      } catch (error) {
        this.context.log.error(`Cannot clean up after ${className}.onStart`, { err: error });
      }
    }
  }
}

async function dispose(disposer: Disposer): Promise<void> {
  if (typeof disposer === 'function') await disposer();
  else if (Symbol.asyncDispose in disposer) await disposer[Symbol.asyncDispose]();
  else disposer[Symbol.dispose]();
}

function failed(className: string, cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(`${className}.onStart failed: ${reason}`, {
    code: 'E_START',
    hint: 'fix the cause and start the operator again',
    cause,
  });
}
