import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupportedText,
  required,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import { isExternallyAccessible, isHeadless, needsHealthCheck } from '../../objects/service-type.js';
import {
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { clusterIpChangeErrors, clusterIpErrors } from './cluster-ip-validation.js';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  validateOneOf,
  validatePort,
  validatePortNumberOrName,
  checkQualifiedName,
  validateRequired,
  uniqueness,
} from '../fields/field-checks.js';
import { internalForm } from '../fields/internal-form.js';
import { validateAddress, validateEndpointAddress, validateNetwork } from '../fields/ip-address.js';
import { validateLabels } from '../fields/object-meta.js';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";

/** Returns the errors of a Service; values of `old` may be kept. */
export function validateService(object: ApiObject, old?: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const former = old && objectAt(old, 'spec');
  return [
    ...typeErrors(spec),
    ...portErrors(spec),
    ...validateLabels(objectAt(spec, 'selector') as Record<string, string>, 'spec.selector'),
    ...affinityErrors(spec),
    ...clusterIpErrors(spec, former),
    ...externalIpErrors(spec, former),
    ...validateOneOf('spec.type', spec.type, TYPES),
    ...nodePortErrors(spec),
    ...duplicatePortErrors(spec),
    ...loadBalancerErrors(spec, former),
    ...trafficErrors(spec),
  ];
}

/** Returns the errors of an update of a Service, or of its status. */
export function validateServiceUpdate(next: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  if (subresource === 'status') return statusErrors(next, old);
  const [spec, former] = [objectAt(next, 'spec'), objectAt(old, 'spec')];
  const errors = clusterIpChangeErrors(spec, former);
  const isBalanced = spec.type === 'LoadBalancer' && former.type === 'LoadBalancer';
  if (isBalanced && spec.loadBalancerClass !== former.loadBalancerClass)
    errors.push(invalidValue('spec.loadBalancerClass', spec.loadBalancerClass, 'may not change once set'));
  if (isBalanced || former.type !== undefined) errors.push(...classErrors(spec));
  const isKept = spec.healthCheckNodePort === former.healthCheckNodePort;
  if (needsHealthCheck(spec) && needsHealthCheck(former) && !isKept)
    errors.push(forbiddenField('spec.healthCheckNodePort', 'field is immutable'));
  return [...errors, ...validateService(next, old)];
}

function typeErrors(spec: JsonObject): FieldError[] {
  const { type } = spec;
  if (type === 'ExternalName') return externalNameErrors(spec);
  const ports = eachObject(spec.ports).length === 0 && !isHeadless(spec) ? [required('spec.ports')] : [];
  if (!isHeadless(spec) || (type !== 'LoadBalancer' && type !== 'NodePort')) return ports;
  return [...ports, invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)];
}

function externalNameErrors(spec: JsonObject): FieldError[] {
  const unwanted = ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].filter((field) => {
    const value = spec[field];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  return [
    ...unwanted.map((field) => forbiddenField(`spec.${field}`, 'may not be set for ExternalName services')),
    ...validateRequired('spec.externalName', stringAt(spec, 'externalName').replace(/\.$/, ''), checkDnsSubdomain),
  ];
}

function portErrors(spec: JsonObject): FieldError[] {
  const ports = eachObject(spec.ports);
  const unique = uniqueness();
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    const name = stringAt(port, 'name');
    const isNameless = name === '' && ports.length > 1;
    return [
      ...(isNameless ? [required(`${field}.name`)] : []),
      ...(name === '' ? [] : [...checkDnsLabel(`${field}.name`, name), ...unique(`${field}.name`, name)]),
      ...validatePort(`${field}.port`, numberAt(port, 'port') ?? 0),
      ...validateOneOf(`${field}.protocol`, port.protocol, PROTOCOLS),
      ...validatePortNumberOrName(`${field}.targetPort`, port.targetPort),
      ...(port.appProtocol === undefined
        ? []
        : checkQualifiedName(`${field}.appProtocol`, stringAt(port, 'appProtocol'))),
    ];
  });
}

function affinityErrors(spec: JsonObject): FieldError[] {
  const { sessionAffinity, sessionAffinityConfig } = spec;
  const errors = validateOneOf('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None']);
  if (sessionAffinity !== 'ClientIP') return errors;
  const seconds = numberAt(objectAt(sessionAffinityConfig, 'clientIP'), 'timeoutSeconds') ?? 0;
  if (seconds > 0 && seconds <= 86400) return errors;
  const field = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
  return [...errors, invalidValue(field, seconds, 'must be greater than 0 and less than 86400')];
}

function externalIpErrors(spec: JsonObject, former: JsonObject | undefined): FieldError[] {
  return textsAt(spec, 'externalIPs').flatMap((address, index) => {
    const field = `spec.externalIPs[${index}]`;
    const errors = validateAddress(field, address, former && textsAt(former, 'externalIPs'));
    return errors.length > 0 ? errors : validateEndpointAddress(field, address);
  });
}

