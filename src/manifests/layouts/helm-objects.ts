import type { UnstructuredObject } from '../../api/kube-object.js';
import { stringifyYaml } from '../../base/yaml.js';
import { CONSOLE_ARGUMENT } from '../access/console-roles.js';
import { CERTIFICATE_MOUNT, certificateVolume, mountsCertificate } from '../deployment.js';
import type { Operator } from '../operator.js';
import {
  METRICS_PORT,
  SECURE_ENDPOINT,
  metricsNetworkPolicy,
  metricsService,
  serviceMonitor,
} from '../monitoring/metrics-objects.js';
import type { HelmTemplate } from './helm-template.js';
import type { OperatorManifests } from './operator-manifests.js';

const LABELS = '{{- with .Values.extraLabels }}\n{{- toYaml . | nindent 4 }}\n{{- end }}';
/** Several replicas must not reconcile at the same time, even if the value disables leader election. */
const LEADER_ELECTION = 'or .Values.leaderElection.enabled (gt (int .Values.replicas) 1)';
const ACCOUNT_ANNOTATIONS = 'mergeOverwrite (dict) .Values.extraAnnotations .Values.serviceAccount.annotations';
const METRICS = '.Values.metrics.enabled';
/** Without authentication, metrics are served over HTTP. */
const METRICS_SCHEME = 'ternary "https" "http" .Values.metrics.auth.enabled';
const SERVICE_MONITOR = `and ${METRICS} .Values.metrics.serviceMonitor.enabled`;
const METRICS_AUTH = `and ${METRICS} .Values.metrics.auth.enabled`;
/** False without the value, which a chart lacks if its arguments enable the console. */
const CONSOLE = '(.Values.console).enabled';

