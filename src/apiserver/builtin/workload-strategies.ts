import { wholeNameErrors } from './whole-name.js';
import { PathSet } from '../apply/path-set.js';
import type { Strategy } from '../resources/resource.js';
import { changeThenMain, objectThenChange, statusThenChange } from '../validation/update-order.js';
import { dnsLabelErrors, pathSegmentErrors } from '../../api/names.js';
import { validateAutoscaler, validateDisruptionBudget } from '../validation/workloads/autoscaling-validation.js';
import { validateCronJob, validateJob, validateJobChange } from '../validation/workloads/job-validation.js';
import {
  validateDeployment,
  validateReplicaSet,
  validateStatefulSet,
  validateDaemonSet,
} from '../validation/workloads/workload-validation.js';
import {
  validateReplicationController,
  validateRevision,
  validateTemplate,
} from '../validation/workloads/template-validation.js';
import { isJsonObject, objectAt, type ApiObject } from '../objects/api-object.js';
import { daemonSetStrategy } from './daemon-set-strategy.js';
import { jobStrategy } from './job-strategy.js';

const whole: Strategy = { metadataChecks: 'whole' };
/** The order is the kind's own: see update-order.ts. */
const own: Strategy = { metadataChecks: 'own' };
const unchecked: Strategy = { metadataChecks: 'none', allowsAnyFinalizer: true, validateName: pathSegmentErrors };
const DEPLOYMENT_STATUS_RESET = PathSet.fromFieldsV1({ 'f:spec': {}, 'f:metadata': { 'f:labels': {} } });

/** What the kinds do that make pods, or keep them. */
export const workloadStrategies: Readonly<Record<string, Strategy>> = {
  podtemplates: { hasGeneration: true, validate: validateTemplate, validateUpdate: validateTemplate },
  replicationcontrollers: {
    hasGeneration: true,
    defaultPropagation: 'Orphan',
    validateName: wholeNameErrors,
    validate: validateReplicationController,
    validateUpdate: validateReplicationController,
  },
  'deployments.apps': {
    hasGeneration: true,
    specOf: ({ spec, metadata }) => [spec, metadata.annotations],
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
  'statefulsets.apps': {
    hasGeneration: true,
    ...own,
    validate: validateStatefulSet,
    validateUpdate: statusThenChange(validateStatefulSet),
    validateName: dnsLabelErrors,
    prepareForCreate: dropMaxUnavailable,
    prepareForUpdate: dropMaxUnavailable,
  },
  'daemonsets.apps': { ...daemonSetStrategy, validate: validateDaemonSet, validateUpdate: validateDaemonSet },
  'jobs.batch': {
    ...jobStrategy,
    ...own,
    validate: validateJob,
    validateUpdate: objectThenChange(validateJob, validateJobChange),
  },
  'horizontalpodautoscalers.autoscaling': { validate: validateAutoscaler, validateUpdate: validateAutoscaler },
  'cronjobs.batch': {
    ...own,
    hasGeneration: true,
    validate: validateCronJob,
    validateUpdate: changeThenMain(validateCronJob),
  },
  'poddisruptionbudgets.policy': {
    ...unchecked,
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    validate: validateDisruptionBudget,
    validateUpdate: validateDisruptionBudget,
  },
  'controllerrevisions.apps': { ...whole, validate: validateRevision, validateUpdate: validateRevision },
};

/** The feature MaxUnavailableStatefulSet is off unless a server is told otherwise. */
function dropMaxUnavailable({ spec }: ApiObject): void {
  const { rollingUpdate } = objectAt(objectAt({ spec }, 'spec'), 'updateStrategy');
  if (isJsonObject(rollingUpdate)) delete rollingUpdate.maxUnavailable;
}
