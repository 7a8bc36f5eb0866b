import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { hasConversion } from '../../resource/conversion/kind-conversion-of.js';
import { hasMembers, isElected, isSharded } from '../access/access.js';
import { metricsService, operatorMetadata } from './metrics-objects.js';
import type { Operator } from '../operator.js';
import { hasWebhooks } from '../webhooks/webhook-objects.js';
import { OperatorQueries } from './monitored-metrics.js';

interface Panel {
  readonly title: string;
  readonly unit: 'short' | 'reqps' | 's' | 'bytes' | 'ops';
  readonly expr: string;
  readonly legend: string;
}

const PANEL = { width: 12, height: 8 };
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** A ConfigMap with a dashboard, which the sidecar of Grafana's Helm chart loads by its label `grafana_dashboard`. */
export function dashboardConfigMap(operator: Operator): UnstructuredObject {
  const { labels, ...metadata } = operatorMetadata(operator, 'dashboard');
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, labels: { ...labels, grafana_dashboard: '1' } },
    data: { [`${operator.name}.json`]: `${JSON.stringify(dashboard(operator), undefined, 2)}\n` },
  };
}

/** A dashboard in the JSON model of Grafana 9 and later. The namespace is a variable of it. */
function dashboard(operator: Operator): object {
  const job = metricsService(operator).metadata.name;
  const queries = new OperatorQueries(`job="${job}",namespace="$namespace"`);
  return {
    title: `Operator ${operator.name}`,
    uid: `operator-${operator.name}`.slice(0, 40),
    tags: ['kindwright', 'operator'],
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          name: 'namespace',
          label: 'Namespace',
          type: 'query',
          datasource: DATASOURCE,
          query: `label_values(workqueue_depth{job="${job}"}, namespace)`,
          refresh: 2,
        },
      ],
    },
    panels: panelsOf(operator, queries).map(({ title, unit, expr, legend }, index) => ({
      id: index + 1,
      title,
      type: 'timeseries',
      datasource: DATASOURCE,
      gridPos: {
        w: PANEL.width,
        h: PANEL.height,
        x: (index % 2) * PANEL.width,
        y: Math.floor(index / 2) * PANEL.height,
      },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: [{ refId: 'A', datasource: DATASOURCE, expr, legendFormat: legend }],
    })),
  };
}

function panelsOf(operator: Operator, queries: OperatorQueries): Panel[] {
  return [
    {
      title: 'Reconciles by result',
      unit: 'ops',
      expr: queries.rate('controller_runtime_reconcile_total', ['controller', 'result']),
      legend: '{{controller}} {{result}}',
    },
    {
      title: 'Length of reconciles, 99th percentile',
      unit: 's',
      expr: queries.p99('controller_runtime_reconcile_time_seconds', 'controller'),
      legend: '{{controller}}',
    },
    {
      title: 'Objects that wait',
      unit: 'short',
      expr: queries.max('workqueue_depth', 'controller'),
      legend: '{{controller}}',
    },
    {
      title: 'Age of the oldest object that waits',
      unit: 's',
      expr: queries.max('workqueue_oldest_waiting_seconds', 'controller'),
      legend: '{{controller}}',
    },
    {
      title: 'Time in the queue, 99th percentile',
      unit: 's',
      expr: queries.p99('workqueue_queue_duration_seconds', 'controller'),
      legend: '{{controller}}',
    },
    {
      title: 'Busy workers',
      unit: 'short',
      expr: queries.max('controller_runtime_active_workers', 'controller'),
      legend: '{{controller}}',
    },
    {
      title: 'Retries',
      unit: 'ops',
      expr: queries.rate('workqueue_retries_total', ['controller']),
      legend: '{{controller}}',
    },
    {
      title: 'Requests to the API server',
      unit: 'reqps',
      expr: queries.rate('rest_client_requests_total', ['method', 'code']),
      legend: '{{method}} {{code}}',
    },
    {
      title: 'Missed watch events',
      unit: 'short',
      expr: queries.increase('kindwright_watch_missed_events_total', '1h', 'resource'),
      legend: '{{resource}}',
    },
    {
      title: 'Memory',
      unit: 'bytes',
      expr: queries.max('process_resident_memory_bytes'),
      legend: 'resident',
    },
    {
      title: 'Lag of the event loop, 99th percentile',
      unit: 's',
      expr: queries.max('nodejs_eventloop_lag_p99_seconds'),
      legend: 'lag',
    },
    ...(hasMembers(operator) ? [clusterPanel(queries)] : []),
    ...(isSharded(operator) ? [shardPanel(queries)] : []),
    ...(isElected(operator) ? [leaderPanel(queries)] : []),
    ...(hasWebhooks(operator) ? webhookPanels(queries) : []),
    ...(operator.models.some(({ target }) => hasConversion(target)) ? [conversionPanel(queries)] : []),
  ];
}

function clusterPanel(queries: OperatorQueries): Panel {
  return {
    title: 'Other clusters: 1 while they are watched',
    unit: 'short',
    expr: queries.max('kindwright_cluster_connected', 'cluster'),
    legend: '{{cluster}}',
  };
}

function shardPanel(queries: OperatorQueries): Panel {
  return {
    title: 'Parts of the objects that replicas work on: 1024 are all',
    unit: 'short',
    expr: queries.sum('kindwright_shard_slots'),
    legend: 'slots',
  };
}

function leaderPanel(queries: OperatorQueries): Panel {
  return {
    title: 'Leader: 1 while a process holds the lease',
    unit: 'short',
    expr: queries.max('leader_election_master_status', 'name'),
    legend: '{{name}}',
  };
}

function webhookPanels(queries: OperatorQueries): Panel[] {
  return [
    {
      title: 'Webhook requests by status code',
      unit: 'reqps',
      expr: queries.rate('controller_runtime_webhook_requests_total', ['webhook', 'code']),
      legend: '{{webhook}} {{code}}',
    },
    {
      title: 'Latency of webhooks, 99th percentile',
      unit: 's',
      expr: queries.p99('controller_runtime_webhook_latency_seconds', 'webhook'),
      legend: '{{webhook}}',
    },
  ];
}

function conversionPanel(queries: OperatorQueries): Panel {
  return {
    title: 'Converted objects by version',
    unit: 'ops',
    expr: queries.rate('kindwright_conversion_objects_total', ['kind', 'from', 'to']),
    legend: '{{kind}} {{from}} to {{to}}',
  };
}
