import { ownMember } from '../../base/own-member.js';
import { randomUUID } from 'node:crypto';
import type { FieldError } from '../../api/protocol/field-error.js';
import { pathSegmentErrors } from '../../api/objects/names.js';
import { type ApiObject, arrayAt, eachObject } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';
import { validateMutatingPolicy } from '../validation/admission/mutating-policy-validation.js';
import { validatePolicyBinding } from '../validation/admission/policy-binding-validation.js';
import {
  validateValidatingPolicy,
  validateValidatingPolicyStatus,
} from '../validation/admission/validating-policy-validation.js';
import { validateWebhooks } from '../validation/admission/webhook-validation.js';
import {
  validateConfigMap,
  validateConfigMapChange,
  validateSecret,
  validateSecretChange,
} from '../validation/config-validation.js';
import { validateLease } from '../validation/coordination-validation.js';
import { validateCoreEvent, validateEventChange, validateNewEvent } from '../validation/event-validation.js';
import { validateLimitRange } from '../validation/limit-range-validation.js';
import {
  validateNode,
  validateNodeChange,
  validateRuntimeClass,
  validateRuntimeClassChange,
} from '../validation/node-validation.js';
import { validateNewPod, validatePodUpdate } from '../validation/pods/pod-validation.js';
import { validateQuota } from '../validation/quota-validation.js';
import {
  validateBinding,
  validateBindingChange,
  validateClusterRole,
  validateRole,
} from '../validation/rbac-validation.js';
import {
  validateClaim,
  validateClaimUpdate,
  validateNewVolume,
  validatePriorityClass,
  validatePriorityClassUpdate,
  validateVolume,
  validateVolumeChange,
} from '../validation/storage-validation.js';
import { changeThenObject, objectAlone, objectThenChange } from '../validation/update-order.js';
import { builtinWarnings } from '../warnings/builtin-warnings.js';
import { apiServiceStrategy } from './api-service-strategy.js';
import { certificateRequestStrategy } from './certificate-request-strategy.js';
import { crdStrategy } from './crd-strategy.js';
import { deviceStrategies } from './device-strategies.js';
import { flowControlStrategies } from './flow-control-strategies.js';
import { namespaceStrategy } from './namespace-strategy.js';
import { networkStrategies } from './network-strategies.js';
import { podStrategy } from './pods/pod-strategy.js';
import { statusStrategy } from './status-strategy.js';
import { claimStrategy, storageStrategies, volumeStrategy } from './storage-strategies.js';
import { workloadStrategies } from './workload-strategies.js';

const ADMISSION = 'admissionregistration.k8s.io';
const RBAC = 'rbac.authorization.k8s.io';

/** Validations of the kind in its own order: see update-order.ts. */
const own: Strategy = { metadataChecks: 'own' };
const unchecked: Strategy = { metadataChecks: 'none', allowsAnyFinalizer: true, validateName: pathSegmentErrors };

const RBAC_NAMES = { nameErrors: pathSegmentErrors };
const rbac: Strategy = { ...own, allowsCreateOnUpdate: true, validateName: pathSegmentErrors };

const binding: Strategy = {
  validate: validateBinding,
  validateUpdate: objectThenChange(validateBinding, validateBindingChange, RBAC_NAMES),
};

/** Returns the strategy of an admission configuration kind. */
function ofAdmission(
  validate: (object: ApiObject, old?: ApiObject) => FieldError[],
  validateStatus: (object: ApiObject) => FieldError[] = () => [],
): Strategy {
  return {
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    metadataChecks: 'generic',
    allowsAnyFinalizer: true,
    ...statusStrategy,
    validate,
    validateUpdate: (next, old, subresource) => (subresource === '' ? validate(next, old) : validateStatus(next)),
  };
}

const webhooks: Strategy = { ...ofAdmission(validateWebhooks), distinguishesEmptyFromAbsent: true };

/** The strategy of ServiceAccounts; only the names of their Secrets are kept. */
const serviceAccountStrategy: Strategy = {
  metadataChecks: 'whole',
  prepareForCreate: keepNames,
  prepareForUpdate: keepNames,
};

