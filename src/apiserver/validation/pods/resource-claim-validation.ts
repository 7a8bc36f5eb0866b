import { goQuoted } from '../../../base/go-quoted.js';
import { duplicate, invalidValue, required, type FieldError } from '../../../api/protocol/field-error.js';
import { eachObject, stringAt, type JsonObject } from '../../objects/api-object.js';
import { checkDnsLabel, checkDnsSubdomain } from '../fields/field-checks.js';
import { internalForm } from '../fields/internal-form.js';

const AT_MOST = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
const AT_LEAST = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';

/** Returns the errors of a pod's resource claims: core's validatePodResourceClaims. */
export function validateResourceClaims(claims: unknown, field: string): FieldError[] {
  const names = new Set<string>();
  return eachObject(claims).flatMap((claim, index) => {
    const path = `${field}[${index}]`;
    const sources = ['resourceClaimName', 'resourceClaimTemplateName'].filter((name) => claim[name] !== undefined);
    const shown = internalForm('core.PodResourceClaim', claim);
    return [
      ...nameErrors(stringAt(claim, 'name'), `${path}.name`, names),
      ...(sources.length === 2 ? [invalidValue(path, shown, AT_MOST)] : []),
      ...(sources.length === 0 ? [invalidValue(path, shown, AT_LEAST)] : []),
      ...sources.flatMap((name) => checkDnsSubdomain(`${path}.${name}`, stringAt(claim, name))),
    ];
  });
}

function nameErrors(name: string, field: string, names: Set<string>): FieldError[] {
  if (name === '') return [required(field)];
  if (names.has(name)) return [duplicate(field, name)];
  names.add(name);
  return checkDnsLabel(field, name);
}

/** Returns the errors of the claims that a container uses: core's validateResourceClaimNames. */
export function validateClaimUses(uses: unknown, field: string, claims: readonly string[]): FieldError[] {
  const keys = new Set<string>();
  return eachObject(uses).flatMap((use, index) => {
    const [path, name] = [`${field}[${index}]`, stringAt(use, 'name')];
    if (name === '') return [required(path)];
    return [...useErrors(use, name, path, keys), ...(claims.includes(name) ? [] : [unknownClaim(path, name, claims)])];
  });
}

function useErrors(use: JsonObject, name: string, field: string, keys: Set<string>): FieldError[] {
  if (keys.has(name)) return [duplicate(field, name)];
  const request = stringAt(use, 'request');
  const key = request === '' ? name : `${name}/${request}`;
  const errors = request === '' ? [] : checkDnsLabel(`${field}.request`, request);
  if (keys.has(key)) errors.push(duplicate(field, key));
  else if (request === '')
    errors.push(...[...keys].filter((one) => one.startsWith(`${name}/`)).map(() => duplicate(field, name)));
  keys.add(key);
  return errors;
}

function unknownClaim(field: string, name: string, claims: readonly string[]): FieldError {
  const rest = claims.length === 0 ? ' which is empty' : `: ${[...new Set(claims)].sort().join(', ')}`;
  const body = `Not found: ${goQuoted(name)}: must be one of the names in pod.spec.resourceClaims${rest}`;
  return { type: 'FieldValueNotFound', field, body };
}
