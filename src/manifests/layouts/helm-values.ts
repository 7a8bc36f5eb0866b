import { stringifyYaml } from '../../base/yaml.js';
import { isElected, isSharded } from '../access/access.js';
import { DEFAULT_CONTAINER } from '../deployment.js';
import { commonLabels } from '../labels.js';
import { INJECTION, podLabels } from '../webhooks/webhook-objects.js';
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
  const { replicas, template } = deployment['spec'] as DeploymentSpec;
  const { containers, imagePullSecrets = [] } = template.spec;
  const [{ resources, env, envFrom = [] }] = containers;
  const { volumes = [], volumeMounts = [] } = settings;
  const extraLabels = withoutKeys(Object.keys({ ...commonLabels(operator), ...podLabels(operator) }));
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
      default: replicas,
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
    metrics: {
      about:
        'Metrics. auth: over HTTPS, only to clients that RBAC permits to get /metrics; without it over HTTP;\n# serviceMonitor: requires the Prometheus operator; networkPolicy: only to namespaces with the label metrics=enabled.',
      default: {
        enabled: false,
        auth: { enabled: true },
        serviceMonitor: { enabled: false },
        networkPolicy: { enabled: false },
      },
      schema: fields({
        enabled: BOOLEAN,
        auth: fields({ enabled: BOOLEAN }),
        serviceMonitor: fields({ enabled: BOOLEAN }),
        networkPolicy: fields({ enabled: BOOLEAN }),
      }),
    },
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
    serviceAccount: {
      about: 'Annotations, for example those of a cloud identity.',
      default: { annotations: {} },
      schema: fields({ annotations: EXTRA_ANNOTATIONS }),
    },
    extraLabels: { about: 'On all objects except the definitions, and on the pods.', default: {}, schema: extraLabels },
    extraAnnotations: {
      about: 'On all objects except the definitions, and on the pods.',
      default: {},
      schema: EXTRA_ANNOTATIONS,
    },
    podLabels: { about: 'On the pods only.', default: {}, schema: extraLabels },
    podAnnotations: { about: 'On the pods only.', default: {}, schema: EXTRA_ANNOTATIONS },
    nodeSelector: { about: 'Labels of the nodes that the pods may run on.', default: {}, schema: OBJECT },
    tolerations: { about: 'Taints that the pods tolerate.', default: [], schema: LIST },
    affinity: { about: 'Affinity of the pods to nodes and other pods.', default: {}, schema: OBJECT },
  };
}

function definitionValues(definitions: OperatorManifests['definitions']): Record<string, ChartValue> {
  if (definitions.length === 0) return {};
  const crds = {
    about:
      'CustomResourceDefinitions: install and upgrade them with the chart; keep them, with all their objects, when it is\n# uninstalled.',
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
