import type { JsonSchema } from '../../api/schema/json-schema.js';
import { definitionModel } from '../../resource/fields/definition-model.js';
import { valueSchema } from '../crd/schema.js';
import { FOLDER_PATTERN, MANIFEST_PARTS } from '../output/part-folders.js';
import type { OlmSettings } from './olm-settings.js';
import type { DeploymentSettings } from './deployment-settings.js';

const CONTAINER = 'io.k8s.api.core.v1.Container';
const POD = 'io.k8s.api.core.v1.PodSpec';
const NAMESPACE: JsonSchema = { type: 'string', maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' };

/** The schema of the project settings; that of Kubernetes' own types is the one of their definitions. */
export function projectSchema(): JsonSchema {
  const deployment = deploymentSchema();
  return {
    type: 'object',
    properties: {
      out: { type: 'string', minLength: 1 },
      layout: { type: 'string', enum: ['plain', 'kustomize', 'helm', 'olm'] },
      folders: {
        type: 'object',
        properties: Object.fromEntries(
          MANIFEST_PARTS.map((part) => [part, { type: 'string', pattern: FOLDER_PATTERN }]),
        ),
      },
      headerFile: { type: 'string', minLength: 1 },
      maxDescriptionLength: { type: 'integer', minimum: 0 },
      image: { type: 'string', minLength: 1 },
      namespace: NAMESPACE,
      watchNamespaces: { type: 'array', minItems: 1, items: NAMESPACE, 'x-kubernetes-list-type': 'set' },
      namespaceSelector: { type: 'string', minLength: 1 },
      namespacePatterns: {
        type: 'array',
        minItems: 1,
        items: { type: 'string', pattern: '^[a-z0-9*][a-z0-9*-]*$' },
        'x-kubernetes-list-type': 'set',
      },
      certificates: { type: 'string', enum: ['self', 'cert-manager', 'files'] },
      monitoring: { type: 'boolean' },
      docs: { type: 'boolean' },
      featureGates: { type: 'object', additionalProperties: { type: 'boolean' } },
      olm: olmSchema(),
      deployment,
      deployments: { type: 'object', additionalProperties: deployment },
    },
  };
}

const TEXT: JsonSchema = { type: 'string', minLength: 1 };

function olmSchema(): JsonSchema {
  const texts: JsonSchema = { type: 'array', minItems: 1, items: TEXT };
  const properties: Record<keyof OlmSettings, JsonSchema> = {
    displayName: TEXT,
    description: TEXT,
    provider: { type: 'object', properties: { name: TEXT, url: TEXT }, required: ['name'] },
    maintainers: { type: 'array', items: objectOf('name', 'email') },
    links: { type: 'array', items: objectOf('name', 'url') },
    keywords: texts,
    icon: objectOf('mediatype', 'base64data'),
    categories: texts,
    capabilities: TEXT,
    maturity: TEXT,
    channels: texts,
    minKubeVersion: TEXT,
    replaces: TEXT,
  };
  return { type: 'object', properties };
}

function objectOf(...names: readonly string[]): JsonSchema {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, TEXT])), required: [...names] };
}

function deploymentSchema(): JsonSchema {
  const properties: Record<keyof DeploymentSettings, JsonSchema> = {
    replicas: { type: 'integer', minimum: 0 },
    sharding: { type: 'boolean' },
    args: { type: 'array', items: { type: 'string' } },
    env: memberSchemaOf(CONTAINER, 'env'),
    envFrom: memberSchemaOf(CONTAINER, 'envFrom'),
    volumes: memberSchemaOf(POD, 'volumes'),
    volumeMounts: memberSchemaOf(CONTAINER, 'volumeMounts'),
    resources: memberSchemaOf(CONTAINER, 'resources'),
    imagePullSecrets: memberSchemaOf(POD, 'imagePullSecrets'),
  };
  return { type: 'object', properties };
}

function memberSchemaOf(definition: string, name: string): JsonSchema {
  const model = definitionModel(definition);
  const field = typeof model === 'string' ? undefined : model.class?.fields.find((each) => each.name === name);
  if (!field) throw new Error(`${definition} has no field ${name}`);
  return valueSchema(field.value, 0, 0);
}
