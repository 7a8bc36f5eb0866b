import { containsIp, parseIpNetwork } from '../../../api/schema/ip-address.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
} from '../../objects/api-object.js';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  validateOptional,
  validatePort,
  checkPortName,
  validatePortNumberOrName,
  validateRequired,
} from '../fields/field-checks.js';
import { validateAddress, validateNetwork, familyOf } from '../fields/ip-address.js';
import { validateLabelSelector } from '../fields/label-selector-validation.js';
import { pathSegmentErrors, wildcardSubdomainErrors } from '../../../api/objects/names.js';

const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const BAD_SEQUENCES = ['//', '/./', '/../', '%2f', '%2F'];
const BAD_ENDINGS = ['/..', '/.'];
const MAX_POLICY_TYPES = 2;

/** Returns the errors of an Ingress, or of its update. */
export function validateIngress(object: ApiObject, old?: ApiObject, subresource = ''): FieldError[] {
  if (old && subresource === 'status') return ingressStatusErrors(object, old);
  const spec = objectAt(object, 'spec');
  const rules = eachObject(spec.rules);
  const isEmpty = rules.length === 0 && spec.defaultBackend === undefined;
  return [
    ...(isEmpty
      ? [
          invalidValue(
            'spec',
            Array.isArray(spec.rules) ? [] : null,
            'either `defaultBackend` or `rules` must be specified',
          ),
        ]
      : []),
    ...(isJsonObject(spec.defaultBackend) ? backendErrors(spec.defaultBackend, 'spec.defaultBackend') : []),
    ...rules.flatMap((rule, index) => ingressRuleErrors(rule, `spec.rules[${index}]`)),
    ...eachObject(spec.tls).flatMap((tls, index) => tlsErrors(tls, `spec.tls[${index}]`)),
    ...(spec.ingressClassName === undefined
      ? []
      : checkDnsSubdomain('spec.ingressClassName', stringAt(spec, 'ingressClassName'))),
  ];
}

function tlsErrors(tls: JsonObject, field: string): FieldError[] {
  return [
    ...arrayAt(tls, 'hosts').flatMap((host, index) => hostErrors(String(host), `${field}.hosts[${index}]`)),
    ...validateOptional(`${field}.secretName`, stringAt(tls, 'secretName'), checkDnsSubdomain),
  ];
}

function hostErrors(host: string, field: string): FieldError[] {
  if (!host.includes('*')) return checkDnsSubdomain(field, host);
  return wildcardSubdomainErrors(host).map((message) => invalidValue(field, host, message));
}

function ingressRuleErrors(rule: JsonObject, field: string): FieldError[] {
  const host = stringAt(rule, 'host');
  const isAddress = familyOf(host) !== undefined;
  const paths = eachObject(objectAt(rule, 'http').paths);
  return [
    ...(isAddress ? [invalidValue(`${field}.host`, host, 'must be a DNS name, not an IP address')] : []),
    ...(host === '' ? [] : hostErrors(host, `${field}.host`)),
    ...(isJsonObject(rule.http) && paths.length === 0 ? [required(`${field}.http.paths`)] : []),
    ...paths.flatMap((path, index) => pathErrors(path, `${field}.http.paths[${index}]`)),
  ];
}

function pathErrors(entry: JsonObject, field: string): FieldError[] {
  const { pathType } = entry;
  const path = stringAt(entry, 'path');
  const relative = path.startsWith('/') ? [] : [invalidValue(`${field}.path`, path, 'must be an absolute path')];
  if (pathType === undefined || pathType === null) return [required(`${field}.pathType`, 'pathType must be specified')];
  const backend = backendErrors(objectAt(entry, 'backend'), `${field}.backend`);
  if (pathType === 'ImplementationSpecific') return [...(path === '' ? [] : relative), ...backend];
  if (pathType !== 'Exact' && pathType !== 'Prefix')
    return [notSupported(`${field}.pathType`, pathType, PATH_TYPES), ...backend];
  return [
    ...relative,
    ...BAD_SEQUENCES.filter((part) => path.includes(part)).map((part) =>
      invalidValue(`${field}.path`, path, `must not contain '${part}'`),
    ),
    ...BAD_ENDINGS.filter((part) => path.endsWith(part)).map((part) =>
      invalidValue(`${field}.path`, path, `cannot end with '${part}'`),
    ),
    ...backend,
  ];
}

function backendErrors(backend: JsonObject, field: string): FieldError[] {
  const { service, resource } = backend;
  if (isJsonObject(service) && isJsonObject(resource))
    return [invalidValue(field, '', 'cannot set both resource and service backends')];
  if (isJsonObject(resource)) return resourceBackendErrors(resource, `${field}.resource`);
  if (!isJsonObject(service)) return [invalidValue(field, '', 'resource or service backend is required')];
  return [
    ...validateRequired(`${field}.service.name`, stringAt(service, 'name'), checkDnsLabel),
    ...backendPortErrors(objectAt(service, 'port'), field),
  ];
}

function backendPortErrors(port: JsonObject, field: string): FieldError[] {
  const [name, number] = [stringAt(port, 'name'), numberAt(port, 'number') ?? 0];
  if (name !== '' && number !== 0) return [invalidValue(field, '', 'cannot set both port name & port number')];
  if (name !== '') return checkPortName(`${field}.service.port.name`, name);
  return number === 0
    ? [required(field, 'port name or number is required')]
    : validatePort(`${field}.service.port.number`, number);
}

