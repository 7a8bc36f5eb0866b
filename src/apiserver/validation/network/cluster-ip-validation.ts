import { duplicate, invalidValue, notSupported, required, type FieldError } from '../../../api/protocol/field-error.js';
import { stringAt, type JsonObject } from '../../objects/api-object.js';
import { clusterIpsOf, ipFamiliesOf, isHeadless, needsClusterIp } from '../../objects/service-type.js';
import { validateAddress, familyOf } from '../fields/ip-address.js';

const FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const IPS = 'spec.clusterIPs';

/**
 * Returns the errors of the cluster IPs of a Service's spec and of their families:
 * ValidateServiceClusterIPsRelatedFields.
 */
export function clusterIpErrors(spec: JsonObject, former: JsonObject | undefined): FieldError[] {
  if (!needsClusterIp(spec)) return [];
  const ips = clusterIpsOf(spec);
  const shape = [...syncErrors(spec, ips), ...familyErrors(spec)];
  const malformed = ips.flatMap((ip, index) => addressErrors(ips, ip, index, former));
  if (ips.length > 2) malformed.push(invalidValue(IPS, ips, 'may only hold up to 2 values'));
  const isSound = ips.every((ip, index) => addressErrors(ips, ip, index, former).length === 0);
  return [...shape, ...malformed, ...(isSound ? pairErrors(spec, ips) : [])];
}

function syncErrors(spec: JsonObject, ips: readonly string[]): FieldError[] {
  const single = stringAt(spec, 'clusterIP');
  if (single === '')
    return ips.length === 0 ? [] : [invalidValue(IPS, ips, 'must be empty when `clusterIP` is not specified')];
  if (ips.length === 0) return [required(IPS)];
  return ips[0] === single ? [] : [invalidValue(IPS, ips, 'first value must match `clusterIP`')];
}

function familyErrors(spec: JsonObject): FieldError[] {
  const families = ipFamiliesOf(spec);
  const errors = families.flatMap((family, index) => {
    const field = `spec.ipFamilies[${index}]`;
    return [
      ...(FAMILIES.includes(family) ? [] : [notSupported(field, family, FAMILIES)]),
      ...(families.indexOf(family) < index ? [duplicate(field, family)] : []),
    ];
  });
  const policy = spec.ipFamilyPolicy;
  const isKnown = policy === undefined || POLICIES.includes(policy as string);
  return isKnown ? errors : [...errors, notSupported('spec.ipFamilyPolicy', policy, POLICIES)];
}

function addressErrors(
  ips: readonly string[],
  ip: string,
  index: number,
  former: JsonObject | undefined,
): FieldError[] {
  if (index > 0 || ip !== 'None') return validateAddress(`${IPS}[${index}]`, ip, former && clusterIpsOf(former));
  return ips.length > 1 ? [invalidValue(IPS, ips, "'None' must be the first and only value")] : [];
}

function pairErrors(spec: JsonObject, ips: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const families = ipFamiliesOf(spec);
  if (ips.length > 1 && new Set(ips.map(familyOf)).size < 2)
    errors.push(invalidValue(IPS, ips, 'may specify no more than one IP for each IP family'));
  if (isHeadless(spec)) return errors;
  ips.forEach((ip, index) => {
    const family = families[index];
    if (family === undefined || !FAMILIES.includes(family) || familyOf(ip) === family) return;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalidValue(`${IPS}[${index}]`, ip, detail));
  });
  return errors;
}

/** Returns the errors of an update of cluster IPs and families; the first of each are immutable. */
export function clusterIpChangeErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  if (!needsClusterIp(spec) || !needsClusterIp(former)) return [];
  if (isHeadless(spec) && isHeadless(former)) return [];
  const families = isHeadless(spec) === isHeadless(former) ? familyChangeErrors(spec, former) : [];
  return [...addressChangeErrors(clusterIpsOf(spec), clusterIpsOf(former), spec), ...families];
}

const ONCE_SET = 'may not change once set';

function addressChangeErrors(ips: readonly string[], before: readonly string[], spec: JsonObject): FieldError[] {
  if (ips.length === before.length)
    return before.flatMap((ip, index) =>
      ip === ips[index] ? [] : [invalidValue(`${IPS}[${index}]`, listOf(ips), ONCE_SET)],
    );
  const errors: FieldError[] = [];
  if (ips.length === 0) errors.push(invalidValue(`${IPS}[0]`, null, 'primary clusterIP can not be unset'));
  else if (before.length > 0 && ips[0] !== before[0]) errors.push(invalidValue(`${IPS}[0]`, ips, ONCE_SET));
  return [...errors, ...releaseErrors(spec, ips.length < before.length && ips.length === 1, 'clusterIP')];
}

function familyChangeErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  const [families, before, field] = [ipFamiliesOf(spec), ipFamiliesOf(former), 'spec.ipFamilies[0]'];
  if (families.length === before.length)
    return before.flatMap((family, index) =>
      family === families[index] ? [] : [invalidValue(field, families, ONCE_SET)],
    );
  const isChanged = families.length > 0 && before.length > 0 && families[0] !== before[0];
  return [
    ...(isChanged ? [invalidValue(field, clusterIpsOf(spec), ONCE_SET)] : []),
    ...releaseErrors(spec, families.length < before.length && families.length === 1, 'ipFamily'),
  ];
}

function releaseErrors({ ipFamilyPolicy }: JsonObject, isReleased: boolean, what: string): FieldError[] {
  if (!isReleased || ipFamilyPolicy === 'SingleStack') return [];
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return [invalidValue('spec.ipFamilyPolicy', ipFamilyPolicy, detail)];
}

function listOf(values: readonly string[]): readonly string[] | null {
  return values.length === 0 ? null : values;
}
