import { Deployment, Pod } from '../../api/kinds/kinds.js';
import { sleep } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Client } from '../../client/client.js';
import type { WaitOptions } from './delete-and-wait.js';
import { printLine } from '../print-line.js';

const POLL_MS = 200;

/**
 * Waits until a Deployment has rolled out its current spec, like `kubectl rollout status`, and prints the progress.
 *
 * @throws OperatorError with the states of its pods, when its progress deadline or the timeout is exceeded
 */
export async function waitForRollout(
  client: Client,
  name: string,
  namespace: string,
  { clock, signal, timeoutMs }: WaitOptions,
): Promise<void> {
  const start = clock.monotonic();
  let printed = '';
  for (;;) {
    const deployment = await client.get(Deployment, name, { namespace });
    const progress = progressOf(deployment);
    if (progress === undefined) return;
    const problems = await podProblems(client, deployment, namespace);
    const line = [progress, ...problems].join('; ');
    if (line !== printed) printLine(`waiting for Deployment ${namespace}/${name}: ${line}`);
    printed = line;
    if (isPastDeadline(deployment) || clock.monotonic() - start > timeoutMs) throw notRolledOut(name, namespace, line);
    await sleep(clock, POLL_MS, signal);
  }
}

/** The next step that the rollout is waiting for; undefined when it is complete. */
function progressOf(deployment: Deployment): string | undefined {
  const { metadata, spec, status = {} } = deployment;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) return 'its spec has not been observed yet';
  return missingPods(spec?.replicas ?? 1, status);
}

function missingPods(desired: number, status: NonNullable<Deployment['status']>): string | undefined {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status;
  if (updatedReplicas < desired) return `${updatedReplicas} of ${desired} pods are updated`;
  if (replicas > updatedReplicas) return `${replicas - updatedReplicas} old pods are pending termination`;
  if (availableReplicas < updatedReplicas) return `${availableReplicas} of ${updatedReplicas} pods are available`;
  return undefined;
}

function isPastDeadline({ status }: Deployment): boolean {
  return status?.conditions?.some(({ reason }) => reason === 'ProgressDeadlineExceeded') === true;
}

async function podProblems(client: Client, { spec }: Deployment, namespace: string): Promise<string[]> {
  const { items } = await client.list(Pod, { namespace, labelSelector: spec?.selector.matchLabels ?? {} });
  const problems = items.flatMap(({ metadata, status }) => {
    const waiting = (status?.containerStatuses ?? []).map(({ state }) => state?.waiting);
    const unscheduled = status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
    return [...waiting, unscheduled]
      .filter((problem) => problem?.reason !== undefined && !HARMLESS.has(problem.reason))
      .map((problem) => `pod ${metadata.name}: ${[problem?.reason, problem?.message].filter(Boolean).join(': ')}`);
  });
  return [...new Set(problems)];
}

const HARMLESS = new Set(['ContainerCreating', 'PodInitializing']);

function notRolledOut(name: string, namespace: string, line: string): OperatorError {
  return new OperatorError(`Deployment ${namespace}/${name} did not roll out: ${line}`, {
    code: 'E_ROLLOUT',
    hint: `run kubectl -n ${namespace} describe deployment,pods, or wait longer with --timeout`,
  });
}
