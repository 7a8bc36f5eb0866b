import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../api/protocol/field-error.js';
import { parseQuantity } from '../../api/schema/quantity.js';
import { arrayAt, isJsonObject, objectAt, stringAt, textOf, type JsonObject } from '../objects/api-object.js';
import { checkDnsLabel, checkDnsSubdomain, validateOptional, validateRequired } from './fields/field-checks.js';
import { validateLabelSelector } from './fields/label-selector-validation.js';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES: readonly string[] = ['Block', 'Filesystem'];
const POSITIVE = 'must be greater than zero';
const OWN_KIND = 'PersistentVolumeClaim';

/** Returns the errors of a claim's spec, in claims and templates: core's ValidatePersistentVolumeClaimSpec. */
export function validateClaimSpec(spec: JsonObject, field: string): FieldError[] {
  const size = `${field}.resources[storage]`;
  const { storage } = objectAt(objectAt(spec, 'resources'), 'requests');
  const modes = arrayAt(spec, 'accessModes');
  const { volumeMode } = spec;
  return [
    ...(modes.length === 0 ? [required(`${field}.accessModes`, 'at least 1 access mode is required')] : []),
    ...validateLabelSelector(spec.selector, `${field}.selector`),
    ...accessModeErrors(modes, `${field}.accessModes`),
    ...(storage === undefined ? [required(size)] : positiveErrors(storage, size)),
    ...validateOptional(`${field}.storageClassName`, stringAt(spec, 'storageClassName'), checkDnsSubdomain),
    ...(volumeMode === undefined || VOLUME_MODES.includes(volumeMode as string)
      ? []
      : [notSupported(`${field}.volumeMode`, volumeMode, VOLUME_MODES)]),
    ...['dataSource', 'dataSourceRef'].flatMap((name) => sourceErrors(spec[name], `${field}.${name}`)),
    ...bothSourcesErrors(spec, field),
    ...validateOptional(
      `${field}.volumeAttributesClassName`,
      stringAt(spec, 'volumeAttributesClassName'),
      checkDnsSubdomain,
    ),
  ];
}

function sourceErrors(source: unknown, field: string): FieldError[] {
  if (!isJsonObject(source)) return [];
  const [group, kind] = [stringAt(source, 'apiGroup'), stringAt(source, 'kind')];
  const detail = `must be '${OWN_KIND}' when referencing the default apiGroup`;
  return [
    ...validateRequired(`${field}.name`, stringAt(source, 'name')),
    ...validateRequired(`${field}.kind`, kind),
    ...(group === '' && kind !== OWN_KIND ? [invalidValue(field, kind, detail)] : []),
    ...validateOptional(`${field}.apiGroup`, group, checkDnsSubdomain),
    ...validateOptional(`${field}.namespace`, stringAt(source, 'namespace'), checkDnsLabel),
  ];
}

function bothSourcesErrors({ dataSource, dataSourceRef }: JsonObject, field: string): FieldError[] {
  if (!isJsonObject(dataSource) || !isJsonObject(dataSourceRef)) return [];
  if (stringAt(dataSourceRef, 'namespace') !== '')
    return [invalidValue(field, {}, 'may not be specified when dataSourceRef.namespace is specified')];
  const isSame = ['apiGroup', 'kind', 'name'].every((name) => dataSource[name] === dataSourceRef[name]);
  return isSame ? [] : [invalidValue(field, {}, 'must match dataSourceRef')];
}

/** Returns an amount in billionths; 0 when it is missing. */
export function amountOf(value: unknown): bigint {
  return value === undefined ? 0n : (parseQuantity(textOf(value))?.nano ?? 0n);
}

export function positiveErrors(value: unknown, field: string): FieldError[] {
  return amountOf(value) > 0n ? [] : [invalidValue(field, textOf(value), POSITIVE)];
}

/** Returns the errors of the access modes of a volume. */
export function accessModeErrors(modes: readonly unknown[], field: string): FieldError[] {
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode as string));
  const isMixed = others && modes.includes('ReadWriteOncePod');
  return [
    ...modes.flatMap((mode) =>
      ACCESS_MODES.includes(mode as string) ? [] : [notSupported(field, mode, ACCESS_MODES)],
    ),
    ...(isMixed ? [forbiddenField(field, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}
