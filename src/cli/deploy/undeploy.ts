import { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { SystemClock } from '../../base/system-clock.js';
import { ApiError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { disownVersions, serveOnlyStored } from '../../manager/webhooks/served-versions.js';
import { loadResources } from '../load-resources.js';
import { readProjectSettings } from '../read-project-settings.js';
import { confirmDeletion } from './confirm-deletion.js';
import { deletionBlocker, definitionsOf } from './crd-objects.js';
import { deleteAndWait, find } from './delete-and-wait.js';
import { CREATED_BY } from './deploy.js';
import { foreignObjects, type DeployedObjects } from './namespace-contents.js';
import { obsoleteObjects } from './obsolete-objects.js';
import { describeObject, isWebhookConfiguration, operatorObjects, type OperatorObject } from './operator-objects.js';
import { printLine, printWarning } from '../print-line.js';
import { unreleasedObjects } from './unreleased-objects.js';
import { isDeployed, withCluster, type ClusterOptions, type ClusterSession } from './with-cluster.js';

/** Most objects that are named as the reason to keep a namespace. */
const MAX_NAMED = 10;

/** Command-line options of undeploy. */
export interface UndeployOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly timeout: number;
  readonly crds?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/**
 * Deletes the objects that `deploy` applied, in reverse order, also the webhook configurations and policies of earlier
 * releases.
 *
 * CRDs are kept unless `crds` is set; they are then deleted first, while the operator still runs and can remove its
 * finalizers. Webhook configurations are deleted before everything else: without a running operator, writes would fail.
 * The conversion of kept CRDs ends when the operator no longer runs.
 * Objects that `deploy` did not apply are kept, and so is a namespace that contains any.
 *
 * @throws OperatorError when the user declines, or standard input is not a terminal, without the option `yes`
 */
export async function undeploy(patterns: readonly string[], options: UndeployOptions): Promise<void> {
  const { namespace, crds = false, dryRun = false } = options;
  const resources = await loadResources(patterns);
  const manifestOptions = { ...readProjectSettings(), ...(namespace !== undefined && { namespace }) };
  const objects = operatorObjects(resources, manifestOptions);
  const definitions = crds ? definitionsOf(objects) : [];
  const configurations = objects.filter(isWebhookConfiguration);
  const rest = objects
    .filter((each) => each.kind.kind !== 'CustomResourceDefinition' && !isWebhookConfiguration(each))
    .toReversed();
  await withCluster(options, async (session) => {
    const { client } = session;
    printLine(`Undeploying from ${session.source} (${session.host})`);
    const obsolete = await obsoleteObjects(client, resources, manifestOptions, objects);
    const uids = await deployedUids(client, [...obsolete, ...configurations, ...rest]);
    const kept = resources.map(({ model }) => model).filter(({ definesKind }) => !(crds && definesKind));
    for (const warning of await unreleasedObjects(client, kept)) printWarning(warning);
    await confirmDeletion(session, definitions, options.yes === true || dryRun, uids.size);
    const deployed = { objects, uids, deletedDefinitions: definitions };
    const removeAll = async (removed: readonly OperatorObject[]): Promise<void> => {
      for (const each of removed) await remove(session, each, deployed, options);
    };
    await removeAll([...obsolete, ...configurations]);
    const deployments = rest.filter(isDeployment);
    const isRunning = await someExists(session, deployments);
    // Without the operator, the deletion of a definition would wait for the conversion of its objects.
    if (!isRunning) await endConversions(session, objects, dryRun);
    await removeAll([...definitions, ...deployments]);
    if (isRunning) await endConversions(session, objects, dryRun);
    await removeAll(rest.filter((each) => !isDeployment(each)));
    if (!crds && definitionsOf(objects).length > 0)
      printLine('CustomResourceDefinitions and their objects are kept; --crds deletes them too');
  });
}

/** The uids of the objects that exist and that `deploy` applied. */
async function deployedUids(client: Client, objects: readonly OperatorObject[]): Promise<Set<string>> {
  const found = await Promise.all(objects.map(({ kind, object }) => find(client, kind, object.metadata)));
  return new Set(found.flatMap((object) => (object && isDeployed(object) ? [object.metadata.uid ?? ''] : [])));
}

function isDeployment({ kind }: OperatorObject): boolean {
  return kind.kind === 'Deployment';
}

async function someExists({ client }: ClusterSession, objects: readonly OperatorObject[]): Promise<boolean> {
  const found = await Promise.all(objects.map(({ kind, object }) => find(client, kind, object.metadata)));
  return found.some((object) => object !== undefined);
}

async function endConversions(
  { client }: ClusterSession,
  objects: readonly OperatorObject[],
  dryRun: boolean,
): Promise<void> {
  for (const { object } of definitionsOf(objects)) {
    const { name } = object.metadata;
    const { conversion } = object['spec'] as { readonly conversion?: { readonly strategy: string } };
    if (conversion?.strategy !== 'Webhook') continue;
    if (dryRun) printLine(`would end the conversion of CustomResourceDefinition ${name}`);
    else if (await endConversion(client, name))
      printLine(`CustomResourceDefinition ${name} serves only its stored version until the next deploy`);
  }
}

/**
 * Ends the conversion of a kept definition by an operator that was deleted; returns false if it has ended before.
 *
 * Without it, reads of the other versions and the deletion of their namespace would wait for the operator.
 */
async function endConversion(client: Client, name: string): Promise<boolean> {
  const present = await find(client, CustomResourceDefinition, { name });
  if (!present) return false;
  const isConverted = present.spec.conversion?.webhook?.clientConfig?.service !== undefined;
  if (isConverted) await serveOnlyStored(client, present);
  else await disownVersions(client, present);
  return isConverted;
}

async function remove(
  session: ClusterSession,
  each: OperatorObject,
  deployed: DeployedObjects,
  options: UndeployOptions,
): Promise<void> {
  const { client, signal } = session;
  const { kind, object } = each;
  const present = await find(client, kind, object.metadata);
  if (!present) return;
  const reason = await reasonToKeep(client, kind, present, deployed);
  if (reason !== undefined) {
    printLine(`kept ${describeObject(each)}, which ${reason}`);
    return;
  }
  if (options.dryRun) {
    printLine(`would delete ${describeObject(each)}`);
    return;
  }
  const wait = { clock: new SystemClock(), signal, timeoutMs: options.timeout };
  const blockerOf = kind.kind === 'CustomResourceDefinition' ? deletionBlocker(client) : undefined;
  if (await deleteAndWait(client, kind, object, wait, blockerOf)) printLine(`deleted ${describeObject(each)}`);
}

/** The user has confirmed the deletion of definitions, which `install` may have applied. */
async function reasonToKeep(
  client: Client,
  { kind }: OperatorObject['kind'],
  present: OperatorObject['object'],
  deployed: DeployedObjects,
): Promise<string | undefined> {
  if (kind === 'CustomResourceDefinition') return undefined;
  if (kind !== 'Namespace') return isDeployed(present) ? undefined : 'deploy did not apply';
  if (present.metadata.annotations?.[CREATED_BY] === undefined) return 'deploy did not create';
  try {
    const contents = await foreignObjects(client, present.metadata.name, deployed);
    if (contents.length === 0) return undefined;
    const more = contents.length > MAX_NAMED ? ` and ${contents.length - MAX_NAMED} more` : '';
    return `contains objects that deploy did not apply: ${contents.slice(0, MAX_NAMED).join(', ')}${more}`;
  } catch (error) {
    if (error instanceof ApiError) return `may contain other objects: ${error.message}`;
    throw error;
  }
}