/** The templates of an operator by file, without its definitions. */
export function helmTemplates(manifests: OperatorManifests, template: HelmTemplate): Record<string, string> {
  const { operator } = manifests;
  const write = (object: UnstructuredObject, condition?: string): string =>
    template.write(placed(object, template), condition);
  const isElection = ({ metadata }: UnstructuredObject): boolean => metadata.name.includes('-leader-election-');
  const access = (object: UnstructuredObject): string =>
    write(object, isElection(object) ? LEADER_ELECTION : undefined);
  return {
    'service-account': template.write(placed(manifests.serviceAccount, template, ACCOUNT_ANNOTATIONS)),
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
    'metrics-service': write(metricsService(operator, template.value(METRICS_SCHEME)), METRICS),
    'service-monitor': write(serviceMonitor(operator, metricsEndpoint(template)), SERVICE_MONITOR),
    'network-policy': write(metricsNetworkPolicy(operator), `and ${METRICS} .Values.metrics.networkPolicy.enabled`),
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
  { webhooks }: OperatorManifests,
  write: (object: UnstructuredObject, condition?: string) => string,
): Record<string, string> {
  if (!webhooks) return {};
  const { certificates, service, disruptionBudget, configurations } = webhooks;
  return {
    ...(certificates.length > 0 && { certificates: certificates.map((object) => write(object)).join('') }),
    'webhook-service': write(service),
    ...(disruptionBudget && { 'disruption-budget': write(disruptionBudget, 'gt (int .Values.replicas) 1') }),
    ...(configurations.length > 0 && { webhooks: configurations.map((object) => write(object)).join('') }),
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

interface PodTemplate {
  readonly metadata: UnstructuredObject['metadata'];
  readonly spec: { readonly containers: readonly [Container] } & Record<string, unknown>;
}

interface Container {
  readonly args: readonly string[];
  readonly ports: readonly unknown[];
  readonly [field: string]: unknown;
}

function deploymentTemplate({ operator, deployment }: OperatorManifests, template: HelmTemplate): UnstructuredObject {
  const spec = deployment['spec'] as { readonly template: PodTemplate } & Record<string, unknown>;
  const { metadata, spec: podSpec } = spec.template;
  const { serviceAccountName, containers, imagePullSecrets: _, volumes: __, ...rest } = podSpec;
  const below = (name: string, field = name): string =>
    `{{- with .Values.${name} }}\n${field}:\n  {{- toYaml . | nindent 8 }}\n{{- end }}`;
  return {
    ...deployment,
    spec: {
      ...spec,
      replicas: template.value('.Values.replicas'),
      template: {
        metadata: {
          annotations: { ...metadata.annotations, ...template.member(podMetadata('Annotations')) },
          labels: { ...metadata.labels, ...template.member(podMetadata('Labels')) },
        },
        spec: {
          serviceAccountName,
          ...rest,
          ...template.member(
            [
              below('image.pullSecrets', 'imagePullSecrets'),
              below('nodeSelector'),
              below('tolerations'),
              below('affinity'),
            ].join('\n'),
          ),
          containers: [containerTemplate(containers[0], operator, template)],
          ...volumesTemplate(operator, below('volumes'), template),
        },
      },
    },
  };
}

/** The volumes of the values, after that of the webhooks' certificate. */
function volumesTemplate(operator: Operator, values: string, template: HelmTemplate): Record<string, unknown> {
  if (!mountsCertificate(operator)) return template.member(values);
  const more = template.item('{{- with .Values.volumes }}\n{{- toYaml . | nindent 8 }}\n{{- end }}');
  return { volumes: [certificateVolume(operator), more] };
}

/** The mounts of the values, after that of the webhooks' certificate. */
function mountsTemplate(operator: Operator, values: string, template: HelmTemplate): Record<string, unknown> {
  if (!mountsCertificate(operator)) return template.member(values);
  const more = template.item('{{- with .Values.volumeMounts }}\n{{- toYaml . | nindent 12 }}\n{{- end }}');
  return { volumeMounts: [CERTIFICATE_MOUNT, more] };
}

function podMetadata(what: 'Labels' | 'Annotations'): string {
  const merged = `mergeOverwrite (dict) .Values.extra${what} .Values.pod${what}`;
  return `{{- with ${merged} }}\n{{- toYaml . | nindent 8 }}\n{{- end }}`;
}

function containerTemplate(container: Container, operator: Operator, template: HelmTemplate): Container {
  const { args: ownArgs = [] } = operator.deployment;
  const { args, ports, env: _, envFrom: __, volumeMounts: ___, ...rest } = container;
  const generated = args.slice(0, args.length - ownArgs.length); // those of the settings are the value extraArgs
  const below = (name: string): string =>
    `{{- with .Values.${name} }}\n${name}:\n  {{- toYaml . | nindent 12 }}\n{{- end }}`;
  const isElection = (arg: string): boolean => arg.startsWith('--leader-elect');
  const election = generated.filter(isElection).map((arg) => `- ${arg}`);
  const elected = template.item(`{{- if ${LEADER_ELECTION} }}\n${election.join('\n')}\n{{- end }}`);
  const metrics = `- --metrics-bind-address=:${METRICS_PORT}`;
  return {
    ...rest,
    image: template.value(IMAGE),
    imagePullPolicy: template.value('.Values.image.pullPolicy'),
    args: [
      ...new Set(generated.map((arg) => (isElection(arg) ? elected : arg))),
      template.item(`{{- if ${METRICS} }}\n${metrics}\n{{- end }}`),
      template.item(`{{- if ${METRICS_AUTH} }}\n- --metrics-auth\n{{- end }}`),
      template.item(`{{- if ${CONSOLE} }}\n- ${CONSOLE_ARGUMENT}\n{{- end }}`),
      template.item('{{- with .Values.extraArgs }}\n{{- toYaml . | nindent 12 }}\n{{- end }}'),
    ],
    ports: [
      ...ports,
      template.item(
        `{{- if ${METRICS} }}\n- name: metrics\n  containerPort: ${METRICS_PORT}\n  protocol: TCP\n{{- end }}`,
      ),
    ],
    resources: template.value('toYaml .Values.resources | nindent 12'),
    ...template.member(['env', 'envFrom'].map(below).join('\n')),
    ...mountsTemplate(operator, below('volumeMounts'), template),
  };
}

const IMAGE =
  'printf "%s%s" .Values.image.repository (.Values.image.digest | empty | ternary (printf ":%s" (.Values.image.tag | default .Chart.AppVersion)) (printf "@%s" .Values.image.digest)) | quote';
