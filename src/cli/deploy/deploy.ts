import { Namespace } from '../../api/kinds.js';
import { SystemClock } from '../../base/system-clock.js';
import { OperatorError } from '../../base/operator-error.js';
import { ConflictError, NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { loadResources } from '../load-resources.js';
import { readProjectSettings } from '../read-project-settings.js';
import { awaitRollout } from './await-rollout.js';
import { describeObject, operatorObjects, type OperatorObject } from './operator-objects.js';
import { say } from './say.js';
import { withCluster, type ClusterOptions } from './with-cluster.js';

/** Marks a namespace as made by `deploy`, so that `undeploy` takes it away. */
export const CREATED_BY = 'kindwright.dev/created-by';

/** What the command line of deploy says. */
export interface DeployOptions extends ClusterOptions {
  readonly image?: string;
  readonly namespace?: string;
  readonly timeout: number;
  readonly forceConflicts?: boolean;
  readonly dryRun?: 'client' | 'server';
}

/**
 * Applies all that operators need to run in a cluster, and waits until they do.
 *
 * @throws OperatorError when another manager owns a field, or a Deployment does not come up
 */
export async function deploy(patterns: readonly string[], options: DeployOptions): Promise<void> {
  const { namespace, dryRun, timeout: timeoutMs } = options;
  const settings = readProjectSettings();
  const image = options.image ?? settings.image ?? missingImage();
  const resources = await loadResources(patterns);
  const objects = operatorObjects(resources, { ...settings, image, ...(namespace !== undefined && { namespace }) });
  if (dryRun === 'client') {
    for (const each of objects) say(`would apply ${describeObject(each)}`);
    return;
  }
  await withCluster(options, async ({ client, host, signal }) => {
    say(`Deploying to ${host}`);
    for (const each of objects) await apply(client, each, options);
    if (dryRun === 'server') return;
    const patience = { clock: new SystemClock(), signal, timeoutMs };
    for (const { kind, object } of objects) {
      if (kind.kind !== 'Deployment') continue;
      const { name, namespace: place = '' } = object.metadata;
      await awaitRollout(client, name, place, patience);
      say(`Deployment ${place}/${name} runs ${image}`);
    }
  });
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
  const object = kind.kind === 'Namespace' ? await marked(client, each) : each.object;
  try {
    await client.apply(kind, object, { force: forceConflicts === true, dryRun: isDryRun });
    say(`${isDryRun ? 'would apply' : 'applied'} ${describeObject(each)}`);
  } catch (error) {
    if (isDryRun && error instanceof NotFoundError)
      say(`would apply ${describeObject(each)}: not checked, as its namespace does not exist yet`);
    else if (error instanceof ConflictError) throw conflict(each, error);
    else throw error;
  }
}

/** The mark on a namespace that does not exist yet, or has it already. */
async function marked(client: Client, { object }: OperatorObject): Promise<OperatorObject['object']> {
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
    hint: 'another tool set these fields: take them over with --force-conflicts, or leave them to it',
    cause,
  });
}
