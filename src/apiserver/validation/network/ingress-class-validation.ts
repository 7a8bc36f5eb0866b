import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import { dnsLabelErrors, dnsSubdomainErrors, pathSegmentErrors } from '../../../api/objects/names.js';
import { objectAt, stringAt, textOf, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { validateImmutable } from '../fields/field-checks.js';

const MAX_CONTROLLER = 250;
const CONTROLLER = 'spec.controller';
const PARAMETERS = 'spec.parameters';
const HTTP_PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;
const INVALID_PATH = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

/** Returns the errors of an IngressClass. */
export function validateIngressClass(object: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const controller = stringAt(spec, 'controller');
  const { parameters } = spec;
  return [
    ...(Buffer.byteLength(controller) > MAX_CONTROLLER ? [tooLong(CONTROLLER, MAX_CONTROLLER)] : []),
    ...controllerErrors(controller),
    ...(parameters === undefined ? [] : parameterErrors(objectAt(spec, 'parameters'))),
  ];
}

/** Returns the errors of an update of an IngressClass: its controller is immutable. */
export function validateIngressClassChange(next: ApiObject, old: ApiObject): FieldError[] {
  return validateImmutable(CONTROLLER, stringAt(next.spec, 'controller'), stringAt(old.spec, 'controller'));
}

function controllerErrors(controller: string): FieldError[] {
  if (controller === '') return [required(CONTROLLER)];
  const slash = controller.indexOf('/');
  const [host, path] = [controller.slice(0, Math.max(0, slash)), controller.slice(slash + 1)];
  if (host === '' || path === '')
    return [invalidValue(CONTROLLER, controller, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  return [
    ...dnsSubdomainErrors(host).map((message) => invalidValue(CONTROLLER, host, message)),
    ...(HTTP_PATH.test(path) ? [] : [invalidValue(CONTROLLER, path, INVALID_PATH)]),
  ];
}

function parameterErrors(parameters: JsonObject): FieldError[] {
  const group = parameters.apiGroup === undefined ? undefined : stringAt(parameters, 'apiGroup');
  return [
    ...(group === undefined ? [] : invalidAs('apiGroup', group, dnsSubdomainErrors)),
    ...segmentErrors('kind', stringAt(parameters, 'kind')),
    ...segmentErrors('name', stringAt(parameters, 'name')),
    ...scopeErrors(parameters),
  ];
}

function scopeErrors({ scope, namespace }: JsonObject): FieldError[] {
  const field = `${PARAMETERS}.namespace`;
  if (scope === 'Cluster')
    return namespace === undefined ? [] : [forbiddenField(field, "`parameters.scope` is set to 'Cluster'")];
  if (scope !== 'Namespace') return [notSupported(`${PARAMETERS}.scope`, scope, ['Cluster', 'Namespace'])];
  return namespace === undefined
    ? [required(field, "`parameters.scope` is set to 'Namespace'")]
    : invalidAs('namespace', textOf(namespace), dnsLabelErrors);
}

function segmentErrors(name: string, value: string): FieldError[] {
  return value === '' ? [required(`${PARAMETERS}.${name}`)] : invalidAs(name, value, pathSegmentErrors);
}

function invalidAs(name: string, value: string, errorsOf: (value: string) => string[]): FieldError[] {
  return errorsOf(value).map((message) => invalidValue(`${PARAMETERS}.${name}`, value, message));
}
