import { setCondition, type ConditionLike } from '../../api/objects/condition.js';
import { type ApiObject, type JsonObject, arrayAt, eachObject, objectAt, stringAt } from '../objects/api-object.js';
import { caBundleProblems } from '../../crd/definition/webhook-problems.js';
import { apiApproval, needsApproval } from '../../crd/definition/api-approval.js';
import { acceptNames } from './accepted-names.js';

const NO_CONFLICTS = { status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
const ESTABLISHED = {
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const WITHOUT_CA = {
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};
const NOT_ESTABLISHED = { status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };

/** Computes the status of a definition, given all other definitions. */
export function definitionStatus(definition: ApiObject, all: readonly ApiObject[], now: string): JsonObject {
  const { names, conflict } = acceptNames(definition, all);
  const accepted = conflict ? { status: 'False', ...conflict } : NO_CONFLICTS;
  const acceptable = hasCa(definition) ? ESTABLISHED : WITHOUT_CA;
  const established = isEstablished(definition.status) ? ESTABLISHED : conflict ? NOT_ESTABLISHED : acceptable;
  let conditions = arrayAt(definition.status, 'conditions') as ConditionLike[];
  conditions = setCondition(conditions, { type: 'NamesAccepted', ...accepted }, now);
  conditions = setCondition(conditions, { type: 'Established', ...established }, now);
  const conformant = conformance(definition);
  if (conformant)
    conditions = setCondition(conditions, { type: 'KubernetesAPIApprovalPolicyConformant', ...conformant }, now);
  const storage = eachObject(objectAt(definition, 'spec').versions).find((version) => version.storage === true);
  const storedVersions = new Set([...arrayAt(definition.status, 'storedVersions'), stringAt(storage, 'name')]);
  return { conditions, acceptedNames: names, storedVersions: [...storedVersions] };
}

/** Returns whether the conversion webhook has a CA bundle. */
function hasCa({ spec }: ApiObject): boolean {
  const { webhook } = objectAt(objectAt({ spec }, 'spec'), 'conversion');
  const bundle = stringAt(objectAt({ webhook }, 'webhook').clientConfig, 'caBundle');
  return bundle === '' || caBundleProblems('', bundle).length === 0;
}

/** Returns whether a definition with this status is established, i.e. its resources are served. */
export function isEstablished(status: unknown): boolean {
  return eachObject(arrayAt(status, 'conditions')).some((one) => one.type === 'Established' && one.status === 'True');
}

const CONFORMANCE = {
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
  missing: { status: 'False', reason: 'MissingAnnotation' },
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
} as const;

/**
 * Returns the approval condition of a definition in a Kubernetes group: the apiapproval controller of
 * apiextensions-apiserver.
 */
function conformance(definition: ApiObject): Pick<ConditionLike, 'status' | 'reason' | 'message'> | undefined {
  if (!needsApproval(definition)) return undefined;
  const approval = apiApproval(definition);
  return { ...CONFORMANCE[approval.state], message: approval.message };
}
