import { silentLogger, type Logger } from '../../base/logger.js';
import { SystemClock } from '../../base/system-clock.js';
import type { Client } from '../../client/client.js';
import { buildResourceModels } from '../../resource/build-models.js';
import type { ResourceClass } from '../../resource/model.js';

/** Options of `installCrds`. */
export interface InstallCrdsOptions {
  /** Default: silent. */
  readonly logger?: Logger | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Applies the CustomResourceDefinitions and admission policies of classes, as `run-operator --install` does, and waits for
 * the API server to serve them.
 *
 * @throws ModelError with the errors of the classes; ApiError when the server rejects an object; OperatorError when another
 * CRD has the names, or objects may be stored in a version that a CRD removes; the signal's reason.
 */
export async function installCrds(
  client: Client,
  classes: readonly ResourceClass[],
  { logger = silentLogger, signal = new AbortController().signal }: InstallCrdsOptions = {},
): Promise<void> {
  const { installModels } = await import('./install-models.js');
  await installModels(client, buildResourceModels(classes), { logger, clock: new SystemClock(), signal });
}
