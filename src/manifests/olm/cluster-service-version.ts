import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { serviceAccountName } from '../access/access.js';
import type { WrittenRule } from '../access/merged-rules.js';
import { CERTIFICATE_MOUNT } from '../deployment.js';
import type { OperatorManifests } from '../layouts/operator-manifests.js';
import type { Operator } from '../operator.js';
import { ownedDefinitions } from './owned-definitions.js';
import { webhookDefinitions } from './webhook-definitions.js';

const DEFAULT_VERSION = '0.1.0';

/** The name of the ClusterServiceVersion of an operator. */
function serviceVersionName({ name, version = DEFAULT_VERSION }: Operator): string {
  return `${name}.v${version}`;
}

/** The object from which OLM installs an operator. It installs into any namespace, and watches all. */
export function clusterServiceVersion(manifests: OperatorManifests): UnstructuredObject {
  const { operator, samples } = manifests;
  const { image, version = DEFAULT_VERSION } = operator;
  const { capabilities, categories = [], channels: _, ...stated } = statedBy(operator);
  const webhooks = webhookDefinitions(manifests);
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: serviceVersionName(operator),
      namespace: 'placeholder',
      annotations: {
        'alm-examples': JSON.stringify(samples, undefined, 2),
        capabilities,
        ...(categories.length > 0 && { categories: categories.join(',') }),
        containerImage: image,
        description: stated.description.split('\n', 1)[0] ?? '',
      },
    },
    spec: {
      ...stated,
      version,
      installModes: INSTALL_MODES,
      customresourcedefinitions: { owned: ownedDefinitions(operator) },
      install: { strategy: 'deployment', spec: install(manifests) },
      ...(webhooks.length > 0 && { webhookdefinitions: webhooks }),
    },
  };
}

/** The settings, and what holds without them. */
function statedBy({ olm: { icon, ...olm }, name, models }: Operator) {
  return {
    displayName: name,
    description: models.map(descriptionOf).join('\n\n'),
    maturity: 'alpha',
    capabilities: 'Basic Install',
    keywords: models.map(({ kind }) => kind.kind.toLowerCase()),
    ...olm,
    ...(icon && { icon: [icon] }),
  };
}

const INSTALL_MODES = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map((type) => ({
  type,
  supported: type === 'AllNamespaces',
}));

function descriptionOf({ description, kind }: Operator['models'][number]): string {
  return description ?? `${kind.kind} is the schema for the ${kind.plural} API.`;
}

function install({ operator, roles, bindings, deployment }: OperatorManifests) {
  const bound = (kind: string): Permission[] => {
    const names = bindings.map((binding) => (binding['roleRef'] as { readonly name: string }).name);
    const own = roles.filter((role) => role.kind === kind && names.includes(role.metadata.name));
    const rules = own
      .filter(({ metadata: { namespace } }) => namespace === undefined || namespace === operator.namespace)
      .flatMap((role) => role['rules'] as WrittenRule[]);
    return rules.length === 0 ? [] : [{ serviceAccountName: serviceAccountName(operator), rules }];
  };
  const { metadata, spec } = deployment;
  return {
    permissions: bound('Role'),
    clusterPermissions: bound('ClusterRole'),
    deployments: [{ name: metadata.name, label: metadata.labels, spec: withoutCertificate(spec as DeploymentSpec) }],
  };
}

interface Permission {
  readonly serviceAccountName: string;
  readonly rules: readonly WrittenRule[];
}

interface Named {
  readonly name: string;
}

interface PodSpec {
  readonly containers: readonly { readonly volumeMounts?: readonly Named[] }[];
  readonly volumes?: readonly Named[];
}

interface DeploymentSpec {
  readonly template: { readonly spec: PodSpec };
}

/** OLM mounts the certificate of webhooks itself. */
function withoutCertificate(deployment: DeploymentSpec): DeploymentSpec {
  const others = (list: readonly Named[]): Named[] => list.filter(({ name }) => name !== CERTIFICATE_MOUNT.name);
  const { volumes = [], containers, ...pod } = deployment.template.spec;
  const spec = {
    ...pod,
    containers: containers.map(({ volumeMounts = [], ...container }) => {
      const mounts = others(volumeMounts);
      return { ...container, ...(mounts.length > 0 && { volumeMounts: mounts }) };
    }),
    ...(others(volumes).length > 0 && { volumes: others(volumes) }),
  };
  return { ...deployment, template: { ...deployment.template, spec } };
}
