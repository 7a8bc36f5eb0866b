import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { commonLabels } from '../labels.js';
import type { Operator } from '../operator.js';
import { hasWebhooks, podLabels, WEBHOOK_PORT } from '../webhooks/webhook-objects.js';

/** Port of `/metrics` when metrics are enabled. */
export const METRICS_PORT = 8080;

/** The endpoint of a ServiceMonitor that is scraped over HTTPS with a bearer token. */
export const SECURE_ENDPOINT = {
  path: '/metrics',
  port: 'https',
  scheme: 'https',
  // The certificate of `--metrics-auth` is self-signed. One of `--metrics-cert-dir` can be verified instead: with
  // `ca` and `serverName` in place of `insecureSkipVerify`.
  tlsConfig: { insecureSkipVerify: true },
  bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
};

/**
 * The Service of the operator's metrics, which `--metrics-auth` serves over HTTPS.
 *
 * @param served - the port, which can be a template of a chart
 */
export function metricsService(
  operator: Operator,
  { name, port }: { readonly name: string; readonly port: number | string } = {
    name: SECURE_ENDPOINT.port,
    port: METRICS_PORT,
  },
): UnstructuredObject {
  const isLong = `${operator.name}-controller-manager-metrics-service`.length > 63; // the limit of Service names
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: operatorMetadata(operator, isLong ? 'metrics-service' : 'controller-manager-metrics-service'),
    spec: {
      ports: [{ name, port, protocol: 'TCP', targetPort: port }],
      selector: podLabels(operator),
    },
  };
}

/** Makes the Prometheus operator scrape the metrics. */
export function serviceMonitor(
  operator: Operator,
  endpoint: Readonly<Record<string, unknown>> = SECURE_ENDPOINT,
): UnstructuredObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: operatorMetadata(operator, 'controller-manager-metrics-monitor'),
    spec: {
      endpoints: [endpoint],
      selector: { matchLabels: podLabels(operator) },
    },
  };
}

/**
 * Permits only namespaces with the label `metrics: enabled` to scrape the metrics. API servers may call the webhooks: the
 * pods that a policy selects accept nothing else, and control planes often run outside of the pod network.
 */
export function metricsNetworkPolicy(operator: Operator, port: number | string = METRICS_PORT): UnstructuredObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: operatorMetadata(operator, 'allow-metrics-traffic'),
    spec: {
      podSelector: { matchLabels: podLabels(operator) },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { metrics: 'enabled' } } }],
          ports: [{ port, protocol: 'TCP' }],
        },
        ...(hasWebhooks(operator) ? [{ ports: [{ port: WEBHOOK_PORT, protocol: 'TCP' }] }] : []),
      ],
    },
  };
}

/** The name, namespace and labels of an object that belongs to an operator. */
export function operatorMetadata(operator: Operator, suffix: string): UnstructuredObject['metadata'] {
  return {
    name: `${operator.name}-${suffix}`,
    namespace: operator.namespace,
    labels: { ...commonLabels(operator), 'control-plane': 'controller-manager' },
  };
}
