import { SystemClock } from '../../base/system-clock.js';
import { loadResources } from '../load-resources.js';
import { readProjectSettings } from '../read-project-settings.js';
import { deleteAndAwait, find } from './await-gone.js';
import { confirmLoss } from './confirm-loss.js';
import { crdHolder, definitionsOf } from './crd-objects.js';
import { CREATED_BY } from './deploy.js';
import { describeObject, operatorObjects, type OperatorObject } from './operator-objects.js';
import { say } from './say.js';
import { withCluster, type ClusterOptions, type ClusterSession } from './with-cluster.js';

/** What the command line of undeploy says. */
export interface UndeployOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly timeout: number;
  readonly crds?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/**
 * Takes away what `deploy` applied, the last first.
 *
 * CRDs stay unless asked for; they then go before all else, while the operator still runs that takes finalizers off. A
 * namespace goes if `deploy` made it.
 */
export async function undeploy(patterns: readonly string[], options: UndeployOptions): Promise<void> {
  const { namespace, crds = false, dryRun = false } = options;
  const resources = await loadResources(patterns);
  const objects = operatorObjects(resources, {
    ...readProjectSettings(),
    ...(namespace !== undefined && { namespace }),
  });
  const definitions = crds ? definitionsOf(objects) : [];
  const rest = objects.filter(({ kind }) => kind.kind !== 'CustomResourceDefinition').toReversed();
  await withCluster(options, async (session) => {
    await confirmLoss(session, definitions, options.yes === true || dryRun);
    for (const each of [...definitions, ...rest]) await remove(session, each, options);
    if (!crds) say('the CustomResourceDefinitions and their objects stay; --crds deletes them too');
  });
}

async function remove(session: ClusterSession, each: OperatorObject, options: UndeployOptions): Promise<void> {
  const { client, signal } = session;
  const { kind, object } = each;
  const present = await find(client, kind, object.metadata);
  if (!present) return;
  if (kind.kind === 'Namespace' && present.metadata.annotations?.[CREATED_BY] === undefined) {
    say(`kept ${describeObject(each)}, which was there before`);
    return;
  }
  if (options.dryRun) {
    say(`would delete ${describeObject(each)}`);
    return;
  }
  const patience = { clock: new SystemClock(), signal, timeoutMs: options.timeout };
  const held = kind.kind === 'CustomResourceDefinition' ? crdHolder(client) : undefined;
  if (await deleteAndAwait(client, kind, object, patience, held)) say(`deleted ${describeObject(each)}`);
}
