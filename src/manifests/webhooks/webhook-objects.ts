import { resourceName } from '../../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { hasConversion } from '../../resource/conversion/kind-conversion-of.js';
import { commonLabels } from '../labels.js';
import type { Operator } from '../operator.js';
import { authoritySecretName, configurationPrefix, webhookHosts, webhookServiceName } from './injection-targets.js';
import { webhookConfigurations } from './webhook-configurations.js';

export const WEBHOOK_PORT = 9443;
/** The folder in which controller-runtime expects the certificate too. */
export const CERTIFICATE_FOLDER = '/tmp/k8s-webhook-server/serving-certs';
/** The annotation that names the Certificate of cert-manager. */
export const INJECTION = 'cert-manager.io/inject-ca-from';

/** The objects of an operator that its webhooks require in addition to its Deployment. */
export interface WebhookObjects {
  /** The Secret of the authority, or Issuer and Certificate of cert-manager; empty with `certificates: files`. */
  readonly certificates: readonly UnstructuredObject[];
  readonly service: UnstructuredObject;
  /** Undefined with one replica, which it would keep from being moved to another node. */
  readonly disruptionBudget: UnstructuredObject | undefined;
  /** To be applied when the webhooks are served. */
  readonly configurations: readonly UnstructuredObject[];
}

/** Returns true if the operator serves webhooks, for admission or conversion. */
export function hasWebhooks({ models }: Pick<Operator, 'models'>): boolean {
  return models.some(({ webhooks, target }) => webhooks.length > 0 || hasConversion(target));
}

/** Returns the definition with the address at which the operator converts its objects, if the operator does. */
export function withConversion(definition: UnstructuredObject, operator: Operator): UnstructuredObject {
  const isConverted = operator.models.some(
    ({ kind, target }) => resourceName(kind) === definition.metadata.name && hasConversion(target),
  );
  if (!isConverted) return definition;
  const { annotations, ...metadata } = definition.metadata;
  const injected = { ...annotations, ...injection(operator) };
  const service = { name: webhookServiceName(operator), namespace: operator.namespace, path: '/convert' };
  const webhook = { clientConfig: { service }, conversionReviewVersions: ['v1'] };
  return {
    ...definition,
    metadata: { ...(Object.keys(injected).length > 0 && { annotations: injected }), ...metadata },
    spec: { conversion: { strategy: 'Webhook', webhook }, ...(definition['spec'] as object) },
  };
}

/** The annotation by which cert-manager sets the `caBundle`. */
function injection(operator: Operator): Record<string, string> {
  if (operator.certificates !== 'cert-manager') return {};
  return { [INJECTION]: `${operator.namespace}/${certificateName(operator)}` };
}

/** The objects for the webhooks of an operator; undefined if it has none. */
export function webhookObjects(operator: Operator): WebhookObjects | undefined {
  if (!hasWebhooks(operator)) return undefined;
  return {
    certificates: certificates(operator),
    service: service(operator),
    disruptionBudget: (operator.deployment.replicas ?? 2) > 1 ? disruptionBudget(operator) : undefined,
    configurations: configurations(operator),
  };
}

function certificates(operator: Operator): UnstructuredObject[] {
  if (operator.certificates === 'files') return [];
  if (operator.certificates === 'cert-manager') return [issuer(operator), certificate(operator)];
  return [authoritySecret(operator)];
}

/**
 * Without data: the operator creates the authority, and appliers of the manifests leave it as it is. An operator that
 * creates the Secret itself would need permission to create any Secret, tokens of other accounts included.
 */
function authoritySecret(operator: Operator): UnstructuredObject {
  const named = metadata(operator, authoritySecretName(operator));
  return { apiVersion: 'v1', kind: 'Secret', metadata: named, type: 'Opaque' };
}

/** The Secret of type kubernetes.io/tls with the certificate of the webhooks. */
export function certificateSecret({ name }: Operator): string {
  return `${name}-webhook-server-cert`;
}

/** The labels of the operator's pods. */
export function podLabels({ name }: Operator): Record<string, string> {
  return { 'app.kubernetes.io/name': name, 'control-plane': 'controller-manager' };
}

function service(operator: Operator): UnstructuredObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(operator, webhookServiceName(operator)),
    spec: {
      ports: [{ name: 'webhooks', port: 443, protocol: 'TCP', targetPort: WEBHOOK_PORT }],
      selector: podLabels(operator),
    },
  };
}

function disruptionBudget(operator: Operator): UnstructuredObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata(operator, `${operator.name}-controller-manager`),
    spec: { minAvailable: 1, selector: { matchLabels: podLabels(operator) } },
  };
}

function issuer(operator: Operator): UnstructuredObject {
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Issuer',
    metadata: metadata(operator, `${operator.name}-selfsigned-issuer`),
    spec: { selfSigned: {} },
  };
}

function certificate(operator: Operator): UnstructuredObject {
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: metadata(operator, certificateName(operator)),
    spec: {
      dnsNames: webhookHosts(operator),
      issuerRef: { kind: 'Issuer', name: `${operator.name}-selfsigned-issuer` },
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
      secretName: certificateSecret(operator),
    },
  };
}

/** The Certificate of cert-manager. */
export function certificateName({ name }: Operator): string {
  return `${name}-serving-cert`;
}

/** Without a caBundle: the operator, cert-manager or the user sets it, and applying the manifests again must not remove it. */
function configurations(operator: Operator): UnstructuredObject[] {
  const { namespace, watchNamespaces, models } = operator;
  return webhookConfigurations(models, {
    name: configurationPrefix(operator),
    labels: commonLabels(operator),
    ...(operator.certificates === 'cert-manager' && { annotations: injection(operator) }),
    namespaces: watchNamespaces,
    ownNamespace: namespace,
    clientConfig: (path) => ({ service: { name: webhookServiceName(operator), namespace, path } }),
  });
}

function metadata(operator: Operator, name: string): UnstructuredObject['metadata'] {
  return { name, namespace: operator.namespace, labels: commonLabels(operator) };
}