function nodePortErrors(spec: JsonObject): FieldError[] {
  const seen = new Set<string>();
  const ports = eachObject(spec.ports).flatMap((port, index) =>
    port.nodePort ? [{ port, field: `spec.ports[${index}].nodePort` }] : [],
  );
  const forbidden = ports.map(({ field }) => forbiddenField(field, "may not be used when `type` is 'ClusterIP'"));
  const repeated = ports.flatMap(({ field, port }) => {
    const key = `${stringAt(port, 'protocol')}/${String(port.nodePort)}`;
    if (seen.has(key)) return [duplicate(field, port.nodePort)];
    seen.add(key);
    return [];
  });
  return [...(spec.type === 'ClusterIP' ? forbidden : []), ...repeated];
}

/** The error contains the key: a port without other fields. */
function duplicatePortErrors(spec: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return eachObject(spec.ports).flatMap(({ protocol, port }, index) => {
    const key = `${String(protocol)}/${String(port)}`;
    const shown = internalForm('core.ServicePort', { protocol, port });
    if (seen.has(key)) return [duplicate(`spec.ports[${index}]`, shown)];
    seen.add(key);
    return [];
  });
}

function loadBalancerErrors(spec: JsonObject, former: JsonObject | undefined): FieldError[] {
  const isBalanced = spec.type === 'LoadBalancer';
  const field = 'spec.LoadBalancerSourceRanges';
  const ranges = textsAt(spec, 'loadBalancerSourceRanges').map((range) => range.trim());
  const before = former && textsAt(former, 'loadBalancerSourceRanges').map((range) => range.trim());
  return [
    ...(ranges.length > 0 && !isBalanced ? [forbiddenField(field, ONLY_LOAD_BALANCER)] : []),
    ...ranges.flatMap((range, index) => validateNetwork(`${field}[${index}]`, range, before)),
    ...(spec.allocateLoadBalancerNodePorts !== undefined && !isBalanced
      ? [forbiddenField('spec.allocateLoadBalancerNodePorts', ONLY_LOAD_BALANCER)]
      : []),
    ...classErrors(spec),
  ];
}

function classErrors(spec: JsonObject): FieldError[] {
  if (spec.loadBalancerClass === undefined) return [];
  const field = 'spec.loadBalancerClass';
  if (spec.type !== 'LoadBalancer') return [forbiddenField(field, ONLY_LOAD_BALANCER)];
  return checkQualifiedName(field, stringAt(spec, 'loadBalancerClass'));
}

function trafficErrors(spec: JsonObject): FieldError[] {
  const policy = stringAt(spec, 'externalTrafficPolicy');
  const distribution = spec.trafficDistribution;
  return [
    ...externalPolicyErrors(spec, policy),
    ...healthCheckErrors(spec),
    ...(spec.internalTrafficPolicy === undefined
      ? []
      : validateOneOf('spec.internalTrafficPolicy', spec.internalTrafficPolicy, ['Cluster', 'Local'])),
    ...(distribution === undefined || DISTRIBUTIONS.includes(distribution as string)
      ? []
      : [notSupportedText('spec.trafficDistribution', distribution, DISTRIBUTIONS)]),
  ];
}

function externalPolicyErrors(spec: JsonObject, policy: string): FieldError[] {
  const field = 'spec.externalTrafficPolicy';
  if (isExternallyAccessible(spec)) return validateOneOf(field, policy, ['Cluster', 'Local']);
  return policy === '' ? [] : [invalidValue(field, policy, 'may only be set for externally-accessible services')];
}

function healthCheckErrors(spec: JsonObject): FieldError[] {
  const [field, port] = ['spec.healthCheckNodePort', numberAt(spec, 'healthCheckNodePort') ?? 0];
  if (needsHealthCheck(spec)) return port === 0 ? [required(field)] : validatePort(field, port);
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port === 0 ? [] : [invalidValue(field, port, detail)];
}

function statusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const ingress = eachObject(objectAt(object.status, 'loadBalancer').ingress);
  const before = eachObject(objectAt(old.status, 'loadBalancer').ingress).map((entry) => stringAt(entry, 'ip'));
  const field = 'status.loadBalancer.ingress';
  if (ingress.length > 0 && stringAt(object.spec, 'type') !== 'LoadBalancer')
    return [forbiddenField(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  return ingress.flatMap((entry, index) => ingressErrors(entry, `${field}[${index}]`, before));
}

function ingressErrors(entry: JsonObject, field: string, before: readonly string[]): FieldError[] {
  const [ip, hostname, mode] = [stringAt(entry, 'ip'), stringAt(entry, 'hostname'), entry.ipMode];
  const errors = ip === '' ? [] : validateAddress(`${field}.ip`, ip, before);
  if (mode === undefined) {
    if (ip !== '') errors.push(required(`${field}.ipMode`, 'must be specified when `ip` is set'));
  } else if (ip === '') errors.push(forbiddenField(`${field}.ipMode`, 'may not be specified when `ip` is not set'));
  else errors.push(...validateOneOf(`${field}.ipMode`, mode, ['Proxy', 'VIP']));
  if (hostname === '') return errors;
  errors.push(...checkDnsSubdomain(`${field}.hostname`, hostname));
  if (validateAddress(field, hostname).length === 0)
    errors.push(invalidValue(`${field}.hostname`, hostname, 'must be a DNS name, not an IP address'));
  return errors;
}

function textsAt(spec: JsonObject, field: string): readonly string[] {
  const list = isJsonObject(spec) ? spec[field] : undefined;
  return Array.isArray(list) ? (list as string[]) : [];
}
