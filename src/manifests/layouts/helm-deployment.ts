import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { CONSOLE_ARGUMENT } from '../access/console-roles.js';
import { CERTIFICATE_MOUNT, certificateVolume, mountsCertificate } from '../deployment.js';
import type { Operator } from '../operator.js';
import { CONSOLE, LEADER_ELECTION, METRICS, METRICS_AUTH, WEBHOOKS } from './helm-conditions.js';
import type { HelmTemplate } from './helm-template.js';
import { isWebhookOptional } from './helm-values.js';
import type { OperatorManifests } from './operator-manifests.js';

/** The template of a pod in a Deployment or a Job, with the values of the chart. */
export interface TemplatedPod {
  readonly metadata: Pick<UnstructuredObject['metadata'], 'labels' | 'annotations'>;
  readonly spec: { readonly containers: readonly [Container] } & Record<string, unknown>;
}

interface Container {
  readonly args: readonly string[];
  readonly ports: readonly unknown[];
  readonly [field: string]: unknown;
}

/** The Deployment of an operator. */
export function deploymentTemplate(manifests: OperatorManifests, template: HelmTemplate): UnstructuredObject {
  const { deployment } = manifests;
  const spec = deployment['spec'] as Record<string, unknown>;
  const replicas = template.value('.Values.replicas');
  return { ...deployment, spec: { ...spec, replicas, template: podTemplate(manifests, template) } };
}

/** The pods of an operator. */
export function podTemplate({ operator, deployment }: OperatorManifests, template: HelmTemplate): TemplatedPod {
  const { metadata, spec: podSpec } = (deployment['spec'] as { readonly template: TemplatedPod }).template;
  const { serviceAccountName, containers, ...rest } = podSpec;
  const { imagePullSecrets: _, volumes: __, topologySpreadConstraints: ___, ...generated } = rest;
  return {
    metadata: {
      annotations: { ...metadata.annotations, ...podMetadata('Annotations', template) },
      labels: { ...metadata.labels, ...podMetadata('Labels', template) },
    },
    spec: {
      serviceAccountName,
      ...generated,
      securityContext: template.value('toYaml .Values.podSecurityContext | nindent 8'),
      terminationGracePeriodSeconds: template.value('.Values.terminationGracePeriodSeconds'),
      ...template.member(PLACEMENT),
      containers: [containerTemplate(containers[0], operator, template)],
      ...volumesTemplate(operator, template),
    },
  };
}

const PLACEMENT = [
  below('image.pullSecrets', 'imagePullSecrets', 8),
  '{{- with .Values.priorityClassName }}\npriorityClassName: {{ . | quote }}\n{{- end }}',
  ...['topologySpreadConstraints', 'nodeSelector', 'tolerations', 'affinity'].map((name) => below(name, name, 8)),
].join('\n');

/** A member with the YAML of a value, if the value is not empty. */
function below(value: string, member: string, indent: number): string {
  return `{{- with .Values.${value} }}\n${member}:\n  {{- toYaml . | nindent ${indent} }}\n{{- end }}`;
}

/** The volumes of the values, after that of the webhooks' certificate. */
function volumesTemplate(operator: Operator, template: HelmTemplate): Record<string, unknown> {
  return withCertificate('volumes', certificateVolume(operator), 8, { operator, template });
}

/** The mounts of the values, after that of the webhooks' certificate. */
function mountsTemplate(operator: Operator, template: HelmTemplate): Record<string, unknown> {
  return withCertificate('volumeMounts', CERTIFICATE_MOUNT, 12, { operator, template });
}

function withCertificate(
  name: 'volumes' | 'volumeMounts',
  item: object,
  indent: number,
  { operator, template }: { readonly operator: Operator; readonly template: HelmTemplate },
): Record<string, unknown> {
  if (!mountsCertificate(operator)) return template.member(below(name, name, indent));
  const more = template.item(`{{- with .Values.${name} }}\n{{- toYaml . | nindent ${indent} }}\n{{- end }}`);
  if (!isWebhookOptional(operator)) return { [name]: [item, more] };
  return { [name]: [template.item(`{{- if ${WEBHOOKS} }}\n- ${JSON.stringify(item)}\n{{- end }}`), more] };
}

function podMetadata(what: 'Labels' | 'Annotations', template: HelmTemplate): Record<string, string> {
  const merged = `mergeOverwrite (dict) .Values.extra${what} .Values.pod${what}`;
  const text = `{{- with ${merged} }}\n{{- toYaml . | nindent 8 }}\n{{- end }}`;
  return template.member(text) as Record<string, string>;
}

function containerTemplate(container: Container, operator: Operator, template: HelmTemplate): Container {
  const { args, ports, env: _, envFrom: __, volumeMounts: ___, ...rest } = container;
  const metricsPort = `- name: metrics\n  containerPort: {{ .Values.metrics.port }}\n  protocol: TCP`;
  return {
    ...rest,
    image: template.value(IMAGE),
    imagePullPolicy: template.value('.Values.image.pullPolicy'),
    args: argumentTemplates(args, operator, template),
    ports: [...ports, template.item(`{{- if ${METRICS} }}\n${metricsPort}\n{{- end }}`)],
    resources: template.value('toYaml .Values.resources | nindent 12'),
    securityContext: template.value('toYaml .Values.securityContext | nindent 12'),
    ...template.member(['env', 'envFrom'].map((name) => below(name, name, 12)).join('\n')),
    ...mountsTemplate(operator, template),
  };
}

/** Arguments that values of the chart add, and the generated ones, of which a value can remove some. */
function argumentTemplates(args: readonly string[], operator: Operator, template: HelmTemplate): string[] {
  const { args: ownArgs = [] } = operator.deployment;
  const generated = args.slice(0, args.length - ownArgs.length); // those of the settings are the value extraArgs
  const isElection = (arg: string): boolean => arg.startsWith('--leader-elect');
  const election = generated.filter(isElection).map((arg) => `- ${arg}`);
  const elected = template.item(`{{- if ${LEADER_ELECTION} }}\n${election.join('\n')}\n{{- end }}`);
  const isOptional = isWebhookOptional(operator);
  const replaced = generated.map((arg) => {
    if (isElection(arg)) return elected;
    const isServing = isOptional && /^--webhook-(authority|cert-dir)=/.test(arg);
    return isServing ? template.item(`{{- if ${WEBHOOKS} }}\n- ${arg}\n{{- end }}`) : arg;
  });
  return [
    ...new Set(replaced),
    template.item(`{{- if ${METRICS} }}\n- --metrics-bind-address=:{{ .Values.metrics.port }}\n{{- end }}`),
    template.item(`{{- if ${METRICS_AUTH} }}\n- --metrics-auth\n{{- end }}`),
    template.item(`{{- if ${CONSOLE} }}\n- ${CONSOLE_ARGUMENT}\n{{- end }}`),
    template.item('{{- with .Values.extraArgs }}\n{{- toYaml . | nindent 12 }}\n{{- end }}'),
  ];
}

const IMAGE =
  'printf "%s%s" .Values.image.repository (.Values.image.digest | empty | ternary (printf ":%s" (.Values.image.tag | default .Chart.AppVersion)) (printf "@%s" .Values.image.digest)) | quote';
