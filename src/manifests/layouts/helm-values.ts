import { stringifyYaml } from '../../base/yaml.js';
import { isElected, isSharded } from '../access/access.js';
import { DEFAULT_CONTAINER } from '../deployment.js';
import { commonLabels } from '../labels.js';
import { METRICS_PORT } from '../monitoring/metrics-objects.js';
import { hasConversion } from '../../resource/conversion/kind-conversion-of.js';
import { hasWebhooks, INJECTION, podLabels } from '../webhooks/webhook-objects.js';
import { imageParts } from './image-parts.js';
import type { Operator } from '../operator.js';
import type { OperatorManifests } from './operator-manifests.js';

/** A value of the chart: its default, JSON schema and description. */
interface ChartValue {
  readonly default: unknown;
  readonly schema: object;
  readonly about: string;
}

interface DeploymentSpec {
  readonly replicas: number;
  readonly template: {
    readonly spec: {
      readonly containers: readonly [Record<string, unknown>];
      readonly imagePullSecrets?: unknown;
      readonly securityContext: unknown;
      readonly terminationGracePeriodSeconds: number;
      readonly topologySpreadConstraints?: unknown;
    };
  };
}

const STRING = { type: 'string' };
const BOOLEAN = { type: 'boolean' };
const OBJECT = { type: 'object' };
const LIST = { type: 'array' };

/** An object without keys that the chart sets itself, which would otherwise be there twice. */
function withoutKeys(names: readonly string[]): object {
  return { ...OBJECT, propertyNames: { not: { enum: names } } };
}

const EXTRA_ANNOTATIONS = withoutKeys([DEFAULT_CONTAINER, INJECTION]);

/** Values that the chart gets as a dependency of another: of all charts, and the usual condition of the dependency. */
const OF_PARENTS = { global: OBJECT, enabled: BOOLEAN };

/** The values of an operator's chart, in the order of the file. */
function chartValues({
  operator,
  deployment,
  definitions,
  consoleRoles,
}: OperatorManifests): Record<string, ChartValue> {
  const { image, deployment: settings } = operator;
  const spec = deployment['spec'] as DeploymentSpec;
  const { containers, imagePullSecrets = [] } = spec.template.spec;
  const [{ resources, env, envFrom = [] }] = containers;
  const { volumes = [], volumeMounts = [] } = settings;
  const { newName: repository, newTag: tag = '', digest = '' } = imageParts(image);
  return {
    image: {
      about: 'Image of the operator; a digest takes precedence over the tag, whose default is appVersion.',
      default: { repository, tag, digest, pullPolicy: 'IfNotPresent', pullSecrets: imagePullSecrets },
      schema: fields({
        repository: STRING,
        tag: STRING,
        digest: STRING,
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
        pullSecrets: LIST,
      }),
    },
    replicas: {
      about: aboutReplicas(operator),
      default: spec.replicas,
      schema: { type: 'integer', minimum: 0 },
    },
    ...(isElected(operator) && {
      leaderElection: {
        about: 'Reconcile only while holding the Lease.',
        default: { enabled: true },
        schema: fields({ enabled: BOOLEAN }),
      },
    }),
    ...definitionValues(definitions),
    ...webhookValues(operator),
    metrics: METRICS_VALUES,
    ...(consoleRoles.length > 0 && {
      console: {
        about: 'Console for kindwright console: what users may list, read-only.',
        default: { enabled: false },
        schema: fields({ enabled: BOOLEAN }),
      },
    }),
    resources: { about: 'Resource requests and limits of the container.', default: resources, schema: OBJECT },
    extraArgs: {
      about: 'Additional arguments of run-operator.',
      default: settings.args ?? [],
      schema: { type: 'array', items: STRING },
    },
    env: { about: 'Environment variables of the container.', default: env, schema: LIST },
    envFrom: { about: 'ConfigMaps and Secrets with environment variables.', default: envFrom, schema: LIST },
    volumes: { about: 'Volumes of the pod.', default: volumes, schema: LIST },
    volumeMounts: { about: 'Mounts of the volumes in the container.', default: volumeMounts, schema: LIST },
    ...accessValues(),
    ...metadataValues(operator),
    ...podValues(spec),
  };
}

const METRICS_VALUES: ChartValue = {
  about:
    'Metrics. auth: over HTTPS, only to clients that RBAC permits to get /metrics; without it over HTTP;\n# serviceMonitor: requires the Prometheus operator; networkPolicy: only to namespaces with the label metrics=enabled.',
  default: {
    enabled: false,
    port: METRICS_PORT,
    auth: { enabled: true },
    serviceMonitor: { enabled: false },
    networkPolicy: { enabled: false },
  },
  schema: fields({
    enabled: BOOLEAN,
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    auth: fields({ enabled: BOOLEAN }),
    serviceMonitor: fields({ enabled: BOOLEAN }),
    networkPolicy: fields({ enabled: BOOLEAN }),
  }),
};

