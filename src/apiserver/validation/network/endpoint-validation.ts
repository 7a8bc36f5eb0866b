import { duplicate, invalidValue, required, tooMany, type FieldError } from '../../../api/protocol/field-error.js';
import { type ApiObject, type JsonObject, arrayAt, eachObject, numberAt, stringAt } from '../../objects/api-object.js';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  validateImmutable,
  validateOneOf,
  validateOptional,
  validatePort,
} from '../fields/field-checks.js';
import { canonicalAddress, validateAddress, validateEndpointAddress, familyOf } from '../fields/ip-address.js';
import { semanticEqual } from '../fields/semantic-equal.js';

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MAX_ADDRESSES = 100;

/** Returns the errors of an EndpointSlice, or of its update. */
export function validateEndpointSlice(object: ApiObject, old?: ApiObject): FieldError[] {
  const type = stringAt(object, 'addressType');
  const isKept = old !== undefined && semanticEqual(old.endpoints, object.endpoints);
  return [
    ...validateOneOf('addressType', type, ADDRESS_TYPES),
    ...slicePortErrors(object),
    ...(isKept
      ? []
      : eachObject(object.endpoints).flatMap((one, index) => endpointErrors(one, type, `endpoints[${index}]`))),
  ];
}

/** Returns the errors of an update of an EndpointSlice: its address type is immutable. */
export function validateEndpointSliceChange(next: ApiObject, old: ApiObject): FieldError[] {
  return validateImmutable('addressType', stringAt(next, 'addressType'), stringAt(old, 'addressType'));
}

function slicePortErrors({ ports }: ApiObject): FieldError[] {
  const names = new Set<string>();
  return eachObject(ports).flatMap((port, index) => {
    const [field, name] = [`ports[${index}]`, stringAt(port, 'name')];
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...validateOptional(`${field}.name`, name, checkDnsLabel),
      ...(isTaken ? [duplicate(`${field}.name`, name)] : []),
      ...validateOneOf(`${field}.protocol`, port.protocol, PROTOCOLS),
    ];
  });
}

function endpointErrors(endpoint: JsonObject, type: string, field: string): FieldError[] {
  const addresses = arrayAt(endpoint, 'addresses').map(String);
  const path = `${field}.addresses`;
  return [
    ...(addresses.length === 0 ? [required(path, 'must contain at least 1 address')] : []),
    ...(addresses.length > MAX_ADDRESSES ? [tooMany(path, addresses.length, MAX_ADDRESSES)] : []),
    ...addresses.flatMap((address, index) => addressErrors(address, type, path, index)),
    ...validateOptional(`${field}.nodeName`, stringAt(endpoint, 'nodeName'), checkDnsSubdomain),
    ...validateOptional(`${field}.hostname`, stringAt(endpoint, 'hostname'), checkDnsLabel),
  ];
}

function addressErrors(address: string, type: string, path: string, index: number): FieldError[] {
  const field = `${path}[${index}]`;
  if (type === 'FQDN') return domainErrors(address, field);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const malformed = validateAddress(field, address);
  if (malformed.length > 0) return malformed;
  const canonical = canonicalAddress(address);
  if (address !== canonical) return [invalidValue(field, address, `must be in canonical form ("${canonical}")`)];
  const isOther = familyOf(address) !== type;
  return [
    ...(isOther ? [invalidValue(path, address, `must be an ${type} address`)] : []),
    ...validateEndpointAddress(field, address),
  ];
}

function domainErrors(address: string, field: string): FieldError[] {
  const name = address.replace(/\.$/, '');
  if (name === '') return [required(field)];
  const errors = checkDnsSubdomain(field, name);
  if (errors.length > 0 || name.includes('.')) return errors;
  return [invalidValue(field, name, 'should be a domain with at least two segments separated by dots')];
}

/** Returns the errors of Endpoints, or of their update. */
export function validateEndpoints(object: ApiObject, old?: ApiObject): FieldError[] {
  if (old && semanticEqual(old.subsets, object.subsets)) return [];
  return eachObject(object.subsets).flatMap((subset, index) => subsetErrors(subset, `subsets[${index}]`));
}

function subsetErrors(subset: JsonObject, field: string): FieldError[] {
  const ports = eachObject(subset.ports);
  const lists = ['addresses', 'notReadyAddresses'];
  const isEmpty = lists.every((name) => eachObject(subset[name]).length === 0);
  return [
    ...(isEmpty ? [required(field, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...lists.flatMap((name) =>
      eachObject(subset[name]).flatMap((address, index) => {
        const [path, ip] = [`${field}.${name}[${index}].ip`, stringAt(address, 'ip')];
        return [...validateAddress(path, ip), ...validateEndpointAddress(path, ip)];
      }),
    ),
    ...ports.flatMap((port, index) => portErrors(port, `${field}.ports[${index}]`, ports.length > 1)),
  ];
}

function portErrors(port: JsonObject, field: string, needsName: boolean): FieldError[] {
  const name = stringAt(port, 'name');
  return [
    ...(needsName && name === '' ? [required(`${field}.name`)] : []),
    ...validateOptional(`${field}.name`, name, checkDnsLabel),
    ...validatePort(`${field}.port`, numberAt(port, 'port') ?? 0),
    ...validateOneOf(`${field}.protocol`, port.protocol, PROTOCOLS),
  ];
}
