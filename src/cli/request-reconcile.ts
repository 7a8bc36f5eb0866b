import { PAUSED, pauseOf, RECONCILE_REQUESTED } from '../api/control-annotations.js';
import type { ConditionLike } from '../api/condition.js';
import type { KindRef } from '../api/kind-ref.js';
import { CustomResourceDefinition } from '../api/kinds.js';
import type { KubeObject } from '../api/kube-object.js';
import { sleep } from '../base/clock.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import type { Client } from '../client/client.js';
import { withCluster, type ClusterOptions } from './deploy/with-cluster.js';
import { printLine } from './print-line.js';

/** The field of the status with the last request that a reconcile has handled. */
const ACKNOWLEDGEMENT = 'lastHandledReconcileAt';
const POLL_MS = 250;

/** Command-line options of reconcile. */
export interface RequestReconcileOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly wait?: boolean;
  readonly timeout: number;
}

/** The members of a status that the command reads. */
interface ReconciledObject extends KubeObject {
  readonly status?: { readonly conditions?: readonly ConditionLike[]; readonly [ACKNOWLEDGEMENT]?: string };
}

/**
 * Requests a reconcile of an object by an annotation, and with `wait` waits until the operator has acknowledged it.
 *
 * @throws OperatorError (E_RECONCILE) if the kind is unknown, the object is paused, or no reconcile has succeeded in time
 */
export async function requestReconcile(
  [kindName, name]: readonly [kind: string, name: string],
  options: RequestReconcileOptions,
): Promise<void> {
  await withCluster(options, async ({ client, host, signal }) => {
    const definition = await definitionOf(client, kindName, host, signal);
    const { kind } = definition;
    const namespace =
      kind.scope === 'Cluster' ? undefined : (options.namespace ?? client.config.namespace ?? 'default');
    const subject = `${kind.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
    const token = new Date().toISOString();
    const patch = { metadata: { annotations: { [RECONCILE_REQUESTED]: token } } };
    const object = await client.patch(kind, name, patch, { namespace, signal });
    const pause = pauseOf(object, Date.now());
    if (pause) throw failure(`${subject} is ${pause.message}`, `remove its annotation ${PAUSED}`);
    printLine(`requested a reconcile of ${subject}`);
    if (!options.wait) return;
    if (!definition.acknowledges)
      throw failure(
        `${subject} cannot acknowledge the reconcile`,
        `add the field ${ACKNOWLEDGEMENT}?: string to the status of ${kind.kind}, or omit --wait`,
      );
    const deadline = AbortSignal.timeout(options.timeout);
    const until = AbortSignal.any([signal, deadline]);
    try {
      await acknowledged(client, { kind, name, namespace, token }, until);
    } catch (error) {
      if (!deadline.aborted || signal.aborted) throw error;
      const latest = (await client.get(kind, name, { namespace, signal })) as ReconciledObject;
      throw failure(`no reconcile of ${subject} has succeeded within ${options.timeout} ms`, adviceFor(latest));
    }
    printLine(`reconciled ${subject}`);
  });
}

interface Request {
  readonly kind: KindRef;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly token: string;
}

/** A later request of another user replaces this one, and its acknowledgement counts for both: the values are times. */
async function acknowledged(client: Client, { kind, name, namespace, token }: Request, signal: AbortSignal) {
  const clock = new SystemClock();
  for (;;) {
    const { status } = (await client.get(kind, name, { namespace, signal })) as ReconciledObject;
    if ((status?.[ACKNOWLEDGEMENT] ?? '') >= token) return;
    await sleep(clock, POLL_MS, signal);
  }
}

function adviceFor({ status, metadata }: ReconciledObject): string {
  const failed = status?.conditions?.find(({ type, status: value }) => type === 'Reconciled' && value === 'False');
  if (failed) return `${failed.reason}: ${failed.message}`;
  return `check that the operator runs, and its log: kubectl get events --field-selector involvedObject.name=${metadata.name}`;
}

/** Returns the storage version of a kind by its name, plural, singular or short name, also followed by its group. */
async function definitionOf(client: Client, given: string, host: string, signal: AbortSignal) {
  const { items } = await client.list(CustomResourceDefinition, { signal });
  const wanted = given.toLowerCase();
  const found = items.filter(({ spec: { names, group } }) =>
    [names.kind, names.plural, names.singular ?? '', ...(names.shortNames ?? [])].some((name) =>
      [name.toLowerCase(), `${name.toLowerCase()}.${group}`].includes(wanted),
    ),
  );
  const [first, second] = found;
  if (!first) throw failure(`no custom kind ${given} is installed at ${host}`, 'kubectl api-resources lists the kinds');
  if (second)
    throw failure(
      `${given} is the name of several kinds`,
      `name one of ${found.map(({ metadata }) => metadata.name).join(', ')}`,
    );
  const { names, group, scope, versions } = first.spec;
  const served =
    versions.find(({ storage, served: isServed }) => storage && isServed) ?? versions.find((v) => v.served);
  const kind: KindRef = {
    group,
    version: served?.name ?? '',
    kind: names.kind,
    plural: names.plural,
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
  };
  const properties = served?.schema?.openAPIV3Schema?.properties?.['status']?.properties ?? {};
  return { kind, acknowledges: Object.hasOwn(properties, ACKNOWLEDGEMENT) };
}

function failure(message: string, hint: string): OperatorError {
  return new OperatorError(message, { code: 'E_RECONCILE', hint });
}
