import { deepEqual } from '../../../base/deep-equal.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../../../api/protocol/field-error.js';
import {
  type ApiObject,
  type JsonObject,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  without,
} from '../../objects/api-object.js';
import { qosClass } from '../../objects/qos-class.js';
import { imageSpaceErrors } from './containers/container-validation.js';
import { internalDiff, internalEqual } from '../fields/internal-form.js';
import { validateEphemeralChange } from './containers/ephemeral-container-validation.js';
import {
  validatePodAnnotationChange,
  validatePodAnnotations,
  validateProfilesAlike,
} from './pod-annotation-validation.js';
import { isGated, validateGatedChange, withFormerNodes } from './gated-pod-validation.js';
import { validatePodSpec, validateTolerations } from './pod-spec-validation.js';
import { validatePodResize } from './pod-resize-validation.js';
import { validatePodStatus } from './pod-status-validation.js';

type Annotations = Readonly<Record<string, string>>;

const MAX_SECONDS = 2147483647;
const NOT_REMOVED = 'existing toleration can not be modified except its tolerationSeconds';
const CHANGEABLE = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'];
const GRACE = 'terminationGracePeriodSeconds';
const ONLY =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Returns the errors of a pod, on creation and update. */
function validatePod(object: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  return [
    ...validatePodAnnotations(object.metadata.annotations ?? {}, spec, 'metadata.annotations'),
    ...validatePodSpec(spec, 'spec', object),
    ...tokenErrors(spec, 'spec'),
    ...imageSpaceErrors(spec.containers, 'spec.containers'),
    ...imageSpaceErrors(spec.initContainers, 'spec.initContainers'),
  ];
}

/** A pod with a projected token must have a ServiceAccount. */
function tokenErrors(spec: JsonObject, field: string): FieldError[] {
  if (stringAt(spec, 'serviceAccountName') !== '') return [];
  const detail = 'must not be specified when serviceAccountName is not set';
  return eachObject(spec.volumes).flatMap((volume, index) =>
    eachObject(objectAt(volume, 'projected').sources).flatMap((source, place) =>
      isJsonObject(source.serviceAccountToken)
        ? [forbiddenField(`${field}.volumes[${index}].projected.sources[${place}].serviceAccountToken`, detail)]
        : [],
    ),
  );
}

/** Returns the errors of a new pod. */
export function validateNewPod(object: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const isTooSoon = stringAt(spec, 'nodeName') !== '' && isGated(spec);
  return [
    ...validatePod(object),
    ...(eachObject(spec.ephemeralContainers).length > 0
      ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(isTooSoon
      ? [forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
    ...validateProfilesAlike(object.metadata.annotations ?? {}, spec, 'spec'),
  ];
}

/** Returns the errors of an update of a pod; almost all of its spec is immutable. */
export function validatePodUpdate(next: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  if (subresource === 'ephemeralcontainers')
    return [...validatePod(next), ...validateEphemeralChange(objectAt(next, 'spec'), objectAt(old, 'spec'))];
  if (subresource === 'status') return validatePodStatus(next, old);
  if (subresource === 'resize') return validatePodResize(next, old, qosClass, validatePod(next));
  if (subresource !== '') return [];
  const [spec, former] = [objectAt(next, 'spec'), objectAt(old, 'spec')];
  const annotations = [next, old].map(({ metadata }) => metadata.annotations ?? {}) as [Annotations, Annotations];
  const errors = [...validatePod(next), ...validatePodAnnotationChange(...annotations, 'metadata.annotations')];
  for (const field of ['containers', 'initContainers']) {
    const problems = imageChangeErrors(spec[field], former[field], `spec.${field}`);
    errors.push(...problems);
    if (eachObject(spec[field]).length !== eachObject(former[field]).length) return errors;
  }
  const deadline = deadlineErrors(spec, former);
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return [...errors, ...deadline];
  errors.push(...deadline, ...tolerationErrors(spec, former));
  return [
    ...errors,
    ...gateErrors(spec, former),
    ...(isGated(former) ? validateGatedChange(spec, former) : []),
    ...frozenErrors(spec, former),
  ];
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

/** Tolerations can be added and their tolerationSeconds changed; they cannot be removed. */
function tolerationErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  const timeless = (toleration: JsonObject): JsonObject => without(toleration, 'tolerationSeconds');
  const present = eachObject(spec.tolerations).map(timeless);
  const isMissing = eachObject(former.tolerations).some(
    (toleration) => !present.some((one) => deepEqual(one, timeless(toleration))),
  );
  return isMissing ? [forbiddenField('spec.tolerations', NOT_REMOVED)] : validateTolerations(spec, 'spec.tolerations');
}

/** Scheduling gates can be removed, but not added. */
function gateErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  const present = new Set(eachObject(former.schedulingGates).map(({ name }) => name));
  return eachObject(spec.schedulingGates).flatMap((gate, index) => {
    const name = stringAt(gate, 'name');
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return present.has(name) ? [] : [forbiddenField(`spec.schedulingGates[${index}].name`, detail)];
  });
}

function frozenErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  const changed = withChangeable(spec, former);
  const wanted = isGated(former) ? withFormerNodes(changed, former) : changed;
  if (internalEqual('core.PodSpec', wanted, former)) return [];
  return [forbiddenField('spec', `${ONLY}\n${internalDiff('core.PodSpec', former, wanted)}`)];
}

/** Returns a spec with the mutable fields of another spec. */
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
