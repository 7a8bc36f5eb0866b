import type { UnstructuredObject } from '../api/objects/kube-object.js';
import type { EnvVar, ResourceRequirements } from '../resource/definitions/kubernetes-definitions.js';
import { isElected, isSharded, leaseName, serviceAccountName, shardGroup } from './access/access.js';
import { commonLabels } from './labels.js';
import type { Operator } from './operator.js';
import {
  CERTIFICATE_FOLDER,
  certificateSecret,
  hasWebhooks,
  podLabels,
  WEBHOOK_PORT,
} from './webhooks/webhook-objects.js';

/** The annotation that names the container for `kubectl logs`. */
export const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';
const HEALTH_PORT = 8081;
const NODE_ENV: EnvVar = { name: 'NODE_ENV', value: 'production' };
const RESOURCES: ResourceRequirements = {
  limits: { cpu: '1', memory: '512Mi' },
  requests: { cpu: '10m', memory: '128Mi' },
};

/** The Deployment that runs an operator, conforming to the restricted Pod Security Standard. */
export function controllerDeployment(operator: Operator): UnstructuredObject {
  const { name, namespace } = operator;
  const selector = podLabels(operator);
  const isServing = hasWebhooks(operator);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: `${name}-controller-manager`,
      namespace,
      labels: { ...commonLabels(operator), 'control-plane': 'controller-manager' },
    },
    spec: {
      replicas: operator.deployment.replicas ?? (isServing || isSharded(operator) ? 2 : 1),
      ...(isServing && { strategy: { rollingUpdate: { maxUnavailable: 0 } } }),
      selector: { matchLabels: selector },
      template: {
        metadata: {
          annotations: { [DEFAULT_CONTAINER]: 'manager' },
          labels: { ...commonLabels(operator), ...selector },
        },
        spec: podSpec(operator),
      },
    },
  };
}

function podSpec(operator: Operator) {
  const isServing = hasWebhooks(operator);
  const { volumes = [] } = operator.deployment;
  return {
    serviceAccountName: serviceAccountName(operator),
    // Without a user: the image sets one, and OpenShift assigns another from the range of the namespace.
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    // Longer than the 30 s that running reconciles have to finish.
    terminationGracePeriodSeconds: isServing ? 60 : 40,
    ...((isServing || isSharded(operator)) && { topologySpreadConstraints: [spread(operator)] }),
    ...ifAny('imagePullSecrets', operator.deployment.imagePullSecrets),
    containers: [managerContainer(operator)],
    ...ifAny('volumes', [...(mountsCertificate(operator) ? [certificateVolume(operator)] : []), ...volumes]),
  };
}

function managerContainer(operator: Operator) {
  const { args = [], envFrom, volumeMounts = [], resources = RESOURCES } = operator.deployment;
  const isServing = hasWebhooks(operator);
  return {
    name: 'manager',
    image: operator.image,
    imagePullPolicy: 'IfNotPresent',
    command: ['run-operator'],
    args: [
      ...operator.sourceFiles,
      ...(isElected(operator) ? ['--leader-elect', `--leader-election-id=${leaseName(operator)}`] : []),
      ...(isSharded(operator) ? ['--sharding', `--sharding-id=${shardGroup(operator)}`] : []),
      `--health-probe-bind-address=:${HEALTH_PORT}`,
      ...(isServing ? [certificateArgument(operator)] : []),
      ...operator.watchNamespaces.map((namespace) => `--namespace=${namespace}`),
      ...operator.namespaceArguments,
      ...featureGateArguments(operator),
      ...args,
    ],
    env: environment(operator),
    ...ifAny('envFrom', envFrom),
    ports: [
      { name: 'health', containerPort: HEALTH_PORT, protocol: 'TCP' },
      ...(isServing ? [{ name: 'webhooks', containerPort: WEBHOOK_PORT, protocol: 'TCP' }] : []),
    ],
    // Endpoints without the pod reach all API servers before it stops.
    ...(isServing && { lifecycle: { preStop: { sleep: { seconds: 5 } } } }),
    livenessProbe: probe('/healthz', 15, 20),
    readinessProbe: probe('/readyz', 5, 10),
    resources,
    ...ifAny('volumeMounts', [...(mountsCertificate(operator) ? [CERTIFICATE_MOUNT] : []), ...volumeMounts]),
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  };
}

function featureGateArguments({ featureGates }: Operator): string[] {
  return featureGates === '' ? [] : [`--feature-gates=${featureGates}`];
}

function certificateArgument({ name, certificates }: Operator): string {
  return certificates === 'self' ? `--webhook-authority=${name}` : `--webhook-cert-dir=${CERTIFICATE_FOLDER}`;
}

/** Returns true if the certificate of the webhooks is in a Secret that the pods mount. */
export function mountsCertificate(operator: Operator): boolean {
  return hasWebhooks(operator) && operator.certificates !== 'self';
}

export const CERTIFICATE_MOUNT = { name: 'webhook-certificate', mountPath: CERTIFICATE_FOLDER, readOnly: true };

/** The volume of the webhooks' certificate: the pod starts when the Secret exists. */
export function certificateVolume(operator: Operator) {
  return { name: CERTIFICATE_MOUNT.name, secret: { secretName: certificateSecret(operator) } };
}

function spread(operator: Operator) {
  return {
    labelSelector: { matchLabels: podLabels(operator) },
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'ScheduleAnyway',
  };
}

function environment({ deployment: { env = [] } }: Operator): readonly EnvVar[] {
  return env.some(({ name }) => name === NODE_ENV.name) ? env : [NODE_ENV, ...env];
}

function ifAny(name: string, list: readonly object[] = []): Record<string, readonly object[]> {
  return list.length > 0 ? { [name]: list } : {};
}

function probe(path: string, initialDelaySeconds: number, periodSeconds: number) {
  return { httpGet: { path, port: 'health' }, initialDelaySeconds, periodSeconds };
}
