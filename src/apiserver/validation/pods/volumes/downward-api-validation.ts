import { invalidValue, notSupportedText, required, type FieldError } from '../../../../api/protocol/field-error.js';
import { canonicalQuantity } from '../../../../api/schema/quantity.js';
import { isJsonObject, numberAt, stringAt, type JsonObject } from '../../../objects/api-object.js';
import { checkQualifiedName, validateRequired } from '../../fields/field-checks.js';
import { validateFileMode } from './file-mode-validation.js';
import { filePathErrors } from './relative-path-validation.js';

const FIELDS = ['metadata.name', 'metadata.namespace', 'metadata.uid'];
/** The pod fields that are available to environment variables. */
const VARIABLE_FIELDS = [
  ...FIELDS,
  ...['spec.nodeName', 'spec.serviceAccountName', 'status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
];
/** The pod fields that are available to files. */
const FILE_FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
const KNOWN = new Set([
  ...[...VARIABLE_FIELDS, ...FILE_FIELDS, 'spec.restartPolicy', 'spec.schedulerName', 'status.phase'],
]);
const RESOURCES = ['cpu', 'ephemeral-storage', 'memory']
  .flatMap((name) => [`limits.${name}`, `requests.${name}`])
  .sort();
const BYTE_UNITS = [
  '1',
  ...['k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit) => `1${unit}`),
];
const BYTE_LIST = BYTE_UNITS.join(', ');

/** Returns the errors of a reference to a pod field in a variable. */
export function validateVariableField(reference: JsonObject, field: string): FieldError[] {
  return fieldErrors(reference, field, VARIABLE_FIELDS);
}

function fieldErrors(reference: JsonObject, field: string, known: readonly string[]): FieldError[] {
  const version = stringAt(reference, 'apiVersion');
  const path = stringAt(reference, 'fieldPath').replace(/^spec\.host$/, 'spec.nodeName');
  if (version === '') return [required(`${field}.apiVersion`)];
  if (path === '') return [required(`${field}.fieldPath`)];
  if (version !== 'v1') return [notConverted(field, path, `unsupported pod version: ${version}`)];
  const [, owner, key = ''] = /^(.+?)\['(.*)'\]$/s.exec(path) ?? [];
  if (owner !== undefined) return memberErrors(owner, key, path, field);
  if (!KNOWN.has(path)) return [notConverted(field, path, `field label not supported: ${path}`)];
  return known.includes(path) ? [] : [notSupportedText(`${field}.fieldPath`, path, known)];
}

function memberErrors(owner: string, key: string, path: string, field: string): FieldError[] {
  if (owner === 'metadata.annotations') return checkQualifiedName(field, key.toLowerCase());
  if (owner === 'metadata.labels') return checkQualifiedName(field, key);
  return [notConverted(field, path, `field label does not support subscript: ${path}`)];
}

const notConverted = (field: string, path: string, problem: string): FieldError =>
  invalidValue(`${field}.fieldPath`, path, `error converting fieldPath: ${problem}`);

/** Returns the errors of a reference to a container resource in a variable or file. */
export function validateResourceField(reference: JsonObject, field: string, isFile: boolean): FieldError[] {
  const name = stringAt(reference, 'resource');
  return [...resourceErrors(reference, name, field, isFile), ...divisorErrors(reference, name, `${field}.divisor`)];
}

function resourceErrors(reference: JsonObject, name: string, field: string, isFile: boolean): FieldError[] {
  if (isFile && stringAt(reference, 'containerName') === '') return [required(`${field}.containerName`)];
  if (name === '') return [required(`${field}.resource`)];
  const isKnown = RESOURCES.includes(name) || /^(limits|requests)\.hugepages-/.test(name);
  return isKnown ? [] : [notSupportedText(`${field}.resource`, name, RESOURCES)];
}

/** Returns the valid divisors of a resource, and its name in errors. */
function unitsOf(name: string): readonly [units: readonly string[], shown: string, called: string] | undefined {
  const resource = name.replace(/^(limits|requests)\./, '');
  if (resource === 'cpu') return [['1m', '1'], '1m and 1', 'cpu'];
  if (resource === 'memory') return [BYTE_UNITS, BYTE_LIST, 'memory'];
  if (resource === 'ephemeral-storage') return [BYTE_UNITS, BYTE_LIST, 'local ephemeral storage'];
  return resource.startsWith('hugepages-') ? [BYTE_UNITS, BYTE_LIST, 'hugepages'] : undefined;
}

function divisorErrors(reference: JsonObject, name: string, field: string): FieldError[] {
  const divisor = canonicalQuantity(reference.divisor) ?? '0';
  const [units, shown, called] = (name.includes('.') ? unitsOf(name) : undefined) ?? [];
  if (divisor === '0' || units === undefined || units.includes(divisor)) return [];
  return [
    invalidValue(field, name, `only divisor's values ${shown ?? ''} are supported with the ${called ?? ''} resource`),
  ];
}

/** Returns the errors of a downward API file: core's validateDownwardAPIVolumeFile. */
export function validateDownwardFile(file: JsonObject, field: string): FieldError[] {
  const path = stringAt(file, 'path');
  return [
    ...validateRequired(`${field}.path`, path),
    ...filePathErrors(path, `${field}.path`),
    ...contentErrors(file, field),
    ...validateFileMode(`${field}.mode`, numberAt(file, 'mode')),
  ];
}

function contentErrors({ fieldRef, resourceFieldRef }: JsonObject, field: string): FieldError[] {
  const both = 'fieldRef and resourceFieldRef can not be specified simultaneously';
  if (isJsonObject(fieldRef))
    return [
      ...fieldErrors(fieldRef, `${field}.fieldRef`, FILE_FIELDS),
      ...(isJsonObject(resourceFieldRef) ? [invalidValue(field, 'resource', both)] : []),
    ];
  if (isJsonObject(resourceFieldRef)) return validateResourceField(resourceFieldRef, `${field}.resourceFieldRef`, true);
  return [required(field, 'one of fieldRef and resourceFieldRef is required')];
}
