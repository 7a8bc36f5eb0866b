import { goQuoted } from '../../base/go-quoted.js';
import { invalidValue, notSupported, required, type FieldError } from '../../api/protocol/field-error.js';
import { dns1035LabelErrors, dnsSubdomainErrors, pathSegmentErrors } from '../../api/objects/names.js';
import {
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../objects/api-object.js';

const STATUSES = ['True', 'False', 'Unknown'];
const MAX_PORT = 65535;

/** Returns the errors of an APIService: kube-aggregator's apiregistration/validation. */
export function validateApiService(object: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const [group, version] = [stringAt(spec, 'group'), stringAt(spec, 'version')];
  return [
    ...nameErrors(object.metadata.name, `${version}.${group}`),
    ...(group === '' && version !== 'v1'
      ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : dnsSubdomainErrors(group).map((error) => invalidValue('spec.group', group, error))),
    ...dns1035LabelErrors(version).map((error) => invalidValue('spec.version', version, error)),
    ...priorityErrors(spec, 'groupPriorityMinimum', 20000),
    ...priorityErrors(spec, 'versionPriority', 1000),
    ...(isJsonObject(spec.service) ? remoteErrors(spec, spec.service) : localErrors(spec)),
  ];
}

/** Returns the errors of an update of an APIService. */
export function validateApiServiceUpdate(next: ApiObject, _old: ApiObject, subresource: string): FieldError[] {
  if (subresource !== 'status') return validateApiService(next);
  return eachObject(arrayAt(next.status, 'conditions')).flatMap((condition, index) => {
    const status = stringAt(condition, 'status');
    return STATUSES.includes(status) ? [] : notSupported(`status.conditions[${index}].status`, status, STATUSES);
  });
}

function nameErrors(name: string, wanted: string): FieldError[] {
  if (name === '' || name === wanted || pathSegmentErrors(name).length > 0) return [];
  const detail = `must be \`spec.version+"."+spec.group\`: ${goQuoted(wanted)}`;
  return [invalidValue('metadata.name', name, detail)];
}

function priorityErrors(spec: JsonObject, name: string, max: number): FieldError[] {
  const priority = numberAt(spec, name) ?? 0;
  const isRight = priority > 0 && priority <= max;
  return isRight ? [] : [invalidValue(`spec.${name}`, priority, `must be positive and less than ${max}`)];
}

function localErrors(spec: JsonObject): FieldError[] {
  const size = Buffer.from(stringAt(spec, 'caBundle'), 'base64').length;
  return [
    ...(size > 0 ? [invalidValue('spec.caBundle', `${size} bytes`, 'local APIServices may not have a caBundle')] : []),
    ...(spec.insecureSkipTLSVerify === true
      ? [invalidValue('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}

function remoteErrors(spec: JsonObject, service: JsonObject): FieldError[] {
  const port = numberAt(service, 'port') ?? 0;
  return [
    ...['namespace', 'name'].flatMap((name) =>
      stringAt(service, name) === '' ? [required(`spec.service.${name}`)] : [],
    ),
    ...(port >= 1 && port <= MAX_PORT
      ? []
      : [invalidValue('spec.service.port', port, 'port is not valid: must be between 1 and 65535, inclusive')]),
    ...(spec.insecureSkipTLSVerify === true && stringAt(spec, 'caBundle') !== ''
      ? [invalidValue('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ];
}
