import { deepEqual } from '../../base/deep-equal.js';
import { matchesSelector, type LabelSelector } from '../../api/label-selector.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../../api/field-error.js';
import { isJsonObject, numberAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../object.js';
import { validateLabels } from './object-meta.js';
import { validatePodSpec } from './pod-validation.js';

/** Problems of a Deployment, or of its change when `old` is given. */
export function validateDeployment(object: ApiObject, old?: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const errors = [...validateReplicas(spec), ...validateSelector(spec), ...validateTemplate(spec, 'Always')];
  for (const field of ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'])
    errors.push(...nonNegative(spec, field));
  const deadline = numberAt(spec, 'progressDeadlineSeconds');
  if (deadline !== undefined && deadline <= (numberAt(spec, 'minReadySeconds') ?? 0)) {
    errors.push(invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
  }
  const type = stringAt(spec.strategy, 'type');
  if (type !== 'RollingUpdate' && type !== 'Recreate') {
    errors.push(notSupported('spec.strategy', spec.strategy, ['Recreate', 'RollingUpdate']));
  } else if (type === 'Recreate' && objectAt(spec, 'strategy').rollingUpdate !== undefined) {
    errors.push(
      forbiddenField('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'"),
    );
  }
  return [...errors, ...immutableSelector(object, old)];
}

export function validateReplicaSet(object: ApiObject, old?: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  return [
    ...validateReplicas(spec),
    ...nonNegative(spec, 'minReadySeconds'),
    ...validateSelector(spec),
    ...validateTemplate(spec, 'Always'),
    ...immutableSelector(object, old),
  ];
}

const STATEFUL_CHANGEABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'persistentVolumeClaimRetentionPolicy',
  'ordinals',
  'revisionHistoryLimit',
];

export function validateStatefulSet(object: ApiObject, old?: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const errors = [...validateReplicas(spec), ...validateSelector(spec), ...validateTemplate(spec, 'Always')];
  if (old && !deepEqual(withoutFields(spec), withoutFields(objectAt(old, 'spec')))) {
    const detail =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
    errors.push(forbiddenField('spec', detail));
  }
  return errors;
}

function withoutFields(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !STATEFUL_CHANGEABLE.includes(field)));
}

export function validateDaemonSet(object: ApiObject, old?: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  return [...validateSelector(spec), ...validateTemplate(spec, 'Always'), ...immutableSelector(object, old)];
}

function validateReplicas(spec: JsonObject): FieldError[] {
  return nonNegative(spec, 'replicas');
}

function nonNegative(spec: JsonObject, field: string): FieldError[] {
  const value = numberAt(spec, field);
  return value !== undefined && value < 0
    ? [invalidValue(`spec.${field}`, value, 'must be greater than or equal to 0')]
    : [];
}

function validateSelector({ selector, template }: JsonObject): FieldError[] {
  if (!isJsonObject(selector)) return [required('spec.selector'), ...mismatch({}, template, false)];
  const errors = validateLabels(
    objectAt(selector, 'matchLabels') as Record<string, string>,
    'spec.selector.matchLabels',
  );
  const isEmpty =
    Object.keys(objectAt(selector, 'matchLabels')).length === 0 && !Array.isArray(selector.matchExpressions);
  if (isEmpty) return [...errors, invalidValue('spec.selector', selector, 'empty selector is invalid for deployment')];
  return [...errors, ...mismatch(selector, template, true)];
}

function mismatch(selector: LabelSelector, template: unknown, isUsable: boolean): FieldError[] {
  const { labels } = objectAt(template, 'metadata');
  if (isUsable && matchesSelector(selector, labels as Record<string, string> | undefined)) return [];
  return [invalidValue('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`')];
}

function validateTemplate(spec: JsonObject, restartPolicy: string): FieldError[] {
  const template = objectAt(spec, 'template');
  const labels = objectAt(objectAt(template, 'metadata'), 'labels') as Record<string, string>;
  const errors = [
    ...validateLabels(labels, 'spec.template.metadata.labels'),
    ...validatePodSpec(objectAt(template, 'spec'), 'spec.template.spec'),
  ];
  const given = stringAt(template.spec, 'restartPolicy');
  if (given !== restartPolicy && errors.every(({ field }) => field !== 'spec.template.spec.restartPolicy')) {
    errors.push(notSupported('spec.template.spec.restartPolicy', given, [restartPolicy]));
  }
  return errors;
}

function immutableSelector(object: ApiObject, old: ApiObject | undefined): FieldError[] {
  if (!old) return [];
  const [selector, former] = [objectAt(object, 'spec').selector, objectAt(old, 'spec').selector];
  return deepEqual(selector, former) ? [] : [invalidValue('spec.selector', selector, 'field is immutable')];
}
