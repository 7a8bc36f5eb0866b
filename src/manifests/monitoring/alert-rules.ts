import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { hasMembers, isElected, isSharded } from '../access/access.js';
import { metricsService, operatorMetadata } from './metrics-objects.js';
import type { Operator } from '../operator.js';
import { hasWebhooks } from '../webhooks/webhook-objects.js';
import { OperatorQueries } from './monitored-metrics.js';

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: 'critical' | 'warning' };
  readonly annotations: { readonly summary: string; readonly description: string };
}

/**
 * The alerts of an operator, for the Prometheus operator; that of leader election is an object of its own. They select the
 * series that the generated ServiceMonitor scrapes. The namespace is that of the operator, or a template for it.
 */
export function alertRules(operator: Operator, namespace: string): UnstructuredObject[] {
  const { name } = operator;
  const job = metricsService(operator).metadata.name;
  const queries = new OperatorQueries(`job="${job}",namespace="${namespace}"`);
  const rules = [
    ...reconcileAlerts(name, queries),
    ...queueAlerts(name, queries),
    ...clusterAlerts(operator, queries),
    ...shardAlerts(operator, queries),
    ...webhookAlerts(operator, queries),
  ];
  return [
    prometheusRule(operator, 'alerts', rules),
    ...(isElected(operator) ? [prometheusRule(operator, 'leader-election-alerts', [leaderAlert(name, queries)])] : []),
  ];
}

function prometheusRule(operator: Operator, suffix: string, rules: readonly AlertRule[]): UnstructuredObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: operatorMetadata(operator, suffix),
    spec: { groups: [{ name: `${operator.name}-${suffix}`, rules }] },
  };
}

function reconcileAlerts(name: string, queries: OperatorQueries): AlertRule[] {
  const failed = queries.rate('controller_runtime_reconcile_total', ['controller'], ['result', 'error']);
  const all = queries.rate('controller_runtime_reconcile_total', ['controller']);
  return [
    {
      alert: 'OperatorReconcileErrors',
      expr: `${failed} / ${all} > 0.1`,
      for: '15m',
      labels: { severity: 'warning' },
      annotations: {
        summary: `${name}: more than 10% of the reconciles of {{ $labels.controller }} fail`,
        description: 'The log and the Events of the objects contain the errors.',
      },
    },
    {
      alert: 'OperatorReconcileTimeouts',
      expr: `${queries.increase('controller_runtime_reconcile_timeouts_total', '15m', 'controller')} > 0`,
      labels: { severity: 'warning' },
      annotations: {
        summary: `${name}: reconciles of {{ $labels.controller }} time out`,
        description:
          'A reconcile took longer than reconcileTimeout of @Controller. Pass ctx.signal to the calls that it waits for.',
      },
    },
    {
      alert: 'OperatorReconcilePanics',
      expr: `${queries.increase('controller_runtime_reconcile_panics_total', '15m', 'controller')} > 0`,
      labels: { severity: 'warning' },
      annotations: {
        summary: `${name}: reconciles of {{ $labels.controller }} fail with a TypeError or ReferenceError`,
        description: 'This is an error in the code of the operator. The log contains its line.',
      },
    },
  ];
}

function queueAlerts(name: string, queries: OperatorQueries): AlertRule[] {
  return [
    {
      alert: 'OperatorWorkqueueDepth',
      expr: `${queries.max('workqueue_depth', 'controller')} > 1000`,
      for: '15m',
      labels: { severity: 'warning' },
      annotations: {
        summary: `${name}: {{ $value }} objects wait for {{ $labels.controller }}`,
        description: 'Reconciles are slower than changes. Raise maxConcurrentReconciles, or make reconcile faster.',
      },
    },
    {
      alert: 'OperatorWorkqueueStalled',
      expr: `${queries.max('workqueue_oldest_waiting_seconds', 'controller')} > 600`,
      for: '5m',
      labels: { severity: 'warning' },
      annotations: {
        summary: `${name}: an object has waited {{ $value | humanizeDuration }} for {{ $labels.controller }}`,
        description: 'All workers are busy. Look for reconciles that do not return.',
      },
    },
    {
      alert: 'OperatorWatchMissedEvents',
      expr: `${queries.increase('kindwright_watch_missed_events_total', '1h', 'resource')} > 0`,
      labels: { severity: 'warning' },
      annotations: {
        summary: `${name}: a watch of {{ $labels.resource }} has missed events`,
        description: 'The cache was corrected. Look for a proxy or a server that drops watch events.',
      },
    },
  ];
}

