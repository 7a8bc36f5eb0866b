import { PAUSED, pauseOf, RECONCILE_REQUESTED } from '../api/reconcile/control-annotations.js';
import type { ConditionLike } from '../api/objects/condition.js';
import type { KindRef, ObjectOf } from '../api/kinds/kind-ref.js';
import { CustomResourceDefinition } from '../api/kinds/kinds.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import { keyOf } from '../api/objects/object-key.js';
import { sleep } from '../base/clock.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import { formatMicroTime } from '../base/timestamp.js';
import type { Client } from '../client/client.js';
import { withCluster, type ClusterOptions, type ClusterSession } from './deploy/with-cluster.js';
import { printLine } from './print-line.js';

/** The field of the status with the last request that a reconcile has handled. */
const ACKNOWLEDGEMENT = 'lastHandledReconcileAt';
const POLL_MS = 250;
const clock = new SystemClock();

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
  await withCluster(options, async (session) => {
    const definition = await definitionOf(session, kindName);
    const request = await annotate(session, definition.kind, name, options.namespace);
    printLine(`requested a reconcile of ${request.subject}`);
    if (!options.wait) return;
    if (!definition.acknowledges)
      throw failure(
        `${request.subject} cannot acknowledge the reconcile`,
        `add the field ${ACKNOWLEDGEMENT}?: string to the status of ${definition.kind.kind}, or omit --wait`,
      );
    await waitFor(session, request, options.timeout);
    printLine(`reconciled ${request.subject}`);
  });
}

interface Request {
  readonly kind: KindRef;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly token: string;
  /** For messages. */
  readonly subject: string;
}

/** Requests the reconcile. */
async function annotate(
  { client, signal }: ClusterSession,
  kind: KindRef,
  name: string,
  given: string | undefined,
): Promise<Request> {
  const namespace = kind.scope === 'Cluster' ? undefined : (given ?? client.config.namespace ?? 'default');
  const subject = `${kind.kind} ${keyOf(name, namespace)}`;
  const now = clock.now();
  const token = formatMicroTime(now);
  const patch = { metadata: { annotations: { [RECONCILE_REQUESTED]: token } } };
  const pause = pauseOf(await client.patch(kind, name, patch, { namespace, signal }), now);
  if (pause) throw failure(`${subject} is ${pause.message}`, `remove its annotation ${PAUSED}`);
  return { kind, name, namespace, token, subject };
}

async function waitFor({ client, signal }: ClusterSession, request: Request, timeoutMs: number): Promise<void> {
  const { kind, name, namespace, subject } = request;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    await acknowledged(client, request, AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error;
    const latest = (await client.get(kind, name, { namespace, signal })) as ReconciledObject;
    throw failure(`no reconcile of ${subject} has succeeded within ${timeoutMs} ms`, adviceFor(latest));
  }
}

/** A later request of another user replaces this one, and its acknowledgement counts for both: the values are times. */
async function acknowledged(client: Client, { kind, name, namespace, token }: Request, signal: AbortSignal) {
  for (;;) {
    const { status } = (await client.get(kind, name, { namespace, signal })) as ReconciledObject;
    if ((status?.[ACKNOWLEDGEMENT] ?? '') >= token) return;
    await sleep(clock, POLL_MS, signal);
  }
}

function adviceFor({ status, metadata }: ReconciledObject): string {
  const failed = status?.conditions?.find(({ type, status: value }) => type === 'Reconciled' && value === 'False');
  if (failed) return `${failed.reason}: ${failed.message}`;
  return `check that the operator runs, its log, and kubectl get events --field-selector involvedObject.name=${metadata.name}`;
}

/** Returns the stored version of a kind by its name, plural, singular or short name, also followed by its group. */
async function definitionOf({ client, host, signal }: ClusterSession, given: string) {
  const { items } = await client.list(CustomResourceDefinition, { signal });
  const wanted = given.toLowerCase();
  const [first, ...others] = items.filter((each) => namesOf(each).includes(wanted));
  if (!first) throw failure(`no custom kind ${given} is installed at ${host}`, 'kubectl api-resources lists the kinds');
  if (others.length > 0)
    throw failure(
      `${given} is the name of several kinds`,
      `name one of ${[first, ...others].map(({ metadata }) => metadata.name).join(', ')}`,
    );
  return definitionIn(first);
}

type Version = ObjectOf<typeof CustomResourceDefinition>['spec']['versions'][number];

function definitionIn({ spec: { names, group, scope, versions } }: ObjectOf<typeof CustomResourceDefinition>) {
  const version = versions.find(({ storage, served }) => storage && served) ?? versions.find(({ served }) => served);
  const kind: KindRef = {
    group,
    version: version?.name ?? '',
    kind: names.kind,
    plural: names.plural,
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
  };
  return { kind, acknowledges: version !== undefined && acknowledges(version) };
}

function acknowledges({ schema }: Version): boolean {
  const status = schema?.openAPIV3Schema?.properties?.['status'];
  return Object.hasOwn(status?.properties ?? {}, ACKNOWLEDGEMENT);
}

function namesOf({ spec: { names, group } }: ObjectOf<typeof CustomResourceDefinition>): string[] {
  const all = [names.kind, names.plural, names.singular ?? '', ...(names.shortNames ?? [])];
  return all.flatMap((name) => [name.toLowerCase(), `${name.toLowerCase()}.${group}`]);
}

function failure(message: string, hint: string): OperatorError {
  return new OperatorError(message, { code: 'E_RECONCILE', hint });
}
