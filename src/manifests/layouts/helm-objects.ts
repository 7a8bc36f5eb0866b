import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { stringifyYaml } from '../../base/yaml.js';
import { userRoles } from '../access/user-roles.js';
import {
  SECURE_ENDPOINT,
  metricsNetworkPolicy,
  metricsService,
  serviceMonitor,
} from '../monitoring/metrics-objects.js';
import { CONSOLE, LEADER_ELECTION, METRICS, METRICS_AUTH, WEBHOOKS } from './helm-conditions.js';
import { deploymentTemplate } from './helm-deployment.js';
import type { HelmTemplate } from './helm-template.js';
import { uninstallTemplate } from './helm-uninstall.js';
import { isWebhookOptional } from './helm-values.js';
import type { OperatorManifests } from './operator-manifests.js';

const LABELS = '{{- with .Values.extraLabels }}\n{{- toYaml . | nindent 4 }}\n{{- end }}';
const ACCOUNT_ANNOTATIONS = 'mergeOverwrite (dict) .Values.extraAnnotations .Values.serviceAccount.annotations';
/** Without authentication, metrics are served over HTTP. */
const METRICS_SCHEME = 'ternary "https" "http" .Values.metrics.auth.enabled';
const SERVICE_MONITOR = `and ${METRICS} .Values.metrics.serviceMonitor.enabled`;
const METRICS_PORT = '.Values.metrics.port';

/** The templates of an operator by file, without its definitions. */
export function helmTemplates(manifests: OperatorManifests, template: HelmTemplate): Record<string, string> {
  const { operator } = manifests;
  const write = (object: UnstructuredObject, condition?: string): string =>
    template.write(placed(object, template), condition);
  const helpers = new Set(userRoles(operator).map(({ name }) => name));
  const access = (object: UnstructuredObject): string => {
    const { name } = object.metadata;
    if (helpers.has(name)) return write(object, '.Values.rbac.helpers.enabled');
    return write(object, name.includes('-leader-election-') ? LEADER_ELECTION : undefined);
  };
  return {
    'service-account': template.write(
      placed(manifests.serviceAccount, template, ACCOUNT_ANNOTATIONS),
      '.Values.serviceAccount.create',
    ),
    roles: manifests.roles.map(access).join(''),
    'role-bindings': manifests.bindings.map(access).join(''),
    deployment: write(deploymentTemplate(manifests, template)),
    ...webhookTemplates(manifests, write),
    ...(manifests.policies.length > 0 && { policies: manifests.policies.map((object) => write(object)).join('') }),
    ...monitoringTemplates(manifests, write),
    'metrics-roles': manifests.metricsRoles.map((object) => write(object, METRICS_AUTH)).join(''),
    ...(manifests.consoleRoles.length > 0 && {
      'console-roles': manifests.consoleRoles.map((object) => write(object, CONSOLE)).join(''),
    }),
    'metrics-service': write(
      metricsService(operator, { name: template.value(METRICS_SCHEME), port: template.value(METRICS_PORT) }),
      METRICS,
    ),
    'service-monitor': write(serviceMonitor(operator, metricsEndpoint(template)), SERVICE_MONITOR),
    'network-policy': write(
      metricsNetworkPolicy(operator, template.value(METRICS_PORT)),
      `and ${METRICS} .Values.metrics.networkPolicy.enabled`,
    ),
    ...uninstallTemplate(manifests, template, (object) => placed(object, template)),
  };
}

/** The alerts select what the ServiceMonitor scrapes, and need the Prometheus operator too. */
function monitoringTemplates(
  { monitoring }: OperatorManifests,
  write: (object: UnstructuredObject, condition?: string) => string,
): Record<string, string> {
  if (!monitoring) return {};
  const [alerts, ofElection] = monitoring.alerts;
  return {
    alerts: [
      ...(alerts ? [write(alerts, SERVICE_MONITOR)] : []),
      ...(ofElection ? [write(ofElection, `${SERVICE_MONITOR} (${LEADER_ELECTION})`)] : []),
    ].join(''),
    dashboard: write(monitoring.dashboard, METRICS),
  };
}

function metricsEndpoint(template: HelmTemplate): Record<string, unknown> {
  const { path, port: _, scheme: __, ...credentials } = SECURE_ENDPOINT;
  const secure = `{{- if .Values.metrics.auth.enabled }}\n${stringifyYaml(credentials)}{{- end }}`;
  const scheme = template.value(METRICS_SCHEME);
  return { path, port: scheme, scheme, ...template.member(secure) };
}

/** Templates of the webhooks. The disruption budget would keep a single pod from being moved to another node. */
function webhookTemplates(
  { webhooks, operator }: OperatorManifests,
  write: (object: UnstructuredObject, condition?: string) => string,
): Record<string, string> {
  if (!webhooks) return {};
  const { certificates, service, disruptionBudget, configurations } = webhooks;
  const isOptional = isWebhookOptional(operator);
  const each = (object: UnstructuredObject): string => write(object, isOptional ? WEBHOOKS : undefined);
  const isReplicated = 'gt (int .Values.replicas) 1';
  const disruption = isOptional ? `and ${WEBHOOKS} (${isReplicated})` : isReplicated;
  return {
    ...(certificates.length > 0 && { certificates: certificates.map(each).join('') }),
    'webhook-service': each(service),
    ...(disruptionBudget && { 'disruption-budget': write(disruptionBudget, disruption) }),
    ...(configurations.length > 0 && { webhooks: configurations.map(each).join('') }),
  };
}

/** A definition, which Helm keeps on uninstall by default because its objects would be deleted with it. */
export function definitionTemplate(definition: UnstructuredObject, template: HelmTemplate): string {
  const { annotations, ...metadata } = definition.metadata;
  const keep = 'helm.sh/resource-policy: keep';
  const kept =
    annotations === undefined
      ? template.member(`{{- if .Values.crds.keep }}\nannotations:\n  ${keep}\n{{- end }}`)
      : { annotations: { ...annotations, ...template.member(`{{- if .Values.crds.keep }}\n${keep}\n{{- end }}`) } };
  return template.write({ ...definition, metadata: { ...metadata, ...kept } }, '.Values.crds.install');
}

/** An object with the labels and annotations of the values. */
function placed(
  object: UnstructuredObject,
  template: HelmTemplate,
  extraAnnotations = '.Values.extraAnnotations',
): UnstructuredObject {
  const more = `{{- with ${extraAnnotations} }}\n{{- toYaml . | nindent 4 }}\n{{- end }}`;
  const whole = `{{- with ${extraAnnotations} }}\nannotations:\n  {{- toYaml . | nindent 4 }}\n{{- end }}`;
  const { labels, annotations, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...labels, ...(template.member(LABELS) as Record<string, string>) },
      ...(annotations ? { annotations: { ...annotations, ...template.member(more) } } : template.member(whole)),
    },
  };
}
