import {
  duplicate,
  invalidValue,
  required,
  tooLong,
  tooMany,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import { cIdentifierErrors, dnsSubdomainErrors } from '../../../api/objects/names.js';
import { eachObject, arrayAt, objectAt, stringAt, type JsonObject, type ApiObject } from '../../objects/api-object.js';
import {
  checkDnsLabel,
  checkLabelValue,
  validateOneOf,
  validateOptional,
  checkQualifiedName,
  validateRequired,
} from '../fields/field-checks.js';
import { validateNodeSelector } from '../pods/affinity-validation.js';
import { validateListed, validateNamed } from './item-lists.js';
import { isExtended } from '../fields/resource-name-validation.js';
import { opaqueErrors, selectorErrors } from './device-configuration-validation.js';

const [MAX_DOMAIN, MAX_ID, MAX_VALUE] = [63, 32, 64];
const [MAX_ENTRIES, MAX_VALUES] = [32, 48];
const [MAX_TAINTS, MAX_CONSUMPTIONS, MAX_COUNTERS, MAX_CONDITIONS] = [16, 2, 32, 4];
const EFFECTS = ['NoExecute', 'NoSchedule', 'None'];
const NUMBER = String.raw`(0|[1-9]\d*)`;
const PRERELEASE = String.raw`(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const BUILD = '[0-9a-zA-Z-]+';
const VERSION = new RegExp(
  String.raw`^${NUMBER}\.${NUMBER}\.${NUMBER}(-${PRERELEASE}(\.${PRERELEASE})*)?(\+${BUILD}(\.${BUILD})*)?$`,
);
const ONE_VALUE = 'exactly one value must be specified';
const ONE_PLACE =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
const NO_PLACE =
  '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';

/** Returns the errors of a device of a ResourceSlice. */
export function validateDevice(device: JsonObject, path: string, isPlaced: boolean): FieldError[] {
  const [attributes, capacity] = [objectAt(device, 'attributes'), objectAt(device, 'capacity')];
  const consumed = eachObject(device.consumesCounters);
  return [
    ...checkDnsLabel(`${path}.name`, stringAt(device, 'name')),
    ...amountErrors(attributes, capacity, path),
    ...Object.keys(attributes).flatMap((name) => [
      ...qualifiedNameErrors(`${path}.attributes`, name),
      ...attributeErrors(objectAt(attributes, name), `${path}.attributes[${name}]`),
    ]),
    ...Object.keys(capacity).flatMap((name) => qualifiedNameErrors(`${path}.capacity`, name)),
    ...validateListed(eachObject(device.taints), MAX_TAINTS, `${path}.taints`, taintErrors),
    ...validateNamed(consumed, MAX_CONSUMPTIONS, `${path}.consumesCounters`, consumptionErrors, 'counterSet'),
    ...placeErrors(device, path, isPlaced),
    ...bindingErrors(device, path),
  ];
}

/** Returns the errors of the name of a driver. */
export function driverErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)];
  return [
    ...(name.length > MAX_DOMAIN ? [tooLong(field, MAX_DOMAIN)] : []),
    ...dnsSubdomainErrors(name.toLowerCase()).map((message) => invalidValue(field, name, message)),
  ];
}

/** Returns the errors of counters; at least one is required. */
export function countersErrors(of: JsonObject, path: string): FieldError[] {
  const names = Object.keys(objectAt(of, 'counters'));
  if (names.length === 0) return [required(`${path}.counters`)];
  if (names.length > MAX_COUNTERS) return [tooMany(`${path}.counters`, names.length, MAX_COUNTERS)];
  return names.flatMap((name) => checkDnsLabel(`${path}.counters`, name));
}

function amountErrors(attributes: JsonObject, capacity: JsonObject, path: string): FieldError[] {
  const entries = Object.keys(attributes).length + Object.keys(capacity).length;
  const values = Object.keys(attributes).reduce((sum, name) => sum + valuesOf(objectAt(attributes, name)), 0);
  const many = (count: number, what: string, max: number): FieldError[] =>
    count > max ? [invalidValue(path, count, `the total number of ${what} must not exceed ${max}`)] : [];
  return [...many(entries, 'attributes and capacities', MAX_ENTRIES), ...many(values, 'attribute values', MAX_VALUES)];
}

function valuesOf(attribute: JsonObject): number {
  const listed = ['bools', 'ints', 'strings', 'versions'].reduce(
    (sum, list) => sum + arrayAt(attribute, list).length,
    0,
  );
  return Math.max(1, listed);
}

function qualifiedNameErrors(field: string, name: string): FieldError[] {
  const parts = name.split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) return identifierErrors(field, first);
  if (parts.length > 2) return [];
  return [
    ...(first === '' ? [invalidValue(field, '', 'the domain must not be empty')] : driverErrors(field, first)),
    ...(second === '' ? [invalidValue(field, '', 'the name must not be empty')] : identifierErrors(field, second)),
  ];
}

/** Returns the errors of an attribute name that must be qualified with a domain. */
export function fullyQualifiedErrors(field: string, name: string): FieldError[] {
  const detail = 'a fully qualified name must be a domain and a name separated by a slash';
  return [...qualifiedNameErrors(field, name), ...(name.includes('/') ? [] : [invalidValue(field, name, detail)])];
}

function identifierErrors(field: string, id: string): FieldError[] {
  return [
    ...(id.length > MAX_ID ? [tooLong(field, MAX_ID)] : []),
    ...cIdentifierErrors(id).map((message) => invalidValue(field, id, message)),
  ];
}

const KINDS = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'];

function attributeErrors(attribute: JsonObject, path: string): FieldError[] {
  const set = KINDS.filter((kind) => attribute[kind] !== undefined);
  const count =
    set.length === 1 ? [] : [invalidValue(path, set.length === 0 ? '' : shownAttribute(attribute), ONE_VALUE)];
  return [...set.flatMap((kind) => valueErrors(attribute, kind, `${path}.${kind}`)), ...count];
}

/** Formats an attribute as the JSON of the server's internal type. */
function shownAttribute(attribute: JsonObject): JsonObject {
  const nameOf = (kind: string): string =>
    `${kind.charAt(0).toUpperCase()}${kind.slice(1).replace(/s$/, '')}Value${kind.endsWith('s') ? 's' : ''}`;
  return Object.fromEntries(KINDS.map((kind) => [nameOf(kind), attribute[kind] ?? null]));
}

function valueErrors(attribute: JsonObject, kind: string, path: string): FieldError[] {
  if (!kind.endsWith('s')) return textErrors(kind, attribute[kind], path);
  const values = arrayAt(attribute, kind);
  if (values.length === 0) return [invalidValue(path, values, 'must not be empty if specified')];
  return values.flatMap((value, index) => textErrors(kind.slice(0, -1), value, `${path}[${index}]`));
}

function textErrors(kind: string, value: unknown, path: string): FieldError[] {
  if (typeof value !== 'string') return [];
  const detail = 'must be a string compatible with semver.org spec 2.0.0';
  return [
    ...(kind === 'version' && !VERSION.test(value) ? [invalidValue(path, value, detail)] : []),
    ...(Buffer.byteLength(value) > MAX_VALUE ? [tooLong(path, MAX_VALUE)] : []),
  ];
}

function taintErrors(taint: JsonObject, path: string): FieldError[] {
  return [
    ...checkQualifiedName(`${path}.key`, stringAt(taint, 'key')),
    ...validateOptional(`${path}.value`, stringAt(taint, 'value'), checkLabelValue),
    ...validateOneOf(`${path}.effect`, taint.effect, EFFECTS),
  ];
}

function consumptionErrors(consumption: JsonObject, path: string): FieldError[] {
  return [
    ...validateRequired(`${path}.counterSet`, stringAt(consumption, 'counterSet'), checkDnsLabel),
    ...countersErrors(consumption, path),
  ];
}

/** Returns the errors of the node selection of a device, for slices that leave it to each device. */
function placeErrors(device: JsonObject, path: string, isPlaced: boolean): FieldError[] {
  const { nodeName, nodeSelector, allNodes } = device;
  if (!isPlaced) {
    const isSaid = [nodeName, nodeSelector, allNodes].some((place) => place !== undefined);
    return isSaid ? [invalidValue(path, null, NO_PLACE)] : [];
  }
  const set = [
    ...(stringAt(device, 'nodeName') === '' ? [] : ['`nodeName`']),
    ...(nodeSelector === undefined ? [] : ['`nodeSelector`']),
    ...(allNodes === true ? ['`allNodes`'] : []),
  ];
  return [
    ...nodeNameErrors(nodeName, `${path}.nodeName`),
    ...(nodeSelector === undefined
      ? []
      : validateNodeSelector(objectAt(device, 'nodeSelector'), `${path}.nodeSelector`)),
    ...(allNodes === false ? [invalidValue(`${path}.allNodes`, false, 'must be either unset or set to true')] : []),
    ...(set.length === 0 ? [required(path, ONE_PLACE)] : []),
    ...(set.length > 1 ? [invalidValue(path, `{${set.join(', ')}}`, ONE_PLACE)] : []),
  ];
}

function nodeNameErrors(name: unknown, field: string): FieldError[] {
  if (typeof name !== 'string') return [];
  if (name === '') return [invalidValue(field, '', 'must not be empty')];
  return dnsSubdomainErrors(name).map((message) => invalidValue(field, name, message));
}

function bindingErrors(device: JsonObject, path: string): FieldError[] {
  const [binding, failure] = ['bindingConditions', 'bindingFailureConditions'].map((field) =>
    arrayAt(device, field).map(String),
  ) as [string[], string[]];
  const fields = { binding: `${path}.bindingConditions`, failure: `${path}.bindingFailureConditions` };
  const repeated = (list: string[], field: string): FieldError[] =>
    list.flatMap((each, index) => (list.indexOf(each) < index ? [duplicate(`${field}[${index}]`, each)] : []));
  const overlap = 'bindingFailureConditions must not overlap with bindingConditions';
  const needs = (one: string, other: string): string => `${one} are required to use ${other}`;
  return [
    ...conditionErrors(binding, fields.binding),
    ...conditionErrors(failure, fields.failure),
    ...repeated(binding, fields.binding),
    ...repeated(failure, fields.failure),
    ...failure.flatMap((each, index) =>
      binding.includes(each) ? [invalidValue(`${fields.failure}[${index}]`, each, overlap)] : [],
    ),
    ...(binding.length === 0 && failure.length > 0
      ? [invalidValue(fields.binding, null, needs('bindingConditions', 'bindingFailureConditions'))]
      : []),
    ...(failure.length === 0 && binding.length > 0
      ? [invalidValue(fields.failure, null, needs('bindingFailureConditions', 'bindingConditions'))]
      : []),
  ];
}

function conditionErrors(conditions: readonly string[], field: string): FieldError[] {
  if (conditions.length > MAX_CONDITIONS) return [tooMany(field, conditions.length, MAX_CONDITIONS)];
  return conditions.flatMap((each, index) => checkQualifiedName(`${field}[${index}]`, each));
}

const MAX_ITEMS = 32;

/** Returns the errors of a DeviceClass. */
export function validateDeviceClass(deviceClass: ApiObject): FieldError[] {
  const { selectors, config, extendedResourceName } = objectAt(deviceClass, 'spec');
  const isOdd = typeof extendedResourceName === 'string' && !isExtended(extendedResourceName);
  const detail = 'must be a valid extended resource name';
  return [
    ...validateListed(eachObject(selectors), MAX_ITEMS, 'spec.selectors', selectorErrors),
    ...validateListed(eachObject(config), MAX_ITEMS, 'spec.config', ({ opaque }, path) =>
      opaqueErrors(opaque, `${path}.opaque`),
    ),
    ...(isOdd ? [invalidValue('spec.extendedResourceName', extendedResourceName, detail)] : []),
  ];
}