function clusterAlerts(operator: Operator, queries: OperatorQueries): AlertRule[] {
  if (!hasMembers(operator)) return [];
  return [
    {
      alert: 'OperatorClusterDisconnected',
      expr: `${queries.max('kindwright_cluster_connected', 'cluster')} == 0`,
      for: '15m',
      labels: { severity: 'warning' },
      annotations: {
        summary: `${operator.name}: the cluster {{ $labels.cluster }} cannot be watched`,
        description:
          'Its objects are not reconciled. The log contains the cause. Check the kubeconfig and its permissions, or remove the cluster.',
      },
    },
  ];
}

/** The sum over all replicas while every object is reconciled. */
const SHARD_SLOTS = 1024;

function shardAlerts(operator: Operator, queries: OperatorQueries): AlertRule[] {
  if (!isSharded(operator)) return [];
  return [
    {
      alert: 'OperatorShardsWithoutReplica',
      expr: `(${queries.sum('kindwright_shard_slots')} or vector(0)) < ${SHARD_SLOTS}`,
      for: '5m',
      labels: { severity: 'critical' },
      annotations: {
        summary: `${operator.name}: replicas work on {{ $value }} of ${SHARD_SLOTS} parts of the objects`,
        description:
          'The other objects are not reconciled. Check that all pods run and are scraped, that they can update the Leases, and that no reconcile blocks the move of its object.',
      },
    },
  ];
}

function leaderAlert(name: string, queries: OperatorQueries): AlertRule {
  return {
    alert: 'OperatorWithoutLeader',
    expr: `(${queries.max('leader_election_master_status')} or vector(0)) == 0`,
    for: '5m',
    labels: { severity: 'critical' },
    annotations: {
      summary: `${name}: no process holds the lease`,
      description:
        'Nothing is reconciled. Check that the pods run and are scraped, and that they can update their Lease.',
    },
  };
}

function webhookAlerts(operator: Operator, queries: OperatorQueries): AlertRule[] {
  if (!hasWebhooks(operator)) return [];
  const { name, certificates } = operator;
  const failed = queries.rate('controller_runtime_webhook_requests_total', ['webhook'], ['code', '500']);
  const expires = queries.min('kindwright_webhook_certificate_expiration_timestamp_seconds', 'certificate');
  return [
    {
      alert: 'OperatorWebhookErrors',
      expr: `${failed} > 0`,
      for: '5m',
      labels: { severity: 'critical' },
      annotations: {
        summary: `${name}: the webhook {{ $labels.webhook }} fails`,
        description: 'Writes of its kinds can be rejected. The log contains the errors.',
      },
    },
    // Certificates of other sources are not read by the operator; cert-manager has metrics of its own.
    ...(certificates === 'self' ? [certificateAlert(name, expires)] : []),
  ];
}

/** Serving certificates are valid for seven days, and renewed days before they expire. */
function certificateAlert(name: string, expires: string): AlertRule {
  return {
    alert: 'OperatorCertificateExpiry',
    expr: `${expires} - time() < 86400`,
    for: '15m',
    labels: { severity: 'critical' },
    annotations: {
      summary: `${name}: the {{ $labels.certificate }} certificate of the webhooks expires in less than a day`,
      description: 'The operator has not renewed it. Check that it can update its Secret; the log contains the errors.',
    },
  };
}
