import { silentLogger, type Logger } from '../../base/logger.js';
import { SystemClock } from '../../base/system-clock.js';
import { resourceName } from '../../api/kind-ref.js';
import { installCrds } from '../../manager/install-crds.js';
import { loadResources } from '../load-resources.js';
import { deleteAndAwait, find } from './await-gone.js';
import { confirmLoss } from './confirm-loss.js';
import { crdHolder, definitionsOf } from './crd-objects.js';
import { describeObject, operatorObjects } from './operator-objects.js';
import { say } from './say.js';
import { withCluster, type ClusterOptions } from './with-cluster.js';

/** What the command line of install says. */
export interface InstallOptions extends ClusterOptions {
  readonly dryRun?: boolean;
}

/** What the command line of uninstall says. */
export interface UninstallOptions extends ClusterOptions {
  readonly timeout: number;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** Applies the CRDs of operators and waits until they are served. */
export async function install(patterns: readonly string[], options: InstallOptions): Promise<void> {
  const models = (await loadResources(patterns)).map(({ model }) => model);
  if (options.dryRun) {
    for (const { kind } of models) say(`would apply CustomResourceDefinition ${resourceName(kind)}`);
    return;
  }
  await withCluster(options, ({ client, signal }) =>
    installCrds(client, models, { logger: teller(), clock: new SystemClock(), signal }),
  );
}

/** Deletes the CRDs of operators and waits until they are gone, and all objects of their kinds with them. */
export async function uninstall(patterns: readonly string[], options: UninstallOptions): Promise<void> {
  const definitions = definitionsOf(operatorObjects(await loadResources(patterns), {}));
  await withCluster(options, async (session) => {
    const { client, signal } = session;
    await confirmLoss(session, definitions, options.yes === true || options.dryRun === true);
    for (const each of definitions) {
      const { kind, object } = each;
      if (!(await find(client, kind, object.metadata))) say(`there is no ${describeObject(each)}`);
      else if (options.dryRun) say(`would delete ${describeObject(each)}`);
      else {
        const patience = { clock: new SystemClock(), signal, timeoutMs: options.timeout };
        await deleteAndAwait(client, kind, object, patience, crdHolder(client));
        say(`deleted ${describeObject(each)}`);
      }
    }
  });
}

/** A log whose lines are for the person who waits. */
function teller(): Logger {
  return { ...silentLogger, info: say, warn: say, error: say };
}
