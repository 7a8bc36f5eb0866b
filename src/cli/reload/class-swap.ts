import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Client } from '../../client/client.js';
import { installModels } from '../../manager/install/install-models.js';
import type { Manager } from '../../manager/manager.js';
import { missingReconcile } from '../../manifests/problems/missing-reconcile.js';
import { undecoratedProperties } from '../../manifests/problems/undecorated-properties.js';
import { isRun } from '../../resource/is-run.js';
import type { ResourceModel } from '../../resource/model.js';
import { changedDefinitions, describeApiChange } from './changed-definitions.js';
import { changedWatches, type ReloadPlan } from './plan-reload.js';

export interface ClassSwapOptions {
  readonly manager: Manager;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  /** True to install changed CRDs. */
  readonly isInstalling: boolean;
  /** True for an API server of this process: its objects may become invalid. */
  readonly isEmbedded: boolean;
}

/** Called when a class is in use instead of another one, or is removed. */
type OnUsed = (previous: ResourceModel | undefined, next: ResourceModel | undefined) => void;

/** Has a running manager use other versions of its classes. */
export class ClassSwap {
  constructor(private readonly options: ClassSwapOptions) {}

  /**
   * Installs the CRDs and policies that differ, and logs what that means for clients and stored objects.
   *
   * @throws OperatorError (E_BREAKING) for a breaking change in a cluster that others use.
   */
  async install(running: readonly ResourceModel[], next: readonly ResourceModel[], signal: AbortSignal): Promise<void> {
    const { client, logger, clock, isInstalling, isEmbedded } = this.options;
    const { models, changes } = changedDefinitions(running, next);
    if (models.length === 0) return;
    const breaking = changes.find(({ severity }) => severity === 'breaking');
    if (breaking && isInstalling && !isEmbedded)
      throw new OperatorError(`${breaking.definition}: ${describeApiChange(breaking)}`, {
        code: 'E_BREAKING',
        hint: 'undo the change; or stop the command and start it again, which installs the definition',
      });
    for (const change of changes) {
      const text = `${change.definition}: ${describeApiChange(change)}`;
      if (change.severity === 'safe') logger.info(text);
      else logger.warn(text);
    }
    if (isInstalling) await installModels(client, models, { logger, clock, signal });
    else
      logger.warn('The changed CustomResourceDefinitions are not installed', {
        hint: 'kindwright install, or run the operator with --install',
      });
  }

  /** Resolves when the manager uses the classes. */
  async use({ removed, added, replaced }: ReloadPlan, signal: AbortSignal, onUsed: OnUsed): Promise<void> {
    const { manager, logger } = this.options;
    for (const model of [...added, ...replaced.map(({ next }) => next)])
      for (const problem of [...missingReconcile(model), ...undecoratedProperties(model)]) logger.warn(problem);
    for (const model of removed) {
      if (isRun(model)) await manager.remove(model);
      onUsed(model, undefined);
    }
    for (const model of added) {
      if (isRun(model)) manager.add(model);
      onUsed(undefined, model);
    }
    for (const change of replaced) {
      const { previous, next } = change;
      for (const text of changedWatches(change)) logger.info(`${next.className} ${text}`);
      if (isRun(next)) await manager.replace(previous, next, signal);
      onUsed(previous, next);
    }
  }
}