/** Values of the account and of the roles for users. */
function accessValues(): Record<string, ChartValue> {
  return {
    serviceAccount: {
      about:
        'create: false uses an account that exists; the default of the name is that of the Deployment. Annotations,\n# for example those of a cloud identity.',
      default: { create: true, name: '', annotations: {} },
      schema: fields({ create: BOOLEAN, name: STRING, annotations: EXTRA_ANNOTATIONS }),
    },
    rbac: {
      about: 'helpers: the roles admin, editor and viewer of each kind, which have no effect until they are bound.',
      default: { helpers: { enabled: true } },
      schema: fields({ helpers: fields({ enabled: BOOLEAN }) }),
    },
  };
}

function metadataValues(operator: Operator): Record<string, ChartValue> {
  const extraLabels = withoutKeys(Object.keys({ ...commonLabels(operator), ...podLabels(operator) }));
  const everywhere = 'On all objects except the definitions, and on the pods.';
  return {
    extraLabels: { about: everywhere, default: {}, schema: extraLabels },
    extraAnnotations: { about: everywhere, default: {}, schema: EXTRA_ANNOTATIONS },
    podLabels: { about: 'On the pods only.', default: {}, schema: extraLabels },
    podAnnotations: { about: 'On the pods only.', default: {}, schema: EXTRA_ANNOTATIONS },
  };
}

/** Values of the pod's placement and security. */
function podValues({ template: { spec } }: DeploymentSpec): Record<string, ChartValue> {
  const { securityContext, terminationGracePeriodSeconds, topologySpreadConstraints = [] } = spec;
  const [container] = spec.containers;
  return {
    podSecurityContext: { about: 'Security context of the pods.', default: securityContext, schema: OBJECT },
    securityContext: {
      about: 'Security context of the container.',
      default: container['securityContext'],
      schema: OBJECT,
    },
    terminationGracePeriodSeconds: {
      about: 'Time that running reconciles have to finish.',
      default: terminationGracePeriodSeconds,
      schema: { type: 'integer', minimum: 0 },
    },
    priorityClassName: { about: 'PriorityClass of the pods.', default: '', schema: STRING },
    topologySpreadConstraints: {
      about: 'Spread of the pods over nodes and zones.',
      default: topologySpreadConstraints,
      schema: LIST,
    },
    nodeSelector: { about: 'Labels of the nodes that the pods may run on.', default: {}, schema: OBJECT },
    tolerations: { about: 'Taints that the pods tolerate.', default: [], schema: LIST },
    affinity: { about: 'Affinity of the pods to nodes and other pods.', default: {}, schema: OBJECT },
  };
}

/** Returns true for an operator with webhooks that only review writes: without its conversions, objects could not be read. */
export function isWebhookOptional(operator: Operator): boolean {
  return hasWebhooks(operator) && !operator.models.some(({ target }) => hasConversion(target));
}

function webhookValues(operator: Operator): Record<string, ChartValue> {
  if (!isWebhookOptional(operator)) return {};
  const webhook = {
    about: 'Admission webhooks: without them, writes are neither changed nor checked by the operator.',
    default: { enabled: true },
    schema: fields({ enabled: BOOLEAN }),
  };
  return { webhook };
}

function definitionValues(definitions: OperatorManifests['definitions']): Record<string, ChartValue> {
  if (definitions.length === 0) return {};
  const crds = {
    about:
      'CustomResourceDefinitions: install and upgrade them with the chart; keep them, with all their objects, when it is\n# uninstalled. With keep: false, helm uninstall deletes the objects while the operator still runs.',
    default: { install: true, keep: true },
    schema: fields({ install: BOOLEAN, keep: BOOLEAN }),
  };
  return { crds };
}

function fields(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', additionalProperties: false, properties };
}

export function valuesYaml(manifests: OperatorManifests): string {
  const entries = Object.entries(chartValues(manifests));
  return entries
    .map(([name, { about, default: value }]) => `# ${about}\n${stringifyYaml({ [name]: value })}`)
    .join('\n');
}

/** The JSON schema of the values, which rejects unknown values. */
export function valuesSchema(manifests: OperatorManifests, header: string): string {
  const entries = Object.entries(chartValues(manifests)).map(([name, { schema }]) => [name, schema]);
  const properties = { ...(Object.fromEntries(entries) as Record<string, object>), ...OF_PARENTS };
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', $comment: header, ...fields(properties) };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

function aboutReplicas(operator: Operator): string {
  if (isSharded(operator)) return 'Number of pods. Each pod reconciles a part of the objects.';
  return isElected(operator)
    ? 'Number of pods. With more than one, leader election is always enabled: one is active, the others stand by.'
    : 'Number of pods; all of them serve the webhooks.';
}
