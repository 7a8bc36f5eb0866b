import { invalidValue, required, type FieldError } from '../../../api/protocol/field-error.js';
import { dnsSubdomainErrors, pathSegmentErrors } from '../../../api/objects/names.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { arrayAt, isJsonObject, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import { internalForm } from '../fields/internal-form.js';
import {
  addressProblem,
  canonicalAddress,
  canonicalNetwork,
  validateNetwork,
  networkFamily,
} from '../fields/ip-address.js';

const IMMUTABLE = 'field is immutable';

/** Returns the reason why an IPAddress cannot have the name: it must be an address in canonical form. */
export function addressNameErrors(name: string): string[] {
  const problem = addressProblem(name);
  if (problem !== undefined) return [problem];
  const canonical = canonicalAddress(name);
  return name === canonical ? [] : [`must be in canonical form ("${canonical}")`];
}

/** Returns the errors of an IPAddress. */
export function validateIpAddress({ spec }: ApiObject): FieldError[] {
  const { parentRef } = objectAt({ spec }, 'spec');
  if (!isJsonObject(parentRef)) return [required('spec.parentRef')];
  const [group, namespace] = [stringAt(parentRef, 'group'), stringAt(parentRef, 'namespace')];
  const invalid = (name: string, value: string, problems: readonly string[]): FieldError[] =>
    value === '' ? [] : problems.map((problem) => invalidValue(`spec.parentRef.${name}`, value, problem));
  const segment = (name: string): FieldError[] => {
    const value = stringAt(parentRef, name);
    return value === '' ? [required(`spec.parentRef.${name}`)] : invalid(name, value, pathSegmentErrors(value));
  };
  return [
    ...invalid('group', group, dnsSubdomainErrors(group)),
    ...segment('resource'),
    ...segment('name'),
    ...invalid('namespace', namespace, pathSegmentErrors(namespace)),
  ];
}

export function validateIpAddressChange(next: ApiObject, old: ApiObject): FieldError[] {
  const [parent, former] = [next, old].map(({ spec }) => objectAt({ spec }, 'spec').parentRef);
  return deepEqual(parent, former) ? [] : [invalidValue('spec.parentRef', quoted(parent), IMMUTABLE)];
}

/** Uses the names of the server's internal type, as quoted in errors. */
function quoted(parent: unknown): unknown {
  if (!isJsonObject(parent)) return null;
  const [Group, Resource, Namespace, Name] = ['group', 'resource', 'namespace', 'name'].map((name) =>
    stringAt(parent, name),
  );
  return { Group, Resource, Namespace, Name };
}

/** Returns the errors of a ServiceCIDR: at most one network per family. */
export function validateServiceCidr({ spec }: ApiObject): FieldError[] {
  const networks = networksOf(spec);
  if (networks.length === 0) return [required('spec.cidrs', 'at least one CIDR required')];
  if (networks.length > 2)
    return [
      invalidValue('spec.cidrs', internalForm('networking.ServiceCIDRSpec', spec), 'may only hold up to 2 values'),
    ];
  const errors = networks.flatMap((network, index) => networkErrors(`spec.cidrs[${index}]`, network));
  const [first, second] = networks.map(networkFamily);
  const isSame = networks.length === 2 && first === second && first !== undefined;
  const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  return isSame ? [...errors, invalidValue('spec.cidrs', networks, detail)] : errors;
}

function networkErrors(field: string, network: string): FieldError[] {
  const errors = validateNetwork(field, network);
  if (errors.length > 0) return errors;
  const canonical = canonicalNetwork(network);
  return network === canonical ? [] : [invalidValue(field, network, `must be in canonical form ("${canonical}")`)];
}

/** The only allowed update of a ServiceCIDR adds a network of a second family. */
export function validateServiceCidrChange(next: ApiObject, old: ApiObject): FieldError[] {
  const [networks, former] = [networksOf(next.spec), networksOf(old.spec)];
  const fixed = former.flatMap((network, index) => {
    const own = networks[index];
    return own === network ? [] : [invalidValue(`spec.cidrs[${index}]`, own, IMMUTABLE)];
  });
  if (networks.length === former.length) return fixed;
  if (former.length === 1 && networks.length === 2) return [...fixed, ...validateServiceCidr(next)];
  return [invalidValue('spec.cidrs', objectAt(next, 'spec').cidrs ?? null, IMMUTABLE)];
}

function networksOf(spec: unknown): string[] {
  return arrayAt(objectAt({ spec }, 'spec'), 'cidrs').map(String);
}
