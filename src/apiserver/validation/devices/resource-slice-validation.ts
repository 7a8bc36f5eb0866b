import { invalidValue, required, tooLong, type FieldError } from '../../../api/protocol/field-error.js';
import { dnsSubdomainErrors } from '../../../api/objects/names.js';
import {
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { checkDnsLabel, checkDnsSubdomain, validateImmutable, validateRequired } from '../fields/field-checks.js';
import { internalForm } from '../fields/internal-form.js';
import { validateNodeSelector } from '../pods/affinity-validation.js';
import { countersErrors, driverErrors, validateDevice } from './device-validation.js';
import { validateNamed } from './item-lists.js';

const MAX_POOL_NAME = 253;
const MAX_COUNTER_SETS = 8;
const [MAX_DEVICES, MAX_ADVANCED_DEVICES] = [128, 64];
const LISTS = ['bools', 'ints', 'strings', 'versions'];
const PLACES = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

/** Returns the errors of a ResourceSlice. The policies of shareable capacities are not checked. */
export function validateResourceSlice(slice: ApiObject): FieldError[] {
  return specErrors(objectAt(slice, 'spec'), undefined);
}

/** Returns the errors of an update of a ResourceSlice: its driver, pool and node are immutable. */
export function validateResourceSliceChange(next: ApiObject, old: ApiObject): FieldError[] {
  return specErrors(objectAt(next, 'spec'), objectAt(old, 'spec'));
}

function specErrors(spec: JsonObject, former: JsonObject | undefined): FieldError[] {
  const devices = eachObject(spec.devices);
  const isShared = spec.sharedCounters !== undefined && spec.devices !== undefined;
  const max = devices.some(isAdvanced) ? MAX_ADVANCED_DEVICES : MAX_DEVICES;
  return [
    ...driverErrors('spec.driver', stringAt(spec, 'driver')),
    ...poolErrors(objectAt(spec, 'pool')),
    ...(former ? frozenErrors(spec, former) : []),
    ...placeErrors(spec),
    ...(isShared ? [invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed')] : []),
    ...validateNamed(devices, max, 'spec.devices', (device, path) =>
      validateDevice(device, path, spec.perDeviceNodeSelection === true),
    ),
    ...validateNamed(eachObject(spec.sharedCounters), MAX_COUNTER_SETS, 'spec.sharedCounters', (set, path) => [
      ...validateRequired(`${path}.name`, stringAt(set, 'name'), checkDnsLabel),
      ...countersErrors(set, path),
    ]),
  ];
}

function isAdvanced({ taints, consumesCounters, attributes }: JsonObject): boolean {
  const hasList = Object.values(objectAt({ attributes }, 'attributes')).some(
    (value) => isJsonObject(value) && LISTS.some((list) => value[list] !== undefined),
  );
  return hasList || eachObject(taints).length > 0 || eachObject(consumesCounters).length > 0;
}

function poolErrors(pool: JsonObject): FieldError[] {
  const [count, generation] = [numberAt(pool, 'resourceSliceCount') ?? 0, numberAt(pool, 'generation') ?? 0];
  return [
    ...validateRequired('spec.pool.name', stringAt(pool, 'name'), poolNameErrors),
    ...(count > 0 ? [] : [invalidValue('spec.pool.resourceSliceCount', count, 'must be greater than zero')]),
    ...(generation >= 0
      ? []
      : [invalidValue('spec.pool.generation', generation, 'must be greater than or equal to zero')]),
  ];
}

function poolNameErrors(field: string, name: string): FieldError[] {
  return [
    ...(name.length > MAX_POOL_NAME ? [tooLong(field, MAX_POOL_NAME)] : []),
    ...name.split('/').flatMap((part) => checkDnsSubdomain(field, part)),
  ];
}

function frozenErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  return [
    ...validateImmutable('spec.pool.name', objectAt(spec, 'pool').name, objectAt(former, 'pool').name),
    ...validateImmutable('spec.driver', spec.driver, former.driver),
    ...validateImmutable('spec.nodeName', spec.nodeName, former.nodeName),
  ];
}

/** Exactly one way of selecting nodes must be set. */
function placeErrors(spec: JsonObject): FieldError[] {
  const set = [
    ...(stringAt(spec, 'nodeName') === '' ? [] : ['nodeName']),
    ...(spec.nodeSelector === undefined ? [] : ['nodeSelector']),
    ...['allNodes', 'perDeviceNodeSelection'].filter((field) => spec[field] === true),
  ].map((field) => `\`${field}\``);
  const many = (): FieldError => invalidValue('spec', `{${set.join(', ')}}`, `${PLACES}, but multiple fields are set`);
  return [
    ...nodeNameErrors(spec.nodeName),
    ...(isJsonObject(spec.nodeSelector) ? nodeSelectorErrors(spec.nodeSelector) : []),
    ...['allNodes', 'perDeviceNodeSelection']
      .filter((field) => spec[field] === false)
      .map((field) => invalidValue(`spec.${field}`, false, 'must be either unset or set to true')),
    ...(set.length === 0 ? [required('spec', PLACES)] : []),
    ...(set.length > 1 ? [many()] : []),
  ];
}

function nodeNameErrors(name: unknown): FieldError[] {
  if (typeof name !== 'string') return [];
  if (name === '') return [invalidValue('spec.nodeName', name, 'must be either unset or set to a non-empty string')];
  return dnsSubdomainErrors(name).map((message) => invalidValue('spec.nodeName', name, message));
}

function nodeSelectorErrors(selector: JsonObject): FieldError[] {
  const { length } = eachObject(selector.nodeSelectorTerms);
  const errors = validateNodeSelector(selector, 'spec.nodeSelector');
  const detail = 'must have exactly one node selector term';
  const field = 'spec.nodeSelector.nodeSelectorTerms';
  return length === 1
    ? errors
    : [...errors, invalidValue(field, internalForm('[]core.NodeSelectorTerm', selector.nodeSelectorTerms), detail)];
}
