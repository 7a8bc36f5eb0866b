import { PathSet } from '../apply/path-set.js';
import type { Strategy } from '../resources/resource.js';
import { validateConfigMap, validateSecret } from '../validation/config-validation.js';
import { validateEvent, validateLease, validateNamespaceName } from '../validation/coordination-validation.js';
import { dns1035LabelErrors, pathSegmentErrors } from '../../api/names.js';
import {
  validateNode,
  validateNodeUpdate,
  validateRuntimeClass,
  validateRuntimeClassUpdate,
} from '../validation/node-validation.js';
import { validatePod, validatePodUpdate } from '../validation/pod-validation.js';
import {
  validateBinding,
  validateBindingUpdate,
  validateClusterRole,
  validateRole,
} from '../validation/rbac-validation.js';
import { validateService } from '../validation/service-validation.js';
import {
  validateDeployment,
  validateReplicaSet,
  validateStatefulSet,
  validateDaemonSet,
} from '../validation/workload-validation.js';
import { crdStrategy } from './crd-strategy.js';
import { jobStrategy } from './job-strategy.js';
import { namespaceStrategy } from './namespace-strategy.js';
import { podStrategy } from './pod-strategy.js';
import { serviceStrategy } from './service-strategy.js';

const RBAC = 'rbac.authorization.k8s.io';

const DEPLOYMENT_STATUS_RESET = PathSet.fromFieldsV1({ 'f:spec': {}, 'f:metadata': { 'f:labels': {} } });

const rbac: Strategy = { allowsCreateOnUpdate: true, validateName: pathSegmentErrors };

const STRATEGIES: Readonly<Record<string, Strategy>> = {
  pods: { ...podStrategy, validate: validatePod, validateUpdate: validatePodUpdate },
  configmaps: { validate: validateConfigMap, validateUpdate: validateConfigMap },
  secrets: { validate: validateSecret, validateUpdate: validateSecret },
  namespaces: { ...namespaceStrategy, validateName: validateNamespaceName },
  services: {
    ...serviceStrategy,
    validate: validateService,
    validateUpdate: validateService,
    validateName: dns1035LabelErrors,
    allowsCreateOnUpdate: true,
  },
  nodes: { acceptsStatus: true, validate: validateNode, validateUpdate: validateNodeUpdate },
  events: { allowsCreateOnUpdate: true, validate: validateEvent },
  'events.events.k8s.io': { allowsCreateOnUpdate: true },
  endpoints: { allowsCreateOnUpdate: true },
  limitranges: { allowsCreateOnUpdate: true },
  podtemplates: { hasGeneration: true },
  replicationcontrollers: { hasGeneration: true },
  'deployments.apps': {
    hasGeneration: true,
    validate: validateDeployment,
    validateUpdate: validateDeployment,
    resetFields: (subresource) => (subresource === 'status' ? DEPLOYMENT_STATUS_RESET : undefined),
    prepareForUpdate(next, old, subresource) {
      if (subresource !== 'status') return;
      if (old.metadata.labels) next.metadata.labels = old.metadata.labels;
      else delete next.metadata.labels;
    },
  },
  'replicasets.apps': { hasGeneration: true, validate: validateReplicaSet, validateUpdate: validateReplicaSet },
  'statefulsets.apps': { hasGeneration: true, validate: validateStatefulSet, validateUpdate: validateStatefulSet },
  'daemonsets.apps': { hasGeneration: true, validate: validateDaemonSet, validateUpdate: validateDaemonSet },
  'jobs.batch': jobStrategy,
  'cronjobs.batch': { hasGeneration: true },
  'ingresses.networking.k8s.io': { hasGeneration: true },
  'ingressclasses.networking.k8s.io': { hasGeneration: true },
  'networkpolicies.networking.k8s.io': { hasGeneration: true },
  'poddisruptionbudgets.policy': { hasGeneration: true, allowsUnconditionalUpdate: false },
  'endpointslices.discovery.k8s.io': { hasGeneration: true },
  'flowschemas.flowcontrol.apiserver.k8s.io': { hasGeneration: true },
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': { hasGeneration: true },
  'priorityclasses.scheduling.k8s.io': { hasGeneration: true },
  'deviceclasses.resource.k8s.io': { hasGeneration: true },
  'resourceslices.resource.k8s.io': { hasGeneration: true },
  'leases.coordination.k8s.io': {
    allowsCreateOnUpdate: true,
    allowsUnconditionalUpdate: false,
    skipsMetadataOnUpdate: true,
    allowsAnyFinalizer: true,
    validate: validateLease,
  },
  'runtimeclasses.node.k8s.io': {
    allowsCreateOnUpdate: true,
    allowsUnconditionalUpdate: false,
    allowsAnyFinalizer: true,
    validate: validateRuntimeClass,
    validateUpdate: validateRuntimeClassUpdate,
  },
  [`roles.${RBAC}`]: { ...rbac, validate: validateRole },
  [`clusterroles.${RBAC}`]: { ...rbac, validate: validateClusterRole },
  [`rolebindings.${RBAC}`]: { ...rbac, validate: validateBinding, validateUpdate: validateBindingUpdate },
  [`clusterrolebindings.${RBAC}`]: { ...rbac, validate: validateBinding, validateUpdate: validateBindingUpdate },
  'customresourcedefinitions.apiextensions.k8s.io': crdStrategy,
};

const ADMISSION_GROUP: Strategy = { hasGeneration: true, allowsUnconditionalUpdate: false };
const UNCONDITIONAL_REFUSED: Strategy = { allowsUnconditionalUpdate: false };
const STORAGE_WITH_VERSION = new Set(['csidrivers', 'csistoragecapacities', 'volumeattachments', 'csinodes']);

/** What a built-in kind does beyond what every kind does. */
export function builtinStrategy(group: string, plural: string): Strategy {
  if (group === 'admissionregistration.k8s.io') return ADMISSION_GROUP;
  if (group === 'storage.k8s.io' && STORAGE_WITH_VERSION.has(plural)) return UNCONDITIONAL_REFUSED;
  return STRATEGIES[group === '' ? plural : `${plural}.${group}`] ?? {};
}
