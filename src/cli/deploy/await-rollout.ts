import { Deployment, Pod } from '../../api/kinds.js';
import { sleep } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Client } from '../../client/client.js';
import type { Patience } from './await-gone.js';
import { say } from './say.js';

const POLL_MS = 200;

/**
 * Waits until a Deployment runs what it was last told to, as `kubectl rollout status` does, and says how far it is.
 *
 * @throws OperatorError with what its pods say, when it gives up or takes too long
 */
export async function awaitRollout(
  client: Client,
  name: string,
  namespace: string,
  { clock, signal, timeoutMs }: Patience,
): Promise<void> {
  const start = clock.monotonic();
  let told = '';
  for (;;) {
    const deployment = await client.get(Deployment, name, { namespace });
    const progress = progressOf(deployment);
    if (progress === undefined) return;
    const troubles = await podTroubles(client, deployment, namespace);
    const line = [progress, ...troubles].join('; ');
    if (line !== told) say(`waiting for Deployment ${namespace}/${name}: ${line}`);
    told = line;
    if (hasGivenUp(deployment) || clock.monotonic() - start > timeoutMs) throw notRolledOut(name, namespace, line);
    await sleep(clock, POLL_MS, signal);
  }
}

/** What is still missing; undefined when nothing is. */
function progressOf(deployment: Deployment): string | undefined {
  const { metadata, spec, status = {} } = deployment;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) return 'the change is not seen yet';
  return missingPods(spec?.replicas ?? 1, status);
}

function missingPods(wanted: number, status: NonNullable<Deployment['status']>): string | undefined {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status;
  if (updatedReplicas < wanted) return `${updatedReplicas} of ${wanted} pods are new`;
  if (replicas > updatedReplicas) return `${replicas - updatedReplicas} old pods are still there`;
  if (availableReplicas < updatedReplicas) return `${availableReplicas} of ${updatedReplicas} pods are available`;
  return undefined;
}

function hasGivenUp({ status }: Deployment): boolean {
  return status?.conditions?.some(({ reason }) => reason === 'ProgressDeadlineExceeded') === true;
}

async function podTroubles(client: Client, { spec }: Deployment, namespace: string): Promise<string[]> {
  const { items } = await client.list(Pod, { namespace, labelSelector: spec?.selector.matchLabels ?? {} });
  const troubles = items.flatMap(({ metadata, status }) => {
    const waiting = (status?.containerStatuses ?? []).map(({ state }) => state?.waiting);
    const unscheduled = status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
    return [...waiting, unscheduled]
      .filter((trouble) => trouble?.reason !== undefined && !HARMLESS.has(trouble.reason))
      .map((trouble) => `pod ${metadata.name}: ${[trouble?.reason, trouble?.message].filter(Boolean).join(': ')}`);
  });
  return [...new Set(troubles)];
}

const HARMLESS = new Set(['ContainerCreating', 'PodInitializing']);

function notRolledOut(name: string, namespace: string, line: string): OperatorError {
  return new OperatorError(`Deployment ${namespace}/${name} does not run: ${line}`, {
    code: 'E_ROLLOUT',
    hint: `see why: kubectl -n ${namespace} describe deployment,pods; wait longer with --timeout`,
  });
}
