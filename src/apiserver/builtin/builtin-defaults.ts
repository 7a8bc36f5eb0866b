import { ownMember } from '../../base/own-member.js';
import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
} from '../objects/api-object.js';
import { defaultAutoscaler } from './autoscaler-defaults.js';
import { defaultCustomResourceDefinition } from './crd-strategy.js';
import { defaultFlowSchema, defaultPriorityLevel } from './flow-control-strategies.js';
import { defaultVolumeSource } from './volume-source-defaults.js';
import { defaultResourceClaim, defaultResourceClaimTemplate } from './device-strategies.js';
import { TEMPLATE_GENERATION } from '../objects/template-generation.js';
import { defaultPod, defaultPodSpec } from './pods/pod-defaults.js';
import { foldStringData } from './secret-data.js';
import { defaultService } from './services/service-strategy.js';
import { labelNamespace } from './namespace-strategy.js';
import { ensureObject, setDefaults } from '../objects/set-defaults.js';

type ApplyDefaults = (object: ApiObject) => void;

const RBAC = 'rbac.authorization.k8s.io';

function defaultTemplate(spec: JsonObject): void {
  const template = objectAt(spec, 'template');
  if (isJsonObject(template.spec)) defaultPodSpec(template.spec);
}

function defaultDeployment(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  defaultTemplate(spec);
  setDefaults(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = ensureObject(spec, 'strategy');
  setDefaults(strategy, { type: 'RollingUpdate' });
  if (strategy.type !== 'RollingUpdate') return;
  setDefaults(ensureObject(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
}

function defaultReplicaSet(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  setDefaults(spec, { replicas: 1 });
  defaultTemplate(spec);
}

/** Sets defaults; the selector and labels default to the labels of the pod template. */
function defaultReplicationController(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  setDefaults(spec, { replicas: 1 });
  if (!isJsonObject(spec.template)) return;
  defaultTemplate(spec);
  const { labels } = objectAt(spec.template, 'metadata');
  if (!isJsonObject(labels)) return;
  if (Object.keys(objectAt(spec, 'selector')).length === 0) spec.selector = { ...labels };
  if (Object.keys(object.metadata.labels ?? {}).length === 0)
    object.metadata.labels = { ...labels } as Record<string, string>;
}

function defaultStatefulSet(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  defaultTemplate(spec);
  setDefaults(spec, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 });
  const strategy = ensureObject(spec, 'updateStrategy');
  setDefaults(strategy, { type: 'RollingUpdate' });
  if (strategy.type === 'RollingUpdate') setDefaults(ensureObject(strategy, 'rollingUpdate'), { partition: 0 });
  setDefaults(ensureObject(spec, 'persistentVolumeClaimRetentionPolicy'), {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
  });
  for (const claim of eachObject(spec.volumeClaimTemplates)) {
    setDefaults(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' });
    defaultClaim(claim as ApiObject);
  }
}

function defaultDaemonSet(object: ApiObject): void {
  object.metadata.annotations = { [TEMPLATE_GENERATION]: '0', ...object.metadata.annotations };
  const spec = ensureObject(object, 'spec');
  defaultTemplate(spec);
  setDefaults(spec, { revisionHistoryLimit: 10 });
  const strategy = ensureObject(spec, 'updateStrategy');
  setDefaults(strategy, { type: 'RollingUpdate' });
  if (strategy.type === 'RollingUpdate')
    setDefaults(ensureObject(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 });
}

/**
 * Sets defaults. The labels default to those of the pod template: the same map, so that additions to one appear in the
 * other.
 */
function defaultJob(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  const { labels } = objectAt(objectAt(spec, 'template'), 'metadata') as Partial<ApiObject['metadata']>;
  if (labels && Object.keys(object.metadata.labels ?? {}).length === 0) object.metadata.labels = labels;
  defaultTemplate(spec);
  if (spec.completions === undefined && spec.parallelism === undefined)
    setDefaults(spec, { completions: 1, parallelism: 1 });
  setDefaults(spec, {
    parallelism: 1,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
  });
}

function defaultCronJob(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  defaultJobTemplate(spec);
  setDefaults(spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
}

function defaultJobTemplate(spec: JsonObject): void {
  const jobSpec = objectAt(objectAt(spec, 'jobTemplate'), 'spec');
  defaultTemplate(jobSpec);
}

function defaultSecret(object: ApiObject): void {
  foldStringData(object);
  setDefaults(object, { type: 'Opaque' });
}

function defaultNamespace(object: ApiObject): void {
  if (object.metadata.name) labelNamespace(object);
  setDefaults(ensureObject(object, 'status'), { phase: 'Active' });
}

function defaultNode(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  defaultNetworks(spec);
  const status = ensureObject(object, 'status');
  if (status.capacity !== undefined) setDefaults(status, { allocatable: { ...objectAt(status, 'capacity') } });
}

/** Synchronizes `podCIDR` and `podCIDRs`: `podCIDR` has precedence if both are set. */
function defaultNetworks(spec: JsonObject): void {
  const [network, [first]] = [stringAt(spec, 'podCIDR'), arrayAt(spec, 'podCIDRs')];
  if (network === '' && first !== undefined) spec.podCIDR = first;
  if (network !== '' && first !== network) spec.podCIDRs = [network];
}

function defaultBinding(object: ApiObject): void {
  setDefaults(ensureObject(object, 'roleRef'), {});
  const roleRef = objectAt(object, 'roleRef');
  if (roleRef.apiGroup === undefined || roleRef.apiGroup === '') roleRef.apiGroup = RBAC;
  for (const subject of eachObject(object.subjects)) {
    if (subject.kind === 'User' || subject.kind === 'Group') setDefaults(subject, { apiGroup: RBAC });
  }
}

function defaultClaim(object: ApiObject): void {
  setDefaults(ensureObject(object, 'spec'), { volumeMode: 'Filesystem' });
  setDefaults(ensureObject(object, 'status'), { phase: 'Pending' });
}

function defaultVolume(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  setDefaults(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
  defaultVolumeSource(spec);
  setDefaults(ensureObject(object, 'status'), { phase: 'Pending' });
}

function defaultNetworkPolicy(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  for (const rule of [...eachObject(spec.ingress), ...eachObject(spec.egress)]) {
    for (const port of eachObject(rule.ports)) setDefaults(port, { protocol: 'TCP' });
  }
  if (arrayAt(spec, 'policyTypes').length === 0)
    spec.policyTypes = arrayAt(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

function defaultWebhooks(object: ApiObject): void {
  for (const webhook of eachObject(object.webhooks)) {
    setDefaults(webhook, {
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
    });
    if (object.kind.startsWith('Mutating')) setDefaults(webhook, { reinvocationPolicy: 'Never' });
    for (const rule of eachObject(webhook.rules)) setDefaults(rule, { scope: '*' });
    const { service } = objectAt(webhook, 'clientConfig');
    if (isJsonObject(service)) setDefaults(service, { port: 443 });
  }
}

function defaultPolicy(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  setDefaults(spec, { failurePolicy: 'Fail' });
  if (isJsonObject(spec.matchConstraints)) defaultMatchResources(spec.matchConstraints);
}

function defaultPolicyBinding({ spec }: ApiObject): void {
  const { matchResources } = objectAt({ spec }, 'spec');
  if (isJsonObject(matchResources)) defaultMatchResources(matchResources);
}

function defaultMatchResources(resources: JsonObject): void {
  setDefaults(resources, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
  for (const rule of [...eachObject(resources.resourceRules), ...eachObject(resources.excludeResourceRules)])
    setDefaults(rule, { scope: '*' });
}

/** Defaults the limits of containers to their maximum, and the requests to the limits or the minimum. */
function defaultLimitRange(object: ApiObject): void {
  for (const limit of eachObject(objectAt(object, 'spec').limits)) {
    if (limit.type !== 'Container') continue;
    const own = { ...objectAt(limit, 'max'), ...objectAt(limit, 'default') };
    const requests = { ...objectAt(limit, 'min'), ...own, ...objectAt(limit, 'defaultRequest') };
    if (Object.keys(own).length > 0) limit.default = own;
    if (Object.keys(requests).length > 0) limit.defaultRequest = requests;
  }
}

function defaultDriver(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  if (arrayAt(spec, 'volumeLifecycleModes').length === 0) spec.volumeLifecycleModes = ['Persistent'];
  setDefaults(spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    seLinuxMount: false,
  });
}

const DEFAULTS: Readonly<Record<string, ApplyDefaults>> = {
  LimitRange: defaultLimitRange,
  Pod: defaultPod,
  PodTemplate: (object) => defaultTemplate(object),
  'Deployment.apps': defaultDeployment,
  'ReplicaSet.apps': defaultReplicaSet,
  'StatefulSet.apps': defaultStatefulSet,
  'DaemonSet.apps': defaultDaemonSet,
  ReplicationController: defaultReplicationController,
  'Job.batch': defaultJob,
  'CronJob.batch': defaultCronJob,
  Service: defaultService,
  Secret: defaultSecret,
  Namespace: defaultNamespace,
  Node: defaultNode,
  PersistentVolumeClaim: defaultClaim,
  PersistentVolume: defaultVolume,
  [`RoleBinding.${RBAC}`]: defaultBinding,
  [`ClusterRoleBinding.${RBAC}`]: defaultBinding,
  'NetworkPolicy.networking.k8s.io': defaultNetworkPolicy,
  'IngressClass.networking.k8s.io': ({ spec }) => {
    const { parameters } = objectAt({ spec }, 'spec');
    if (isJsonObject(parameters)) parameters.scope ??= 'Cluster';
  },
  'StorageClass.storage.k8s.io': (object) =>
    setDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  'FlowSchema.flowcontrol.apiserver.k8s.io': defaultFlowSchema,
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io': defaultPriorityLevel,
  'CSIDriver.storage.k8s.io': defaultDriver,
  'VolumeAttachment.storage.k8s.io': ({ spec }) => {
    const { inlineVolumeSpec: inline } = objectAt(objectAt({ spec }, 'spec'), 'source');
    if (isJsonObject(inline)) defaultVolumeSource(inline);
  },
  'ResourceClaim.resource.k8s.io': defaultResourceClaim,
  'ResourceClaimTemplate.resource.k8s.io': defaultResourceClaimTemplate,
  'PriorityClass.scheduling.k8s.io': (object) => setDefaults(object, { preemptionPolicy: 'PreemptLowerPriority' }),
  'HorizontalPodAutoscaler.autoscaling': defaultAutoscaler,
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io': defaultPolicy,
  'MutatingAdmissionPolicy.admissionregistration.k8s.io': defaultPolicy,
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io': defaultPolicyBinding,
  'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io': defaultPolicyBinding,
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': defaultWebhooks,
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': defaultWebhooks,
  'CustomResourceDefinition.apiextensions.k8s.io': defaultCustomResourceDefinition,
  'APIService.apiregistration.k8s.io': ({ spec }) => {
    const { service } = objectAt({ spec }, 'spec');
    if (isJsonObject(service)) setDefaults(service, { port: 443 });
  },
  'EndpointSlice.discovery.k8s.io': (object) => {
    for (const port of eachObject(object.ports)) setDefaults(port, { name: '', protocol: 'TCP' });
  },
  Endpoints: (object) => {
    for (const subset of eachObject(object.subsets))
      for (const port of eachObject(subset.ports)) setDefaults(port, { protocol: 'TCP' });
  },
};

/** Returns a function that sets the defaults of a built-in kind in place. */
export function builtinDefaults(group: string, kind: string): ApplyDefaults | undefined {
  return ownMember(DEFAULTS, group === '' ? kind : `${kind}.${group}`);
}
