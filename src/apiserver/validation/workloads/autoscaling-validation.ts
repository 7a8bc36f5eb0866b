import { ownMember } from '../../../base/own-member.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  textOf,
} from '../../objects/api-object.js';
import { parseQuantity } from '../../../api/schema/quantity.js';
import { validateNonNegative, validateOneOf } from '../fields/field-checks.js';
import { validateIntOrPercent, validateNotMoreThanAll } from '../fields/int-or-percent.js';
import { encodeSelector, validateLabelSelector } from '../fields/label-selector-validation.js';
import { pathSegmentErrors } from '../../../api/objects/names.js';

const SOURCES: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};
const CHECKED = ['object', 'external', 'pods', 'resource', 'containerResource'];
const ALL_SOURCES = Object.keys(SOURCES);
const MAX_WINDOW_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;

/** Returns the errors of a HorizontalPodAutoscaler in the form of autoscaling/v2. */
export function validateAutoscaler(object: ApiObject, old?: ApiObject, subresource = ''): FieldError[] {
  if (subresource === 'status') {
    const status = objectAt(object, 'status');
    return ['currentReplicas', 'desiredReplicas'].flatMap((name) =>
      validateNonNegative(`status.${name}`, numberAt(status, name)),
    );
  }
  const spec = objectAt(object, 'spec');
  return [
    ...replicaErrors(spec),
    ...referenceErrors(objectAt(spec, 'scaleTargetRef'), 'spec.scaleTargetRef'),
    ...groupErrors(objectAt(spec, 'scaleTargetRef'), old && objectAt(objectAt(old, 'spec'), 'scaleTargetRef')),
    ...eachObject(spec.metrics).flatMap((metric, index) => metricErrors(metric, `spec.metrics[${index}]`)),
    ...zeroErrors(spec),
    ...['scaleUp', 'scaleDown'].flatMap((name) =>
      ruleErrors(objectAt(spec, 'behavior')[name], `spec.behavior.${name}`),
    ),
  ];
}

function replicaErrors(spec: JsonObject): FieldError[] {
  const [least, most] = [numberAt(spec, 'minReplicas'), numberAt(spec, 'maxReplicas') ?? 0];
  const errors: FieldError[] = [];
  if (least !== undefined && least < 1)
    errors.push(invalidValue('spec.minReplicas', least, 'must be greater than or equal to 1'));
  if (most === 0) errors.push(required('spec.maxReplicas', 'must be set and greater than 0'));
  else if (most < 0) errors.push(invalidValue('spec.maxReplicas', most, 'must be greater than or equal to 1'));
  if (least !== undefined && most < least)
    errors.push(invalidValue('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'));
  return errors;
}