const STRATEGIES: Readonly<Record<string, Strategy>> = {
  pods: { ...podStrategy, validate: validateNewPod, validateUpdate: validatePodUpdate },
  configmaps: {
    ...own,
    validate: validateConfigMap,
    validateUpdate: changeThenObject(validateConfigMap, validateConfigMapChange),
  },
  secrets: {
    ...own,
    validate: validateSecret,
    validateUpdate: changeThenObject(validateSecret, validateSecretChange),
  },
  namespaces: namespaceStrategy,
  serviceaccounts: serviceAccountStrategy,
  persistentvolumeclaims: { ...claimStrategy, validate: validateClaim, validateUpdate: validateClaimUpdate },
  persistentvolumes: {
    ...volumeStrategy,
    ...own,
    validate: validateNewVolume,
    validateUpdate: objectAlone([validateNewVolume, validateVolume], validateVolumeChange),
  },
  nodes: {
    ...own,
    acceptsStatus: true,
    validate: validateNode,
    validateUpdate: objectThenChange(validateNode, validateNodeChange),
  },
  events: { ...unchecked, allowsCreateOnUpdate: true, validate: validateCoreEvent, validateUpdate: validateCoreEvent },
  'events.events.k8s.io': {
    ...unchecked,
    allowsCreateOnUpdate: true,
    validate: validateNewEvent,
    validateUpdate: validateEventChange,
  },
  limitranges: {
    ...own,
    allowsCreateOnUpdate: true,
    prepareForCreate: ({ metadata }) => {
      metadata.name ||= randomUUID();
    },
    validate: validateLimitRange,
    validateUpdate: objectAlone([validateLimitRange], () => []),
  },
  resourcequotas: { validate: validateQuota, validateUpdate: validateQuota },
  ...flowControlStrategies,
  'priorityclasses.scheduling.k8s.io': {
    hasGeneration: true,
    specOf: () => undefined,
    validate: validatePriorityClass,
    validateUpdate: validatePriorityClassUpdate,
  },
  'leases.coordination.k8s.io': {
    allowsCreateOnUpdate: true,
    allowsUnconditionalUpdate: false,
    allowsAnyFinalizer: true,
    validate: validateLease,
  },
  'certificatesigningrequests.certificates.k8s.io': certificateRequestStrategy,
  ...workloadStrategies,
  ...networkStrategies,
  ...storageStrategies,
  ...deviceStrategies,
  'runtimeclasses.node.k8s.io': {
    ...own,
    allowsCreateOnUpdate: true,
    allowsUnconditionalUpdate: false,
    allowsAnyFinalizer: true,
    validate: validateRuntimeClass,
    validateUpdate: objectThenChange(validateRuntimeClass, validateRuntimeClassChange, { allowsAnyFinalizer: true }),
  },
  [`roles.${RBAC}`]: {
    ...rbac,
    validate: validateRole,
    validateUpdate: objectThenChange(validateRole, undefined, RBAC_NAMES),
  },
  [`clusterroles.${RBAC}`]: {
    ...rbac,
    validate: validateClusterRole,
    validateUpdate: objectThenChange(validateClusterRole, undefined, RBAC_NAMES),
  },
  [`rolebindings.${RBAC}`]: { ...rbac, ...binding },
  [`clusterrolebindings.${RBAC}`]: { ...rbac, ...binding },
  'customresourcedefinitions.apiextensions.k8s.io': crdStrategy,
  'apiservices.apiregistration.k8s.io': apiServiceStrategy,
  [`validatingwebhookconfigurations.${ADMISSION}`]: webhooks,
  [`mutatingwebhookconfigurations.${ADMISSION}`]: webhooks,
  [`validatingadmissionpolicies.${ADMISSION}`]: ofAdmission(validateValidatingPolicy, validateValidatingPolicyStatus),
  [`mutatingadmissionpolicies.${ADMISSION}`]: ofAdmission(validateMutatingPolicy),
  [`validatingadmissionpolicybindings.${ADMISSION}`]: ofAdmission(validatePolicyBinding),
  [`mutatingadmissionpolicybindings.${ADMISSION}`]: ofAdmission(validatePolicyBinding),
};

/** Returns the strategy of a built-in kind: its differences from the general behavior. */
export function builtinStrategy(group: string, plural: string): Strategy {
  const key = group === '' ? plural : `${plural}.${group}`;
  const warnings = builtinWarnings[key];
  return { ...ownMember(STRATEGIES, key), ...(warnings && { warnings }) };
}

function keepNames(account: ApiObject): void {
  const secrets = arrayAt(account, 'secrets');
  if (secrets.length > 0) account.secrets = eachObject(secrets).map(({ name }) => (name ? { name } : {}));
}
