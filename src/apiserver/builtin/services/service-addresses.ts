import { deepEqual } from '../../../base/deep-equal.js';
import { formatFieldErrors, invalidValue, required, type FieldError } from '../../../api/protocol/field-error.js';
import { pathSegmentErrors } from '../../../api/objects/names.js';
import { invalid } from '../../errors/status-error.js';
import { objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { familyOf } from '../../validation/fields/ip-address.js';
import { clusterIpErrors } from '../../validation/network/cluster-ip-validation.js';
import type { ServiceAddressPool } from './service-address-pool.js';
import { clusterIpsOf, ipFamiliesOf, isHeadless, needsClusterIp } from '../../objects/service-type.js';

const SERVICE = { group: '', kind: 'Service' };

/**
 * Allocates the IP families and cluster IPs of a Service, like the registry's allocators.
 *
 * @throws StatusError if requested ones are not available.
 */
export function allocateClusterIps(
  service: ApiObject,
  spec: JsonObject,
  former: JsonObject | undefined,
  pool: ServiceAddressPool,
  dryRun: boolean,
): void {
  if (!needsClusterIp(spec)) return;
  if (!keepsPreferredDualStack(spec, former)) {
    const errors = initFamilies(spec, former);
    if (errors.length > 0) throw invalid(SERVICE, service.metadata.name, errors);
  }
  if (isHeadless(spec) || (former && needsClusterIp(former))) return;
  const [wanted] = clusterIpsOf(spec);
  if (wanted === undefined || wanted === '') spec.clusterIP = allocated(service, pool.next(), dryRun);
  else {
    const problem = pool.problemOf(wanted, dryRun);
    if (problem !== undefined) {
      const detail = `failed to allocate IP ${wanted}: ${problem}`;
      throw invalid(SERVICE, service.metadata.name, [invalidValue('spec.clusterIPs', spec.clusterIPs, detail)]);
    }
  }
  spec.clusterIPs = [spec.clusterIP];
}

/**
 * Returns the address; rejects invalid names, as the real server creates an IPAddress with the name before it validates
 * the Service.
 */
function allocated(service: ApiObject, address: string, dryRun: boolean): string {
  if (dryRun) return address;
  const { name } = service.metadata;
  const field = 'spec.parentRef.name';
  const errors = name ? pathSegmentErrors(name).map((why) => invalidValue(field, name, why)) : [required(field)];
  if (errors.length === 0) return address;
  const problem = `IPAddress.networking.k8s.io "${address}" is invalid: ${formatFieldErrors(errors)}`;
  throw invalid(SERVICE, name, [invalidValue('spec.clusterIPs', [''], `failed to allocate IP: ${problem}`)]);
}

/** Returns whether a single-family Service with PreferDualStack keeps its addresses and families. */
function keepsPreferredDualStack(spec: JsonObject, former: JsonObject | undefined): boolean {
  if (!former || former.type !== spec.type) return false;
  return ['ipFamilyPolicy', 'clusterIP', 'clusterIPs', 'ipFamilies'].every((field) =>
    field === 'ipFamilyPolicy'
      ? spec[field] === 'PreferDualStack' && former[field] === 'PreferDualStack'
      : deepEqual(spec[field], former[field]),
  );
}

function initFamilies(spec: JsonObject, former: JsonObject | undefined): FieldError[] {
  const isFree = isSelectorless(spec);
  spec.ipFamilyPolicy ??= former?.ipFamilyPolicy ?? (isFree ? 'RequireDualStack' : 'SingleStack');
  const malformed = clusterIpErrors(spec, former);
  if (malformed.length > 0) return malformed;
  if (former) shrink(spec, former);
  const errors = [...policyErrors(spec, former), ...inferFamilies(spec)];
  if (errors.length > 0) return errors;
  if (isFree) {
    setFamiliesFreely(spec);
    return [];
  }
  if (ipFamiliesOf(spec).length === 0) spec.ipFamilies = ['IPv4'];
  return unconfigured(spec);
}

function isSelectorless(spec: JsonObject): boolean {
  return spec.clusterIP === 'None' && Object.keys(objectAt(spec, 'selector')).length === 0;
}

/** Sets the families of a Service without selector and cluster IP, which may be unsupported by the cluster. */
function setFamiliesFreely(spec: JsonObject): void {
  const [first = 'IPv4', second] = ipFamiliesOf(spec);
  if (second !== undefined) return;
  const both = [first, first === 'IPv4' ? 'IPv6' : 'IPv4'];
  spec.ipFamilies = spec.ipFamilyPolicy === 'SingleStack' ? [first] : both;
}

/** Removes the secondary address and family if only one is requested. */
function shrink(spec: JsonObject, former: JsonObject): void {
  if (spec.ipFamilyPolicy !== 'SingleStack') return;
  for (const field of ['clusterIPs', 'ipFamilies']) {
    const list = spec[field];
    if (Array.isArray(list) && list.length > 1 && deepEqual(list, former[field])) spec[field] = list.slice(0, 1);
  }
}

const AMOUNTS = [
  ['clusterIPs', 'secondary cluster IP', 'cluster IPs'],
  ['ipFamilies', 'secondary IP family', 'IP families'],
] as const;

function policyErrors(spec: JsonObject, former: JsonObject | undefined): FieldError[] {
  const policy = spec.ipFamilyPolicy;
  const amount = (of: JsonObject | undefined, field: string): number =>
    Array.isArray(of?.[field]) ? (of[field] as unknown[]).length : 0;
  return AMOUNTS.flatMap(([field, second, several]) => {
    const count = amount(spec, field);
    if (policy === 'SingleStack') {
      const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${several} are specified`;
      return count === 2 ? [invalidValue('spec.ipFamilyPolicy', policy, detail)] : [];
    }
    const isReduced = count > 0 && count < amount(former, field);
    return isReduced
      ? [invalidValue('spec.ipFamilyPolicy', policy, `must be 'SingleStack' to release the ${second}`)]
      : [];
  });
}

/** Adds the families of addresses without one. */
function inferFamilies(spec: JsonObject): FieldError[] {
  const ips = clusterIpsOf(spec);
  if (ips[0] === 'None') return [];
  const errors: FieldError[] = [];
  const families = [...ipFamiliesOf(spec)];
  ips.forEach((ip, index) => {
    if (index < families.length || ip === '') return;
    const family = familyOf(ip) ?? 'IPv4';
    if (family === 'IPv4') families.push(family);
    else errors.push(invalidValue(`spec.clusterIPs[${index}]`, ips, `${family} is not configured on this cluster`));
  });
  if (families.length > 0) spec.ipFamilies = families;
  return errors;
}

function unconfigured(spec: JsonObject): FieldError[] {
  const policy = spec.ipFamilyPolicy;
  const dual = invalidValue('spec.ipFamilyPolicy', policy, 'this cluster is not configured for dual-stack services');
  const families = ipFamiliesOf(spec).flatMap((family, index) =>
    family === 'IPv4' ? [] : [invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
  );
  return [...(policy === 'RequireDualStack' ? [dual] : []), ...families];
}
