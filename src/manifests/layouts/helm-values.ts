import { stringifyYaml } from '../../base/yaml.js';
import type { Operator } from '../operator.js';
import { imageParts } from './image-parts.js';

/** A value of the chart: its default, its JSON schema, and what it is for. */
interface ChartValue {
  readonly default: unknown;
  readonly schema: object;
  readonly about: string;
}

const STRING = { type: 'string' };
const BOOLEAN = { type: 'boolean' };
const OBJECT = { type: 'object' };
const LIST = { type: 'array' };

/** The values of an operator's chart, in the order of the file. */
function chartValues({ image, namespace }: Operator, resources: unknown): Record<string, ChartValue> {
  const { newName: repository, newTag: tag = '', digest = '' } = imageParts(image);
  return {
    image: {
      about: 'The image that holds the operator; a digest wins over the tag.',
      default: { repository, tag, digest, pullPolicy: 'IfNotPresent', pullSecrets: [] },
      schema: fields({
        repository: STRING,
        tag: STRING,
        digest: STRING,
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
        pullSecrets: LIST,
      }),
    },
    namespace: { about: 'Where the operator runs.', default: namespace, schema: { type: 'string', minLength: 1 } },
    createNamespace: {
      about: 'Whether the chart makes that namespace, held to the restricted Pod Security Standard.',
      default: true,
      schema: BOOLEAN,
    },
    replicas: {
      about: 'More than one needs leader election: one works, the others stand by.',
      default: 1,
      schema: { type: 'integer', minimum: 0 },
    },
    leaderElection: {
      about: 'Work only while holding a Lease.',
      default: { enabled: true },
      schema: fields({ enabled: BOOLEAN }),
    },
    crds: {
      about:
        'The CustomResourceDefinitions: whether they are installed and upgraded with the chart, and left behind,\n# with all their objects, when it is uninstalled.',
      default: { install: true, keep: true },
      schema: fields({ install: BOOLEAN, keep: BOOLEAN }),
    },
    metrics: {
      about:
        'Serve metrics, with auth to those only who may get /metrics; serviceMonitor needs the Prometheus operator; networkPolicy lets only namespaces with the\n# label metrics=enabled read them.',
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
    resources: { about: 'What the container asks for and may use.', default: resources, schema: OBJECT },
    extraArgs: { about: 'Further arguments of run-operator.', default: [], schema: { type: 'array', items: STRING } },
    serviceAccount: {
      about: 'Annotations such as those that give a cloud identity.',
      default: { annotations: {} },
      schema: fields({ annotations: OBJECT }),
    },
    extraLabels: { about: 'On every object but the definitions, and on the pods.', default: {}, schema: OBJECT },
    extraAnnotations: { about: 'On every object but the definitions, and on the pods.', default: {}, schema: OBJECT },
    podLabels: { about: 'On the pods only.', default: {}, schema: OBJECT },
    podAnnotations: { about: 'On the pods only.', default: {}, schema: OBJECT },
    nodeSelector: { about: 'Where pods may run.', default: {}, schema: OBJECT },
    tolerations: { about: 'Taints that pods put up with.', default: [], schema: LIST },
    affinity: { about: 'Which nodes and neighbours pods prefer.', default: {}, schema: OBJECT },
  };
}

function fields(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', additionalProperties: false, properties };
}

export function valuesYaml(operator: Operator, resources: unknown): string {
  const entries = Object.entries(chartValues(operator, resources));
  return entries
    .map(([name, { about, default: value }]) => `# ${about}\n${stringifyYaml({ [name]: value })}`)
    .join('\n');
}

/** Refuses values that the chart does not know. */
export function valuesSchema(operator: Operator, resources: unknown): string {
  const entries = Object.entries(chartValues(operator, resources)).map(([name, { schema }]) => [name, schema]);
  const properties = { ...(Object.fromEntries(entries) as Record<string, object>), global: OBJECT };
  return `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...fields(properties) }, undefined, 2)}\n`;
}
