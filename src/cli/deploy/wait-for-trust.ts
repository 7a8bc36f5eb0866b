import { Deployment, Node, Pod } from '../../api/kinds/kinds.js';
import { sleep } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';
import { ApiError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import type { CertificateSource } from '../../manifests/operator.js';
import { serviceWebhooks } from '../../manager/webhooks/certificates/injection-target.js';
import { find, type WaitOptions } from './delete-and-wait.js';
import type { OperatorObject } from './operator-objects.js';
import { printLine } from '../print-line.js';

const POLL_MS = 200;

/**
 * Waits until API servers trust the webhooks of the objects: until something has set the `caBundle` of each.
 *
 * Returns immediately, after printing the reason, if no operator runs that could set it: with simulated nodes, such as
 * those of the embedded server and of kwok, pods become ready without a process.
 *
 * @throws OperatorError that names what lacks a `caBundle` when the timeout is exceeded
 */
export async function waitForTrust(
  client: Client,
  objects: readonly OperatorObject[],
  source: CertificateSource,
  { clock, signal, timeoutMs }: WaitOptions,
): Promise<void> {
  if (source === 'files') return; // the user sets it
  const start = clock.monotonic();
  let isFirst = true;
  for (;;) {
    const missing = await untrusted(client, objects);
    if (missing.length === 0) return;
    if (isFirst) {
      const reason = source === 'self' ? await missingProcess(client, objects) : undefined;
      if (reason !== undefined) {
        printLine(`not waiting for the caBundle of ${missing.join(', ')}: ${reason}`);
        return;
      }
      printLine(`waiting for the caBundle of ${missing.join(', ')}`);
      isFirst = false;
    }
    if (clock.monotonic() - start > timeoutMs) throw notTrusted(missing, objects, source);
    await sleep(clock, POLL_MS, signal);
  }
}

/** The objects with a webhook that API servers do not trust. */
async function untrusted(client: Client, objects: readonly OperatorObject[]): Promise<string[]> {
  const called = objects.filter(({ object }) => serviceWebhooks(object).length > 0);
  const found = await Promise.all(
    called.map(async ({ kind, object }) => {
      const present = await find(client, kind, object.metadata);
      const isTrusted = present && serviceWebhooks(present).every(({ config }) => config.caBundle);
      return isTrusted ? [] : [`${kind.kind} ${object.metadata.name}`];
    }),
  );
  return found.flat();
}

/** Why no process of the operators runs; undefined if one may run. */
async function missingProcess(client: Client, objects: readonly OperatorObject[]): Promise<string | undefined> {
  const deployments = objects.filter(({ kind }) => kind.kind === Deployment.kind);
  const pods = await Promise.all(
    deployments.map(async ({ object }) => {
      const { namespace } = object.metadata;
      const { spec } = object as unknown as Deployment;
      const { items } = await client.list(Pod, { namespace, labelSelector: spec?.selector.matchLabels ?? {} });
      return items.filter(({ status }) =>
        status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True'),
      );
    }),
  );
  const nodes = new Set(pods.flat().map(({ spec }) => spec?.nodeName ?? ''));
  if (nodes.size === 0) return 'no pod of the operator is ready';
  for (const name of nodes) if (!(await isSimulated(client, name))) return undefined;
  return 'its pods are on simulated nodes, where no process runs';
}

/** Kubelets report a container runtime such as `containerd://2.1.0`; kwok reports its own version, others nothing. */
async function isSimulated(client: Client, name: string): Promise<boolean> {
  try {
    const { status } = await client.get(Node, name);
    return status?.nodeInfo?.containerRuntimeVersion.includes('://') !== true;
  } catch (error) {
    if (error instanceof ApiError) return false; // without permission to read it
    throw error;
  }
}

function notTrusted(
  missing: readonly string[],
  objects: readonly OperatorObject[],
  source: CertificateSource,
): OperatorError {
  const deployment = objects.find(({ kind }) => kind.kind === Deployment.kind)?.object.metadata;
  const log = `kubectl -n ${deployment?.namespace ?? ''} logs deployment/${deployment?.name ?? ''} --all-pods`;
  return new OperatorError(
    `timed out waiting for the caBundle of ${missing.join(', ')}: calls of their webhooks fail`,
    {
      code: 'E_TIMEOUT',
      hint:
        source === 'self'
          ? `the operator sets it; its log contains the reason: ${log}`
          : 'the cainjector of cert-manager sets it: kubectl -n cert-manager logs deployment/cert-manager-cainjector',
    },
  );
}
