import { resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { Backoff } from '../../base/backoff.js';
import { sleep, type Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import { NotFoundError, TooManyRequestsError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { ConnectionError } from '../../client/connection-error.js';
import { customResourceDefinition } from '../../manifests/crd/crd.js';
import { hasConversion } from '../../resource/conversion/kind-conversion-of.js';
import { byKind } from '../../resource/kinds/versions.js';
import { assertStoredVersions } from './assert-stored-versions.js';
import { installPolicies } from './install-policies.js';
import type { ResourceModel } from '../../resource/model.js';

const POLL_MS = 50;
/** Longer waits are logged. */
const PATIENCE_MS = 2000;
const RECONNECT = { initialMs: 800, maxMs: 30_000, factor: 2, jitter: 1 };

/** The options of an installation. */
export interface InstallOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Waits for the API server, applies the CRDs of operators, waits until the server serves them, and applies the admission
 * policies of the classes.
 *
 * @throws ApiError when the server rejects a CRD; OperatorError when another CRD has the names, or objects may be stored in
 * a version that a CRD removes; the signal's reason.
 */
export async function installModels(
  client: Client,
  models: readonly ResourceModel[],
  options: InstallOptions,
): Promise<void> {
  await Promise.all(byKind(models).map((versions) => install(client, versions, options)));
  await installPolicies(client, models, options);
}

async function install(client: Client, versions: readonly ResourceModel[], options: InstallOptions): Promise<void> {
  const { clock, logger, signal } = options;
  const model = versions.find(({ version }) => version.served) ?? versions[0];
  if (!model) return;
  const name = resourceName(model.kind);
  await apply(client, versions, options);
  const cancel = clock.schedule(PATIENCE_MS, () => {
    logger.info(`Waiting for CustomResourceDefinition ${name} to be established`);
  });
  try {
    while (!(await isServed(client, model, name, signal))) await sleep(clock, POLL_MS, signal);
  } finally {
    cancel();
  }
  logger.info(`CustomResourceDefinition ${name} is installed`);
}

async function apply(client: Client, versions: readonly ResourceModel[], options: InstallOptions): Promise<void> {
  const { clock, logger, signal } = options;
  const backoff = new Backoff(RECONNECT, () => clock.monotonic());
  const crd = customResourceDefinition(...versions);
  for (;;) {
    try {
      await assertStoredVersions(client, crd, versions, signal);
      const { conversion } = await presentConversion(client, versions, crd.metadata.name, signal);
      const applied = conversion ? { ...crd, spec: { ...crd.spec, conversion } } : crd;
      await client.apply(CustomResourceDefinition, applied, { fieldManager: 'kindwright', force: true, signal });
      return;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      const delayMs = Math.round(backoff.next());
      logger.warn(`${error.message}; trying again in ${(delayMs / 1000).toFixed(1)} s`, { hint: error.hint });
      await sleep(clock, delayMs, signal);
    }
  }
}

/** The conversion by a deployed operator, which has the same field manager: it must not end because a process starts. */
async function presentConversion(
  client: Client,
  versions: readonly ResourceModel[],
  name: string,
  signal: AbortSignal,
): Promise<Pick<CustomResourceDefinition['spec'], 'conversion'>> {
  if (!versions.some(({ target }) => hasConversion(target))) return {};
  try {
    const { spec } = await client.get(CustomResourceDefinition, name, { signal });
    const { clientConfig: { service } = {}, conversionReviewVersions = [] } = spec.conversion?.webhook ?? {};
    if (!service) return {};
    return { conversion: { strategy: 'Webhook', webhook: { clientConfig: { service }, conversionReviewVersions } } };
  } catch (error) {
    if (error instanceof NotFoundError) return {};
    throw error;
  }
}

async function isServed(client: Client, model: ResourceModel, name: string, signal: AbortSignal): Promise<boolean> {
  const crd = await client.get(CustomResourceDefinition, name, { signal });
  const conditions = crd.status?.conditions ?? [];
  const refused = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
  if (refused) {
    throw new OperatorError(`CustomResourceDefinition ${name}: ${refused.message ?? 'its names are taken'}`, {
      code: 'E_NAMES_TAKEN',
      hint: `choose other names in @Kind of ${model.className}, or delete the CustomResourceDefinition that has them`,
    });
  }
  const isEstablished = conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  return isEstablished && (await isWatchable(client, model.kind, signal));
}

/** Returns whether a watch can start: right after a CRD is established the server may still be preparing it. */
async function isWatchable(client: Client, kind: KindRef, signal: AbortSignal): Promise<boolean> {
  const opened = new AbortController();
  const options = {
    sendInitialEvents: true,
    resourceVersionMatch: 'NotOlderThan',
    onOpen: () => {
      opened.abort();
    },
    signal: AbortSignal.any([signal, opened.signal]),
  };
  try {
    await client.streamWatch(kind, options, () => undefined);
  } catch (error) {
    signal.throwIfAborted();
    return !(error instanceof NotFoundError || error instanceof TooManyRequestsError);
  }
  return true;
}
