import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooMany,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import {
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { templateMetadataErrors } from '../fields/template-metadata-validation.js';
import { opaqueErrors, selectorErrors } from './device-configuration-validation.js';
import { validateListed, validateNamed } from './item-lists.js';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  validateOptional,
  checkQualifiedName,
  validateRequired,
} from '../fields/field-checks.js';
import { fullyQualifiedErrors } from './device-validation.js';

const MAX_ITEMS = 32;
const MAX_ALTERNATIVES = 8;
const NO_REQUEST =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
const ONE_KIND = 'exactly one of `exactly` or `firstAvailable` is required';
const ONE_ATTRIBUTE = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';

/** Returns the errors of a ResourceClaim. The expressions of its selectors are not compiled. */
export function validateResourceClaim(claim: ApiObject): FieldError[] {
  return devicesErrors(objectAt(objectAt(claim, 'spec'), 'devices'), 'spec.devices');
}

/** Returns the errors of a ResourceClaimTemplate and of its claim spec. */
export function validateResourceClaimTemplate(template: ApiObject): FieldError[] {
  const { metadata } = objectAt(template, 'spec');
  const spec = objectAt(objectAt(template, 'spec'), 'spec');
  return [
    ...templateMetadataErrors(objectAt({ metadata }, 'metadata'), 'spec.metadata'),
    ...devicesErrors(objectAt(spec, 'devices'), 'spec.spec.devices'),
  ];
}

/** Returns the field of the first request for admin access, which only some namespaces allow. */
export function adminAccessField(requests: unknown): string | undefined {
  const index = eachObject(requests).findIndex((request) => objectAt(request, 'exactly').adminAccess === true);
  return index < 0 ? undefined : `spec.devices.requests[${index}].adminAccess`;
}

function devicesErrors(devices: JsonObject, path: string): FieldError[] {
  const requests = eachObject(devices.requests);
  const isKnown = requestNames(requests);
  return [
    ...validateNamed(requests, MAX_ITEMS, `${path}.requests`, requestErrors),
    ...validateListed(eachObject(devices.constraints), MAX_ITEMS, `${path}.constraints`, (constraint, at) => [
      ...referenceErrors(constraint.requests, `${at}.requests`, isKnown),
      ...attributeErrors(constraint, at),
    ]),
    ...validateListed(eachObject(devices.config), MAX_ITEMS, `${path}.config`, (config, at) => [
      ...referenceErrors(config.requests, `${at}.requests`, isKnown),
      ...opaqueErrors(config.opaque, `${at}.opaque`),
    ]),
  ];
}

/** If both attributes are set, matchAttribute is checked. */
function attributeErrors(constraint: JsonObject, path: string): FieldError[] {
  const name = ['matchAttribute', 'distinctAttribute'].find((one) => constraint[one] !== undefined);
  return name === undefined
    ? [required(path, ONE_ATTRIBUTE)]
    : fullyQualifiedErrors(`${path}.${name}`, stringAt(constraint, name));
}

/** For duplicate request names, the last request applies. */
function requestNames(requests: readonly JsonObject[]): (reference: string) => boolean {
  const names = new Map(
    requests.map((request) => {
      const alternatives = eachObject(request.firstAvailable).map((one) => stringAt(one, 'name'));
      return [stringAt(request, 'name'), new Set(alternatives)] as const;
    }),
  );
  return (reference) => {
    const [name = '', alternative] = reference.split('/');
    const alternatives = names.get(name);
    return alternatives !== undefined && (alternative === undefined || alternatives.has(alternative));
  };
}

function referenceErrors(list: unknown, path: string, isKnown: (reference: string) => boolean): FieldError[] {
  const references = arrayAt({ list }, 'list').map(String);
  if (references.length > MAX_ITEMS) return [tooMany(path, references.length, MAX_ITEMS)];
  return [
    ...references.flatMap((name, index) => referenceError(name, `${path}[${index}]`, isKnown)),
    ...references.flatMap((name, index) =>
      references.indexOf(name) < index ? [duplicate(`${path}[${index}]`, name)] : [],
    ),
  ];
}

function referenceError(name: string, at: string, isKnown: (reference: string) => boolean): FieldError[] {
  const segments = name.split('/');
  if (segments.length > 2) return [invalidValue(at, name, NO_REQUEST)];
  const errors = segments.flatMap((segment) => checkDnsLabel(at, segment));
  return isKnown(name) ? errors : [...errors, invalidValue(at, name, NO_REQUEST)];
}

function requestErrors(request: JsonObject, path: string): FieldError[] {
  const alternatives = eachObject(request.firstAvailable);
  const errors = checkDnsLabel(`${path}.name`, stringAt(request, 'name'));
  const hasExactly = isJsonObject(request.exactly);
  if (hasExactly && alternatives.length > 0)
    return [...errors, invalidValue(path, null, `${ONE_KIND}, but multiple fields are set`)];
  if (hasExactly) return [...errors, ...wantedErrors(objectAt(request, 'exactly'), `${path}.exactly`)];
  if (alternatives.length === 0) return [...errors, required(path, ONE_KIND)];
  const subErrors = validateNamed(alternatives, MAX_ALTERNATIVES, `${path}.firstAvailable`, (one, at) => [
    ...checkDnsLabel(`${at}.name`, stringAt(one, 'name')),
    ...wantedErrors(one, at),
  ]);
  return [...errors, ...subErrors];
}

function wantedErrors(wanted: JsonObject, path: string): FieldError[] {
  return [
    ...validateRequired(`${path}.deviceClassName`, stringAt(wanted, 'deviceClassName'), checkDnsSubdomain),
    ...validateListed(eachObject(wanted.selectors), MAX_ITEMS, `${path}.selectors`, selectorErrors),
    ...countErrors(wanted, path),
    ...eachObject(wanted.tolerations).flatMap((one, index) => tolerationErrors(one, `${path}.tolerations[${index}]`)),
  ];
}

function countErrors(wanted: JsonObject, path: string): FieldError[] {
  const mode = stringAt(wanted, 'allocationMode');
  const count = numberAt(wanted, 'count') ?? 0;
  if (mode === 'All')
    return count === 0
      ? []
      : [invalidValue(`${path}.count`, count, "must not be specified when allocationMode is 'All'")];
  if (mode === 'ExactCount')
    return count > 0 ? [] : [invalidValue(`${path}.count`, count, 'must be greater than zero')];
  return [notSupported(`${path}.allocationMode`, mode, ['All', 'ExactCount'])];
}

function tolerationErrors(toleration: JsonObject, path: string): FieldError[] {
  const [operator, value, effect] = ['operator', 'value', 'effect'].map((key) => stringAt(toleration, key));
  const effects = ['NoExecute', 'NoSchedule', 'None'];
  return [
    ...validateOptional(`${path}.key`, stringAt(toleration, 'key'), checkQualifiedName),
    ...operatorErrors(operator ?? '', value ?? '', path),
    ...(effect === '' || effects.includes(effect ?? '') ? [] : [notSupported(`${path}.effect`, effect, effects)]),
  ];
}

function operatorErrors(operator: string, value: string, path: string): FieldError[] {
  if (operator === 'Exists')
    return value === '' ? [] : [invalidValue(`${path}.value`, value, 'must be empty for operator `Exists`')];
  if (operator === 'Equal') return checkLabelValue(`${path}.value`, value);
  return operator === ''
    ? [required(`${path}.operator`)]
    : [notSupported(`${path}.operator`, operator, ['Equal', 'Exists'])];
}
