import { invalidTyped, invalidValue, type FieldError } from '../../../api/protocol/field-error.js';
import { qualifiedNameErrors } from '../../../api/objects/names.js';
import { parseQuantity } from '../../../api/schema/quantity.js';
import { textOf } from '../../objects/api-object.js';

/** The resources that any container may request. */
const STANDARD_RESOURCES: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];
const COUNTED = [
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
];
const OF_QUOTAS = new Set([
  ...STANDARD_RESOURCES.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  ...COUNTED,
  'requests.storage',
]);
const PAGES = 'hugepages-';

const isQualified = (name: string): boolean => name.includes('/');
const isPages = (name: string): boolean => name.startsWith(PAGES) || name.startsWith(`requests.${PAGES}`);
/** Names without a domain belong to Kubernetes. */
const isNative = (name: string): boolean => !isQualified(name) || name.includes('kubernetes.io/');

/** Returns whether a name has another domain and is also valid in a quota. */
export function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return qualifiedNameErrors(`requests.${name}`).length === 0;
}

export const isQuotaResource = (name: string): boolean => OF_QUOTAS.has(name) || isPages(name);

/** Returns whether a resource can be overcommitted. */
export const isOvercommitAllowed = (name: string): boolean => isNative(name) && !name.startsWith(PAGES);

/** Returns the errors of a resource name: core's validateResourceName. */
export function validateResourceName(field: string, name: string): FieldError[] {
  const malformed = qualifiedNameErrors(name).map((why) => invalidTyped(field, name, why));
  if (malformed.length > 0 || isQualified(name)) return malformed;
  if (isQuotaResource(name) || name === 'storage') return [];
  return [invalidTyped(field, name, 'must be a standard resource type or fully qualified')];
}

/** Returns the errors of the name of a container resource. */
export function validateContainerResourceName(field: string, name: string): FieldError[] {
  const errors = validateResourceName(field, name);
  if (!isQualified(name)) {
    const isStandard = STANDARD_RESOURCES.includes(name) || name.startsWith(PAGES);
    return isStandard ? errors : [...errors, invalidTyped(field, name, 'must be a standard resource for containers')];
  }
  return isNative(name) || isExtended(name)
    ? errors
    : [...errors, invalidTyped(field, name, "doesn't follow extended resource name standard")];
}

/** Returns the errors of the name of a quota resource. */
export function validateQuotaResourceName(field: string, name: string): FieldError[] {
  const errors = validateResourceName(field, name);
  if (isQualified(name) || isQuotaResource(name)) return errors;
  return [...errors, invalidTyped(field, name, 'must be a standard resource for quota')];
}

/**
 * Returns the errors of an amount of a resource: it must not be negative, and must be an integer for countable
 * resources.
 */
export function validateAmount(field: string, name: string, amount: unknown): FieldError[] {
  const nano = parseQuantity(String(amount))?.nano ?? 0n;
  const isCounted = COUNTED.includes(name) || isExtended(name);
  return [
    ...(nano < 0n ? [invalidValue(field, textOf(amount), 'must be greater than or equal to 0')] : []),
    ...(isCounted && nano % 1_000_000_000n !== 0n ? [invalidValue(field, textOf(amount), 'must be an integer')] : []),
  ];
}
