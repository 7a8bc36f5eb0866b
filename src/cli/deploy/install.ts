import { silentLogger, type Logger } from '../../base/logger.js';
import { SystemClock } from '../../base/system-clock.js';
import { resourceName } from '../../api/kinds/kind-ref.js';
import { installModels } from '../../manager/install/install-models.js';
import { compiledClasses } from '../../manifests/problems/compiled-classes.js';
import { loadResources } from '../load-resources.js';
import { deleteAndWait, find } from './delete-and-wait.js';
import { confirmDeletion } from './confirm-deletion.js';
import { deletionBlocker, definitionsOf } from './crd-objects.js';
import { describeObject, operatorObjects } from './operator-objects.js';
import { printLine } from '../print-line.js';
import { withCluster, type ClusterOptions } from './with-cluster.js';

/** Command-line options of install. */
export interface InstallCommandOptions extends ClusterOptions {
  readonly dryRun?: boolean;
}

/** Command-line options of uninstall. */
export interface UninstallOptions extends ClusterOptions {
  readonly timeout: number;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** Applies the CRDs of operators and waits until they are served. */
export async function install(patterns: readonly string[], options: InstallCommandOptions): Promise<void> {
  const resources = await loadResources(patterns);
  const models = resources.map(({ model }) => model);
  for (const warning of compiledClasses(resources)) process.stderr.write(`warning: ${warning}\n`);
  if (options.dryRun) {
    for (const { kind, definesKind } of models)
      if (definesKind) printLine(`would apply CustomResourceDefinition ${resourceName(kind)}`);
    return;
  }
  await withCluster(options, ({ client, signal }) =>
    installModels(client, models, { logger: printingLogger(), clock: new SystemClock(), signal }),
  );
}

/** Deletes the CRDs of operators, and all objects of their kinds, and waits until they no longer exist. */
export async function uninstall(patterns: readonly string[], options: UninstallOptions): Promise<void> {
  const definitions = definitionsOf(operatorObjects(await loadResources(patterns), {}));
  await withCluster(options, async (session) => {
    const { client, signal } = session;
    await confirmDeletion(session, definitions, options.yes === true || options.dryRun === true);
    for (const each of definitions) {
      const { kind, object } = each;
      if (!(await find(client, kind, object.metadata))) printLine(`${describeObject(each)} not found`);
      else if (options.dryRun) printLine(`would delete ${describeObject(each)}`);
      else {
        const wait = { clock: new SystemClock(), signal, timeoutMs: options.timeout };
        await deleteAndWait(client, kind, object, wait, deletionBlocker(client));
        printLine(`deleted ${describeObject(each)}`);
      }
    }
  });
}

/** A logger that prints messages as lines, without level and time. */
function printingLogger(): Logger {
  return { ...silentLogger, info: printLine, warn: printLine, error: printLine };
}
