import { type CustomResourceDefinition, Namespace } from '../../api/kinds/kinds.js';
import { SystemClock } from '../../base/system-clock.js';
import { OperatorError } from '../../base/operator-error.js';
import { ConflictError, NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { assertStoredVersions } from '../../manager/install/assert-stored-versions.js';
import { loadDeployable } from '../load-deployable.js';
import type { LoadedResource } from '../load-resources.js';
import { readProjectSettings } from '../read-project-settings.js';
import { definitionsOf } from './crd-objects.js';
import { deleteAndWait, type WaitOptions } from './delete-and-wait.js';
import { obsoleteObjects } from './obsolete-objects.js';
import { removeObsoleteWebhooks } from './obsolete-webhooks.js';
import { presentBundle, trustNewWebhooks } from './trust-new-webhooks.js';
import { unservedConfigurations } from './unserved-configurations.js';
import { assertNoOtherOperator } from './other-operators.js';
import { waitForRollout } from './wait-for-rollout.js';
import { waitForTrust } from './wait-for-trust.js';
import { describeObject, isWebhookConfiguration, operatorObjects, type OperatorObject } from './operator-objects.js';
import { printLine, printWarning } from '../print-line.js';
import { isDeployed, withCluster, type ClusterOptions } from './with-cluster.js';

/** Annotation of a namespace that `deploy` created, which `undeploy` therefore deletes. */
export const CREATED_BY = 'kindwright.dev/created-by';

/** Command-line options of deploy. */
export interface DeployOptions extends ClusterOptions {
  readonly image?: string;
  readonly namespace?: string;
  readonly timeout: number;
  readonly forceConflicts?: boolean;
  readonly dryRun?: 'client' | 'server';
}

/**
 * Applies the objects that operators need to run in a cluster, and waits until their Deployments have rolled out.
 * Webhook configurations are applied last, when the webhooks are served; then it waits until API servers trust them.
 * Configurations, their webhooks and policies that the classes no longer generate are deleted first. Prints a warning for
 * configurations of other operators that reject writes of the kinds, because nothing serves them.
 *
 * @throws OperatorError when an object belongs to another operator, another field manager owns a field, a Deployment does not roll out, nothing sets the
 * `caBundle` of a webhook, or objects may be stored in a version that a CRD removes
 */
export async function deploy(patterns: readonly string[], options: DeployOptions): Promise<void> {
  const { namespace, dryRun, timeout: timeoutMs } = options;
  const settings = readProjectSettings();
  const image = options.image ?? settings.image ?? missingImage();
  const manifestOptions = { ...settings, image, ...(namespace !== undefined && { namespace }) };
  const resources = await loadDeployable(patterns, manifestOptions);
  const objects = operatorObjects(resources, manifestOptions);
  if (dryRun === 'client') {
    for (const each of objects) printLine(`would apply ${describeObject(each)}`);
    return;
  }
  await withCluster(options, async ({ client, source, host, signal }) => {
    printLine(`Deploying to ${source} (${host})`);
    await assertVersionsKept(client, objects, resources, signal);
    await assertNoOtherOperator(client, objects);
    const [configurations = [], others = []] = [true, false].map((isLast) =>
      objects.filter((each) => isWebhookConfiguration(each) === isLast),
    );
    const wait = { clock: new SystemClock(), signal, timeoutMs };
    const obsolete = await obsoleteObjects(client, resources, manifestOptions, objects);
    // All webhooks that have the bundle may be removed before the new ones need it.
    const earlierBundle = await presentBundle(client, objects);
    for (const each of obsolete) await deleteObsolete(client, each, wait, dryRun === 'server');
    await removeObsoleteWebhooks(client, configurations, dryRun === 'server');
    for (const each of others) await apply(client, each, options);
    if (dryRun === 'server') {
      for (const each of configurations) await apply(client, each, options);
      return;
    }
    await waitForRollouts(client, objects, image, wait);
    await applyTrusted(client, configurations, (await presentBundle(client, objects)) ?? earlierBundle, options);
    await waitForTrust(client, objects, settings.certificates ?? 'self', wait);
    const kinds = resources.map(({ model }) => model.kind);
    for (const each of await unservedConfigurations(client, kinds, objects)) printWarning(each);
  });
}

async function waitForRollouts(
  client: Client,
  objects: readonly OperatorObject[],
  image: string,
  wait: WaitOptions,
): Promise<void> {
  for (const { kind, object } of objects) {
    if (kind.kind !== 'Deployment') continue;
    const { name, namespace = '' } = object.metadata;
    await waitForRollout(client, name, namespace, wait);
    printLine(`Deployment ${namespace}/${name} runs ${image}`);
  }
}

async function applyTrusted(
  client: Client,
  configurations: readonly OperatorObject[],
  bundle: string | undefined,
  options: DeployOptions,
): Promise<void> {
  for (const each of configurations) {
    if (bundle !== undefined) await trustNewWebhooks(client, each, bundle);
    await apply(client, each, options);
  }
}

async function deleteObsolete(
  client: Client,
  each: OperatorObject,
  wait: WaitOptions,
  isDryRun: boolean,
): Promise<void> {
  if (!isDeployed(each.object)) {
    printLine(`kept ${describeObject(each)}, which deploy did not apply`);
    return;
  }
  if (!isDryRun) await deleteAndWait(client, each.kind, each.object, wait);
  printLine(`${isDryRun ? 'would delete' : 'deleted'} ${describeObject(each)}`);
}

async function assertVersionsKept(
  client: Client,
  objects: readonly OperatorObject[],
  resources: readonly LoadedResource[],
  signal: AbortSignal,
): Promise<void> {
  const models = resources.map(({ model }) => model);
  for (const { object } of definitionsOf(objects))
    await assertStoredVersions(client, object as unknown as CustomResourceDefinition, models, signal);
}

function missingImage(): never {
  throw new OperatorError('no image is given', {
    code: 'E_CONFIG',
    hint: 'pass --image, or set it for the project: npm pkg set kindwright.image=registry.example.com/operator:1.0',
  });
}

async function apply(client: Client, each: OperatorObject, { forceConflicts, dryRun }: DeployOptions): Promise<void> {
  const { kind } = each;
  const isDryRun = dryRun === 'server';
  const object = kind.kind === 'Namespace' ? await withCreatedBy(client, each) : each.object;
  try {
    await client.apply(kind, object, { force: forceConflicts === true, dryRun: isDryRun });
    printLine(`${isDryRun ? 'would apply' : 'applied'} ${describeObject(each)}`);
  } catch (error) {
    if (isDryRun && error instanceof NotFoundError)
      printLine(`would apply ${describeObject(each)}: not validated, because its namespace does not exist yet`);
    else if (error instanceof ConflictError) throw conflict(each, error);
    else throw error;
  }
}

/** The namespace with the annotation, if it does not exist yet or has the annotation already. */
async function withCreatedBy(client: Client, { object }: OperatorObject): Promise<OperatorObject['object']> {
  const { name, annotations } = object.metadata;
  const present = await client.get(Namespace, name).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  if (present && present.metadata.annotations?.[CREATED_BY] === undefined) return object;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [CREATED_BY]: 'deploy' } } };
}

function conflict(each: OperatorObject, cause: ConflictError): OperatorError {
  return new OperatorError(`${describeObject(each)}: ${cause.message}`, {
    code: 'E_CONFLICT',
    hint: 'another field manager owns these fields: take ownership with --force-conflicts, or remove them from there',
    cause,
  });
}
