import { fullNameErrors } from './name-validation.js';
import { PathSet } from '../apply/path-set.js';
import type { Strategy } from '../resources/resource.js';
import { changeThenMain, objectThenChange, statusThenChange } from '../validation/update-order.js';
import { dnsLabelErrors, pathSegmentErrors } from '../../api/objects/names.js';
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
import { isJsonObject, objectAt, type ApiObject, stringAt, type JsonObject } from '../objects/api-object.js';
import { deepEqual } from '../../base/deep-equal.js';
import { TEMPLATE_GENERATION } from '../objects/template-generation.js';
import { ensureObject } from '../objects/set-defaults.js';

/** The strategy of Jobs; they select pods by their own uid unless `manualSelector` is set. */
const jobStrategy: Strategy = {
  hasGeneration: true,
  defaultPropagation: 'Orphan',
  propagationWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  prepareForCreate(next: ApiObject) {
    const spec = ensureObject(next, 'spec');
    next.status = {};
    if (spec.manualSelector !== true) generateSelector(next, spec);
  },
};

function generateSelector(next: ApiObject, spec: JsonObject): void {
  const { uid = '' } = next.metadata;
  const name = stringAt(next.metadata, 'name');
  const added = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  const labels = ensureObject(ensureObject(ensureObject(spec, 'template'), 'metadata'), 'labels');
  Object.assign(labels, { ...added, ...labels });
  const selector = ensureObject(spec, 'selector');
  selector.matchLabels = { ...objectAt(selector, 'matchLabels'), 'batch.kubernetes.io/controller-uid': uid };
}

/** The strategy of DaemonSets; the generation of the template is incremented with each change. */
const daemonSetStrategy: Strategy = {
  hasGeneration: true,
  prepareForCreate({ metadata }) {
    const given = Number(metadata.annotations?.[TEMPLATE_GENERATION]);
    if (!(given >= 1)) metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: '1' };
  },
  prepareForUpdate(next, old, subresource) {
    const former = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 1);
    const isKept = subresource !== '' || deepEqual(objectAt(next, 'spec').template, objectAt(old, 'spec').template);
    next.metadata.annotations = {
      ...next.metadata.annotations,
      [TEMPLATE_GENERATION]: String(former + (isKept ? 0 : 1)),
    };
  },
};

const whole: Strategy = { metadataChecks: 'whole' };
/** Validations of the kind in its own order: see update-order.ts. */
const own: Strategy = { metadataChecks: 'own' };
const unchecked: Strategy = { metadataChecks: 'none', allowsAnyFinalizer: true, validateName: pathSegmentErrors };
const DEPLOYMENT_STATUS_RESET = PathSet.fromFieldsV1({ 'f:spec': {}, 'f:metadata': { 'f:labels': {} } });

/** Strategies of the workload kinds. */
export const workloadStrategies: Readonly<Record<string, Strategy>> = {
  podtemplates: { hasGeneration: true, validate: validateTemplate, validateUpdate: validateTemplate },
  replicationcontrollers: {
    hasGeneration: true,
    defaultPropagation: 'Orphan',
    validateName: fullNameErrors,
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

/** Removes a field of the feature MaxUnavailableStatefulSet, which is disabled by default. */
function dropMaxUnavailable({ spec }: ApiObject): void {
  const { rollingUpdate } = objectAt(objectAt({ spec }, 'spec'), 'updateStrategy');
  if (isJsonObject(rollingUpdate)) delete rollingUpdate.maxUnavailable;
}