function resourceBackendErrors(resource: JsonObject, field: string): FieldError[] {
  const segment = (name: string): FieldError[] =>
    validateRequired(`${field}.${name}`, stringAt(resource, name), (path, value) =>
      pathSegmentErrors(value).map((message) => invalidValue(path, value, message)),
    );
  const group =
    (resource.apiGroup ?? undefined) === undefined
      ? []
      : checkDnsSubdomain(`${field}.apiGroup`, stringAt(resource, 'apiGroup'));
  return [...group, ...segment('kind'), ...segment('name')];
}

function ingressStatusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const entries = ({ status }: ApiObject): JsonObject[] => eachObject(objectAt(status, 'loadBalancer').ingress);
  const former = entries(old).map((entry) => stringAt(entry, 'ip'));
  return entries(object).flatMap((entry, index) => {
    const field = `status.loadBalancer.ingress[${index}]`;
    const [ip, hostname] = [stringAt(entry, 'ip'), stringAt(entry, 'hostname')];
    const isAddress = familyOf(hostname) !== undefined;
    return [
      ...(ip === '' ? [] : validateAddress(`${field}.ip`, ip, former)),
      ...validateOptional(`${field}.hostname`, hostname, checkDnsSubdomain),
      ...(isAddress ? [invalidValue(`${field}.hostname`, hostname, 'must be a DNS name, not an IP address')] : []),
    ];
  });
}

/** Returns the errors of a NetworkPolicy, or of its update. */
export function validateNetworkPolicy(object: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const types = arrayAt(spec, 'policyTypes');
  const directions: readonly (readonly [string, string])[] = [
    ['ingress', 'from'],
    ['egress', 'to'],
  ];
  const errors = [
    ...validateLabelSelector(objectAt(spec, 'podSelector'), 'spec.podSelector'),
    ...directions.flatMap(([direction, peers]) =>
      eachObject(spec[direction]).flatMap((rule, index) =>
        policyRuleErrors(rule, peers, `spec.${direction}[${index}]`),
      ),
    ),
  ];
  if (types.length > MAX_POLICY_TYPES)
    return [...errors, invalidValue('spec.policyTypes', types, 'may not specify more than two policyTypes')];
  const unknown = types.flatMap((type, index) =>
    type === 'Ingress' || type === 'Egress'
      ? []
      : [notSupported(`spec.policyTypes[${index}]`, type, ['Ingress', 'Egress'])],
  );
  return [...errors, ...unknown];
}

function policyRuleErrors(rule: JsonObject, peers: string, field: string): FieldError[] {
  return [
    ...eachObject(rule.ports).flatMap((port, index) => policyPortErrors(port, `${field}.ports[${index}]`)),
    ...eachObject(rule[peers]).flatMap((peer, index) => peerErrors(peer, `${field}.${peers}[${index}]`)),
  ];
}

function policyPortErrors(entry: JsonObject, field: string): FieldError[] {
  const { port, protocol } = entry;
  const end = numberAt(entry, 'endPort');
  const errors =
    protocol === undefined || PROTOCOLS.includes(protocol as string)
      ? []
      : [notSupported(`${field}.protocol`, protocol, PROTOCOLS)];
  if (typeof port !== 'number') {
    const detail = `may not be specified when \`port\` is ${port === undefined ? 'not specified' : 'non-numeric'}`;
    if (end !== undefined) errors.push(invalidValue(`${field}.endPort`, end, detail));
    return [...errors, ...validatePortNumberOrName(`${field}.port`, port)];
  }
  errors.push(...validatePort(`${field}.port`, port));
  if (end === undefined) return errors;
  if (end < port) errors.push(invalidValue(`${field}.endPort`, port, 'must be greater than or equal to `port`'));
  return [...errors, ...validatePort(`${field}.endPort`, end)];
}

function peerErrors(peer: JsonObject, field: string): FieldError[] {
  const present = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((name) => isJsonObject(peer[name]));
  const errors = present.flatMap((name) =>
    name === 'ipBlock'
      ? blockErrors(objectAt(peer, name), `${field}.ipBlock`)
      : validateLabelSelector(peer[name], `${field}.${name}`),
  );
  if (present.length === 0) return [...errors, required(field, 'must specify a peer')];
  const isMixed = present.length > 1 && present.includes('ipBlock');
  return isMixed ? [...errors, forbiddenField(field, 'may not specify both ipBlock and another peer')] : errors;
}

function blockErrors(block: JsonObject, field: string): FieldError[] {
  const cidr = stringAt(block, 'cidr');
  if (cidr === '') return [required(`${field}.cidr`)];
  const errors = validateNetwork(`${field}.cidr`, cidr);
  if (errors.length > 0) return errors;
  return arrayAt(block, 'except').flatMap((value, index) => {
    const [path, except] = [`${field}.except[${index}]`, String(value)];
    const problems = validateNetwork(path, except);
    const isInside = problems.length > 0 || isStrictlyInside(except, cidr);
    return isInside ? problems : [invalidValue(path, except, 'must be a strict subset of `cidr`')];
  });
}

function isStrictlyInside(inner: string, outer: string): boolean {
  const [own, network] = [parseIpNetwork(inner), parseIpNetwork(outer)];
  return own !== undefined && network !== undefined && own.length > network.length && containsIp(network, own.address);
}