/** The target must have an API group, except for ReplicationController, the only scalable core kind. */
function groupErrors(reference: JsonObject, old: JsonObject | undefined): FieldError[] {
  const field = 'spec.scaleTargetRef.apiVersion';
  const [apiVersion, kind] = [stringAt(reference, 'apiVersion'), stringAt(reference, 'kind')];
  if (old && stringAt(old, 'apiVersion') === apiVersion && stringAt(old, 'kind') === kind) return [];
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [invalidValue(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  if (parts.length === 2 || kind === 'ReplicationController') return [];
  return [invalidValue(field, apiVersion, 'apiVersion must specify API group')];
}

/** Scaling to zero requires a metric that does not depend on pods. */
function zeroErrors({ minReplicas, metrics }: JsonObject): FieldError[] {
  if (minReplicas !== 0 || eachObject(metrics).some(({ type }) => type === 'Object' || type === 'External')) return [];
  const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [forbiddenField('spec.metrics', detail)];
}

function referenceErrors(reference: JsonObject, field: string): FieldError[] {
  return ['kind', 'name'].flatMap((name) => {
    const value = stringAt(reference, name);
    if (value === '') return [required(`${field}.${name}`)];
    return pathSegmentErrors(value).map((message) => invalidValue(`${field}.${name}`, value, message));
  });
}

function metricErrors(metric: JsonObject, field: string): FieldError[] {
  const type = stringAt(metric, 'type');
  const present = CHECKED.filter((name) => isJsonObject(metric[name]));
  const [first] = present;
  const expected = ownMember(SOURCES, type);
  const unknown = notSupported(`${field}.type`, type, ALL_SOURCES);
  const missing = 'must populate information for the given metric source';
  const extra = present.length === 1 ? [] : present.filter((name) => name !== expected);
  return [
    ...(type === '' ? [required(`${field}.type`, 'must specify a metric source type')] : []),
    ...(expected === undefined ? [unknown] : []),
    ...(first === undefined ? [] : sourceErrors(first, objectAt(metric, first), `${field}.${first}`)),
    ...(expected === undefined
      ? [unknown]
      : present.includes(expected)
        ? []
        : [required(`${field}.${expected}`, missing)]),
    ...extra.map((name) => forbiddenField(`${field}.${name}`, 'must populate the given metric source only')),
  ];
}

function sourceErrors(kind: string, source: JsonObject, field: string): FieldError[] {
  if (kind === 'resource' || kind === 'containerResource') return resourceErrors(kind, source, field);
  const target = objectAt(source, 'target');
  const metric = stringAt(source.metric, 'name');
  const path = `${field}.target`;
  const described = kind === 'object' ? objectAt(source, 'describedObject') : undefined;
  return [
    ...(described ? referenceErrors(described, `${field}.describedObject`) : []),
    ...(metric === '' ? [required(`${field}.metric.name`, 'must specify a metric name')] : []),
    ...targetErrors(target, path),
    ...(target.averageValue === undefined ? averageErrors(kind, target, `${path}.averageValue`) : []),
  ];
}

function averageErrors(kind: string, { value }: JsonObject, field: string): FieldError[] {
  if (kind === 'pods') return [required(field, 'must specify a positive target averageValue')];
  const detail =
    kind === 'object'
      ? 'must set either a target value or averageValue'
      : 'must set either a target value for metric or a per-pod target';
  return value === undefined ? [required(field, detail)] : [];
}

function resourceErrors(kind: string, source: JsonObject, field: string): FieldError[] {
  const target = objectAt(source, 'target');
  const needsContainer = kind === 'containerResource' && stringAt(source, 'container') === '';
  return [
    ...(needsContainer ? [required(`${field}.container`, 'must specify a container')] : []),
    ...(stringAt(source, 'name') === '' ? [required(`${field}.name`, 'must specify a resource name')] : []),
    ...targetErrors(target, `${field}.target`),
    ...utilizationErrors(target, `${field}.target`),
  ];
}

function utilizationErrors(target: JsonObject, field: string): FieldError[] {
  const { averageUtilization, averageValue } = target;
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = 'must set either a target raw value or a target utilization';
    return [required(`${field}.averageUtilization`, detail)];
  }
  if (averageUtilization === undefined || averageValue === undefined) return [];
  return [forbiddenField(`${field}.averageValue`, 'may not set both a target raw value and a target utilization')];
}

function targetErrors(target: JsonObject, field: string): FieldError[] {
  const type = stringAt(target, 'type');
  const utilization = numberAt(target, 'averageUtilization');
  return [
    ...(type === '' ? [required(`${field}.type`, 'must specify a metric target type')] : []),
    ...(['Utilization', 'Value', 'AverageValue'].includes(type)
      ? []
      : [invalidValue(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...['value', 'averageValue'].flatMap((name) => positiveErrors(target[name], `${field}.${name}`)),
    ...(utilization !== undefined && utilization < 1
      ? [invalidValue(`${field}.averageUtilization`, utilization, 'must be greater than 0')]
      : []),
  ];
}

function positiveErrors(amount: unknown, field: string): FieldError[] {
  if (amount === undefined) return [];
  const quantity = parseQuantity(textOf(amount));
  return quantity && quantity.nano > 0n ? [] : [invalidValue(field, amount, 'must be positive')];
}

function ruleErrors(rules: unknown, field: string): FieldError[] {
  if (!isJsonObject(rules)) return [];
  const seconds = numberAt(rules, 'stabilizationWindowSeconds');
  const window = `${field}.stabilizationWindowSeconds`;
  const policy = rules.selectPolicy;
  return [
    ...(seconds !== undefined && seconds < 0
      ? [invalidValue(window, seconds, 'must be greater than or equal to zero')]
      : []),
    ...(seconds !== undefined && seconds > MAX_WINDOW_SECONDS
      ? [invalidValue(window, seconds, `must be less than or equal to ${MAX_WINDOW_SECONDS}`)]
      : []),
    ...(policy === undefined ? [] : validateOneOf(`${field}.selectPolicy`, policy, ['Disabled', 'Max', 'Min'])),
    ...(arrayAt(rules, 'policies').length === 0
      ? [required(`${field}.policies`, 'must specify at least one Policy')]
      : []),
    ...eachObject(rules.policies).flatMap((one, index) => policyErrors(one, `${field}.policies[${index}]`)),
  ];
}

function policyErrors(policy: JsonObject, field: string): FieldError[] {
  const [value, period] = [numberAt(policy, 'value') ?? 0, numberAt(policy, 'periodSeconds') ?? 0];
  return [
    ...(policy.type === 'Pods' || policy.type === 'Percent'
      ? []
      : [notSupported(`${field}.type`, policy.type ?? '', ['Percent', 'Pods'])]),
    ...(value > 0 ? [] : [invalidValue(`${field}.value`, value, 'must be greater than zero')]),
    ...(period > 0 ? [] : [invalidValue(`${field}.periodSeconds`, period, 'must be greater than zero')]),
    ...(period > MAX_PERIOD_SECONDS
      ? [invalidValue(`${field}.periodSeconds`, period, `must be less than or equal to ${MAX_PERIOD_SECONDS}`)]
      : []),
  ];
}

/** Returns the errors of a PodDisruptionBudget. */
export function validateDisruptionBudget(object: ApiObject, _old?: ApiObject, subresource = ''): FieldError[] {
  if (subresource === 'status') {
    const status = objectAt(object, 'status');
    return ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'].flatMap((name) =>
      validateNonNegative(`status.${name}`, numberAt(status, name)),
    );
  }
  const spec = objectAt(object, 'spec');
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy: policy } = spec;
  const areBoth = minAvailable !== undefined && maxUnavailable !== undefined;
  return [
    ...(areBoth ? [invalidValue('spec', shownBudget(spec), 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...['minAvailable', 'maxUnavailable'].flatMap((name) => [
      ...validateIntOrPercent(`spec.${name}`, spec[name]),
      ...validateNotMoreThanAll(`spec.${name}`, spec[name]),
    ]),
    ...validateLabelSelector(spec.selector, 'spec.selector'),
    ...(policy === undefined
      ? []
      : validateOneOf('spec.unhealthyPodEvictionPolicy', policy, ['AlwaysAllow', 'IfHealthyBudget'])),
  ];
}

/** Formats the spec as the server's internal type. */
function shownBudget(spec: JsonObject): JsonObject {
  const fields = ['minAvailable', 'selector', 'maxUnavailable', 'unhealthyPodEvictionPolicy'];
  const shown: JsonObject = { ...spec, selector: encodeSelector(spec.selector) };
  return Object.fromEntries(fields.map((name) => [name.charAt(0).toUpperCase() + name.slice(1), shown[name] ?? null]));
}
