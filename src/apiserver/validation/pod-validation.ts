import { deepEqual } from '../../base/deep-equal.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundField,
  notSupported,
  required,
  type FieldError,
} from '../../api/field-error.js';
import { numberAt, objectAt, stringAt, type ApiObject, type JsonObject, without, textOf } from '../object.js';
import { eachObject } from '../builtin/set-default.js';
import { parseQuantity } from '../../api/quantity.js';
import { dnsLabelErrors, labelValueErrors, qualifiedNameErrors } from '../../api/names.js';

const MAX_ID = 2147483647;
const RESTART_POLICIES = ['Always', 'Never', 'OnFailure'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const ENV_NAME = "a valid environment variable name must consist only of printable ASCII characters other than '='";
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export function validatePod(object: ApiObject): FieldError[] {
  return validatePodSpec(objectAt(object, 'spec'), 'spec');
}

/** Problems of a pod's spec, wherever it stands. */
export function validatePodSpec(spec: JsonObject, field: string): FieldError[] {
  const volumes = new Set(eachObject(spec.volumes).map((volume) => stringAt(volume, 'name')));
  const containers = eachObject(spec.containers);
  const errors = validateVolumes(spec, `${field}.volumes`);
  if (containers.length === 0) errors.push(required(`${field}.containers`));
  const names = new Set<string>();
  errors.push(...validateContainers(containers, `${field}.containers`, names, volumes));
  errors.push(...validateContainers(eachObject(spec.initContainers), `${field}.initContainers`, names, volumes));
  const policy = stringAt(spec, 'restartPolicy');
  if (!RESTART_POLICIES.includes(policy)) errors.push(notSupported(`${field}.restartPolicy`, policy, RESTART_POLICIES));
  const dnsPolicy = stringAt(spec, 'dnsPolicy');
  if (!DNS_POLICIES.includes(dnsPolicy)) errors.push(notSupported(`${field}.dnsPolicy`, dnsPolicy, DNS_POLICIES));
  for (const [key, value] of Object.entries(objectAt(spec, 'nodeSelector'))) {
    errors.push(...qualifiedNameErrors(key).map((message) => invalidValue(`${field}.nodeSelector`, key, message)));
    errors.push(
      ...labelValueErrors(String(value)).map((message) => invalidValue(`${field}.nodeSelector`, value, message)),
    );
  }
  return errors;
}

function validateVolumes(spec: JsonObject, field: string): FieldError[] {
  const seen = new Set<string>();
  return eachObject(spec.volumes).flatMap((volume, index) => {
    const name = stringAt(volume, 'name');
    const path = `${field}[${index}].name`;
    const errors =
      name === '' ? [required(path)] : dnsLabelErrors(name).map((message) => invalidValue(path, name, message));
    if (seen.has(name)) errors.push(duplicate(path, name));
    seen.add(name);
    return errors;
  });
}

function validateContainers(
  containers: readonly JsonObject[],
  field: string,
  names: Set<string>,
  volumes: ReadonlySet<string>,
): FieldError[] {
  return containers.flatMap((container, index) => {
    const path = `${field}[${index}]`;
    const name = stringAt(container, 'name');
    const errors =
      name === ''
        ? [required(`${path}.name`)]
        : dnsLabelErrors(name).map((message) => invalidValue(`${path}.name`, name, message));
    if (name !== '' && names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    return [...errors, ...validateContainer(container, path, volumes)];
  });
}

function validateContainer(container: JsonObject, path: string, volumes: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = [];
  const image = stringAt(container, 'image');
  if (image === '') errors.push(required(`${path}.image`));
  else if (image.trim() !== image)
    errors.push(invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  const policy = stringAt(container, 'imagePullPolicy');
  if (!PULL_POLICIES.includes(policy)) errors.push(notSupported(`${path}.imagePullPolicy`, policy, PULL_POLICIES));
  errors.push(...validatePorts(container, `${path}.ports`));
  eachObject(container.env).forEach((variable, index) => {
    const name = stringAt(variable, 'name');
    if (name === '') errors.push(required(`${path}.env[${index}].name`));
    else if (!/^[ -<>-~]+$/.test(name)) errors.push(invalidValue(`${path}.env[${index}].name`, name, ENV_NAME));
  });
  eachObject(container.volumeMounts).forEach((mount, index) => {
    const name = stringAt(mount, 'name');
    if (name === '') errors.push(required(`${path}.volumeMounts[${index}].name`));
    else if (!volumes.has(name)) errors.push(notFoundField(`${path}.volumeMounts[${index}].name`, name));
    if (stringAt(mount, 'mountPath') === '') errors.push(required(`${path}.volumeMounts[${index}].mountPath`));
  });
  errors.push(...validateResources(objectAt(container, 'resources'), `${path}.resources`));
  return [...errors, ...userErrors(objectAt(container, 'securityContext'), `${path}.securityContext`)];
}

function userErrors(context: JsonObject, path: string): FieldError[] {
  return ['runAsUser', 'runAsGroup'].flatMap((field) => {
    const id = numberAt(context, field) ?? 0;
    const detail = `must be between 0 and ${MAX_ID}, inclusive`;
    return id < 0 || id > MAX_ID ? [invalidValue(`${path}.${field}`, id, detail)] : [];
  });
}

function validatePorts(container: JsonObject, field: string): FieldError[] {
  const names = new Set<string>();
  return eachObject(container.ports).flatMap((port, index) => {
    const path = `${field}[${index}]`;
    const errors: FieldError[] = [];
    const name = stringAt(port, 'name');
    if (name !== '' && names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    const number = numberAt(port, 'containerPort') ?? 0;
    if (number === 0) errors.push(required(`${path}.containerPort`));
    else errors.push(...portErrors(`${path}.containerPort`, number));
    const host = numberAt(port, 'hostPort') ?? 0;
    if (host !== 0) errors.push(...portErrors(`${path}.hostPort`, host));
    const protocol = stringAt(port, 'protocol');
    if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${path}.protocol`, protocol, PROTOCOLS));
    return errors;
  });
}

export function portErrors(field: string, port: number): FieldError[] {
  return port >= 1 && port <= 65535 ? [] : [invalidValue(field, port, 'must be between 1 and 65535, inclusive')];
}

function validateResources(resources: JsonObject, field: string): FieldError[] {
  const [limits, requests] = [objectAt(resources, 'limits'), objectAt(resources, 'requests')];
  return Object.entries(requests).flatMap(([name, request]) => {
    const limit = limits[name];
    const [wanted, most] = [parseQuantity(String(request)), parseQuantity(String(limit))];
    if (limit === undefined || !wanted || !most || wanted.nano <= most.nano) return [];
    return [
      invalidValue(`${field}.requests`, request, `must be less than or equal to ${name} limit of ${textOf(limit)}`),
    ];
  });
}

const CHANGEABLE = [
  'activeDeadlineSeconds',
  'terminationGracePeriodSeconds',
  'tolerations',
  'schedulingGates',
  'ephemeralContainers',
];

/** Problems of a change of a pod: nearly nothing of its spec may change. */
export function validatePodUpdate(next: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  if (subresource === 'ephemeralcontainers') return validateEphemeralNames(next);
  if (subresource !== '') return [];
  const errors = validatePod(next);
  if (deepEqual(frozenPart(next), frozenPart(old))) return errors;
  const detail =
    'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
  return [...errors, forbiddenField('spec', detail)];
}

/** Containers of all sorts share one space of names. */
function validateEphemeralNames({ spec }: ApiObject): FieldError[] {
  const pod = objectAt({ spec }, 'spec');
  const names = new Set([...eachObject(pod.containers), ...eachObject(pod.initContainers)].map(({ name }) => name));
  return eachObject(pod.ephemeralContainers).flatMap(({ name }, index) => {
    const isTaken = names.has(name);
    names.add(name);
    return isTaken ? [duplicate(`spec.ephemeralContainers[${index}].name`, name)] : [];
  });
}

function frozenPart({ spec }: ApiObject): JsonObject {
  const rest = { ...objectAt({ spec }, 'spec') };
  for (const field of CHANGEABLE) Reflect.deleteProperty(rest, field);
  for (const field of ['containers', 'initContainers']) {
    rest[field] = eachObject(rest[field]).map((container) => without(container, 'image'));
  }
  return rest;
}
