import { sleep, type Clock } from '../../../base/clock.js';
import { OperatorError } from '../../../base/operator-error.js';
import type { Client } from '../../../client/client.js';
import {
  authoritySecretName,
  injectionTargets,
  webhookHosts,
  type WebhookOwner,
} from '../../../manifests/webhooks/injection-targets.js';
import { EventRecorder } from '../../../controller/context/event-recorder.js';
import type { WebhookAuthority } from '../../manager-options.js';
import { CertificateIssuer, type IssuerOptions } from './certificate-issuer.js';
import { injectionTargetsOf, type InjectionTarget } from './injection-target.js';

const WATCH_AGAIN_MS = 1000;

/** The parts of a run that an issuer uses. */
interface IssuerParts
  extends
    Pick<WebhookOwner, 'models' | 'watchNamespaces'>,
    Pick<IssuerOptions, 'clock' | 'logger' | 'metrics' | 'onCertificate'> {
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
}

/**
 * Starts to issue certificates for the webhooks of an operator, under the names in its generated manifests.
 *
 * @throws OperatorError when the namespace of the operator is not known
 */
export function startIssuer(authority: WebhookAuthority, parts: IssuerParts): CertificateIssuer {
  const { client, operator: name, objectNames: renamed = [], namespace = client.config.namespace } = authority;
  const { models, watchNamespaces, signal, ...rest } = parts;
  if (namespace === undefined)
    throw new OperatorError(`the namespace of the operator ${name} is not known`, {
      code: 'E_CERTIFICATE',
      hint: 'run the operator in a pod, or select a context with a namespace in the kubeconfig',
    });
  const owner = { name, namespace, models, watchNamespaces, renamed };
  const targets = injectionTargetsOf(injectionTargets(owner));
  const secret = authoritySecretName(owner);
  const { clock, logger } = parts;
  // All replicas write the caBundle, without leader election.
  const events = new EventRecorder({ client, clock, logger, fence: () => undefined });
  const objects = { namespace, secret, hosts: webhookHosts(owner), targets };
  const issuer = new CertificateIssuer({ ...rest, ...objects, client, operator: name, events }, signal);
  for (const target of targets) void watchTarget(client, target, parts.clock, signal, () => issuer.request());
  issuer.request();
  return issuer;
}

/** Calls back when an object changes, until the end of the run. The issuer reports lasting errors. */
async function watchTarget(
  client: Client,
  { kind, name }: InjectionTarget,
  clock: Clock,
  signal: AbortSignal,
  onChange: () => void,
): Promise<void> {
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  while (!signal.aborted) {
    try {
      await client.streamWatch(kind, { fieldSelector: `metadata.name=${name}`, signal }, onChange);
    } catch {
      // The issuer also looks without events.
    }
    await Promise.race([sleep(clock, WATCH_AGAIN_MS), ended]);
  }
}
