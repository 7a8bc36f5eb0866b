import { deepEqual } from '../../../base/deep-equal.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../../../api/field-error.js';
import { numberAt, objectAt, stringAt, type ApiObject, type JsonObject, without } from '../../object.js';
import { eachObject } from '../../builtin/set-default.js';
import { imageSpaceErrors } from './container-validation.js';
import { checkDnsSubdomain, checkImmutable, checkOptional, checkQualifiedName } from '../fields/field-checks.js';
import { internalDiff, internalForm } from '../fields/internal-form.js';
import { validateEphemeralChange } from './ephemeral-container-validation.js';
import { validatePodSpec, validateTolerations } from './pod-spec-validation.js';
import { semanticEqual } from '../fields/semantic-equal.js';

const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];
const MAX_SECONDS = 2147483647;
const NOT_REMOVED = 'existing toleration can not be modified except its tolerationSeconds';
const CHANGEABLE = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'];
const GRACE = 'terminationGracePeriodSeconds';
const ONLY =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Problems of a pod, new or not. */
function validatePod(object: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  return [
    ...validatePodSpec(spec, 'spec'),
    ...imageSpaceErrors(spec.containers, 'spec.containers'),
    ...imageSpaceErrors(spec.initContainers, 'spec.initContainers'),
  ];
}

/** Problems of a new pod. */
export function validateNewPod(object: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const isGated = stringAt(spec, 'nodeName') !== '' && eachObject(spec.schedulingGates).length > 0;
  return [
    ...validatePod(object),
    ...(eachObject(spec.ephemeralContainers).length > 0
      ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(isGated ? [forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')] : []),
  ];
}

/** Problems of a change of a pod: nearly nothing of its spec may change. */
export function validatePodUpdate(next: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  if (subresource === 'ephemeralcontainers')
    return [...validatePod(next), ...validateEphemeralChange(objectAt(next, 'spec'), objectAt(old, 'spec'))];
  if (subresource === 'status') return validatePodStatus(next, old);
  if (subresource !== '') return [];
  const [spec, former] = [objectAt(next, 'spec'), objectAt(old, 'spec')];
  const errors = validatePod(next);
  for (const field of ['containers', 'initContainers']) {
    const problems = imageChangeErrors(spec[field], former[field], `spec.${field}`);
    errors.push(...problems);
    if (eachObject(spec[field]).length !== eachObject(former[field]).length) return errors;
  }
  const deadline = deadlineErrors(spec, former);
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return [...errors, ...deadline];
  errors.push(...deadline, ...tolerationErrors(spec, former));
  return [...errors, ...frozenErrors(spec, former)];
}

function imageChangeErrors(containers: unknown, former: unknown, path: string): FieldError[] {
  const list = eachObject(containers);
  if (list.length !== eachObject(former).length)
    return [forbiddenField(path, 'pod updates may not add or remove containers')];
  const missing = list.flatMap((container, index) =>
    stringAt(container, 'image') === '' ? [required(`${path}[${index}].image`)] : [],
  );
  return [...missing, ...imageSpaceErrors(containers, path)];
}

function deadlineErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  const [next, old] = [numberAt(spec, 'activeDeadlineSeconds'), numberAt(former, 'activeDeadlineSeconds')];
  const field = 'spec.activeDeadlineSeconds';
  if (next === undefined)
    return old === undefined ? [] : [invalidValue(field, null, 'must not update from a positive integer to nil value')];
  if (next < 0 || next > MAX_SECONDS)
    return [invalidValue(field, next, `must be between 0 and ${MAX_SECONDS}, inclusive`)];
  const isLonger = old !== undefined && old < next;
  return isLonger ? [invalidValue(field, next, 'must be less than or equal to previous value')] : [];
}

/** Tolerations may come, and get another time; none may go. */
function tolerationErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  const timeless = (toleration: JsonObject): JsonObject => without(toleration, 'tolerationSeconds');
  const present = eachObject(spec.tolerations).map(timeless);
  const isMissing = eachObject(former.tolerations).some(
    (toleration) => !present.some((one) => deepEqual(one, timeless(toleration))),
  );
  return isMissing ? [forbiddenField('spec.tolerations', NOT_REMOVED)] : validateTolerations(spec, 'spec.tolerations');
}

function frozenErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  const wanted = withChangeable(spec, former);
  const [next, old] = [wanted, former].map((one) => internalForm('core.PodSpec', one));
  if (semanticEqual(next, old)) return [];
  return [forbiddenField('spec', `${ONLY}\n${internalDiff('core.PodSpec', former, wanted)}`)];
}

/** A spec but for what may change, which it has from another. */
function withChangeable(spec: JsonObject, former: JsonObject): JsonObject {
  const wanted = { ...spec };
  for (const field of CHANGEABLE) takeMember(wanted, former, field);
  for (const field of ['containers', 'initContainers']) {
    const present = eachObject(former[field]);
    if (present.length > 0)
      wanted[field] = eachObject(spec[field]).map((container, index) => {
        const kept = { ...container };
        takeMember(kept, present[index] ?? {}, 'image');
        return kept;
      });
  }
  const isMended = (numberAt(former, GRACE) ?? 0) < 0 && spec[GRACE] === 1;
  if (isMended) wanted[GRACE] = former[GRACE];
  return wanted;
}

function takeMember(target: JsonObject, source: JsonObject, field: string): void {
  if (source[field] === undefined) Reflect.deleteProperty(target, field);
  else target[field] = source[field];
}

function validatePodStatus(next: ApiObject, old: ApiObject): FieldError[] {
  const [status, former] = [objectAt(next, 'status'), objectAt(old, 'status')];
  const nominated = stringAt(status, 'nominatedNodeName');
  const isNominated = nominated !== stringAt(former, 'nominatedNodeName');
  return [
    ...eachObject(status.conditions).flatMap(({ type }, index) =>
      SYSTEM_CONDITIONS.includes(type as string)
        ? []
        : checkQualifiedName(`status.conditions[${index}].Type`, stringAt({ type }, 'type')),
    ),
    ...(isNominated ? checkOptional('status.nominatedNodeName', nominated, checkDnsSubdomain) : []),
    ...checkImmutable('status.qosClass', status.qosClass, former.qosClass),
  ];
}
