import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import { stringifyJson } from '../../../base/json.js';
import {
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { validateNonNegative } from '../fields/field-checks.js';
import { inOrder } from '../fields/object-meta.js';
import { validatePodTemplate } from '../pods/pod-spec-validation.js';
import { validateReplicaStatus } from './workload-status-validation.js';

/** Returns the errors of a PodTemplate, or of its update. */
export function validateTemplate(object: ApiObject): FieldError[] {
  return validatePodTemplate(objectAt(object, 'template'), 'template');
}

/** Returns the errors of a ReplicationController, or of its update. */
export function validateReplicationController(object: ApiObject, old?: ApiObject, subresource = ''): FieldError[] {
  if (old && subresource === 'status') return validateReplicaStatus(object, old);
  const spec = objectAt(object, 'spec');
  const selector = objectAt(spec, 'selector');
  const nonNegative = (name: string): FieldError[] => validateNonNegative(`spec.${name}`, numberAt(spec, name));
  return [
    ...nonNegative('minReadySeconds'),
    ...(Object.keys(selector).length === 0 ? [required('spec.selector')] : []),
    ...nonNegative('replicas'),
    ...(isJsonObject(spec.template) ? templateErrors(spec.template, selector) : [required('spec.template')]),
  ];
}

function templateErrors(template: JsonObject, selector: JsonObject): FieldError[] {
  const labels = objectAt(objectAt(template, 'metadata'), 'labels');
  const isMatch = Object.entries(selector).every(([key, value]) => labels[key] === value);
  const [field, spec] = ['spec.template', objectAt(template, 'spec')];
  const policy = stringAt(spec, 'restartPolicy');
  const deadline = 'activeDeadlineSeconds in ReplicationController is not Supported';
  return [
    ...(isMatch
      ? []
      : [invalidValue(`${field}.metadata.labels`, shown(template), '`selector` does not match template `labels`')]),
    ...validatePodTemplate(template, field),
    ...(policy === 'Always' ? [] : [notSupported(`${field}.spec.restartPolicy`, policy, ['Always'])]),
    ...(spec.activeDeadlineSeconds === undefined
      ? []
      : [forbiddenField(`${field}.spec.activeDeadlineSeconds`, deadline)]),
  ];
}

function shown(template: JsonObject): unknown {
  return inOrder(objectAt(template, 'metadata').labels);
}

/** Returns the errors of a ControllerRevision, or of its update. */
export function validateRevision(object: ApiObject, old?: ApiObject): FieldError[] {
  const errors = validateNonNegative('revision', numberAt(object, 'revision'));
  if (old) {
    const isSame = stringifyJson(object.data ?? null) === stringifyJson(old.data ?? null);
    return isSame
      ? errors
      : [
          ...errors,
          invalidValue('data', isJsonObject(object.data) ? inOrder(object.data) : object.data, 'field is immutable'),
        ];
  }
  if (object.data === undefined || object.data === null) return [...errors, required('data', 'data is mandatory')];
  return isJsonObject(object.data) ? errors : [...errors, required('data', 'data must be a valid JSON object')];
}
