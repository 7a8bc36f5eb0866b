import {
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundField,
  required,
  type FieldError,
} from '../../../api/field-error.js';
import { numberAt, objectAt, stringAt, textOf, type JsonObject } from '../../object.js';
import { eachObject } from '../../builtin/set-default.js';
import { parseQuantity } from '../../../api/quantity.js';
import { validateEnv, validateEnvFrom } from './env-validation.js';
import { checkDnsLabel, checkOneOf, checkPort, checkRange, checkRequired } from '../fields/field-checks.js';
import {
  STANDARD_RESOURCES,
  validateAmount,
  validateContainerResourceName,
} from '../fields/resource-name-validation.js';
import { validateProbes } from './handler-validation.js';
import { portNameErrors } from '../../../api/names.js';
import { relativePathErrors } from './volume-validation.js';

const MAX_ID = 2147483647;
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const NOT_IN_INIT = 'may not be set for init containers without restartPolicy=Always';

/** Problems of a pod's own containers; their names have to differ. */
export function validateContainers(spec: JsonObject, path: string, volumes: ReadonlySet<string>): FieldError[] {
  const containers = eachObject(spec.containers);
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  return [
    ...containers.flatMap((container, index) => {
      const own = `${path}[${index}]`;
      return [
        ...validateCommon(container, own, volumes),
        ...nameTaken(container, own, names),
        ...validateProbes(container, own),
      ];
    }),
    ...hostPortConflicts(containers, path),
  ];
}

/** Problems of the containers that run before them, whose names differ from theirs too. */
export function validateInitContainers(spec: JsonObject, path: string, volumes: ReadonlySet<string>): FieldError[] {
  const names = new Set(eachObject(spec.containers).map((container) => stringAt(container, 'name')));
  return eachObject(spec.initContainers).flatMap((container, index) => {
    const own = `${path}[${index}]`;
    const isSidecar = container.restartPolicy === 'Always';
    const unwanted = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'].filter(
      (field) => container[field] !== undefined,
    );
    return [
      ...validateCommon(container, own, volumes),
      ...nameTaken(container, own, names),
      ...hostPortConflicts([container], path),
      ...(isSidecar
        ? validateProbes(container, own)
        : unwanted.map((field) => forbiddenField(`${own}.${field}`, NOT_IN_INIT))),
    ];
  });
}

function nameTaken(container: JsonObject, path: string, names: Set<string>): FieldError[] {
  const name = stringAt(container, 'name');
  if (names.has(name)) return [duplicate(`${path}.name`, name)];
  names.add(name);
  return [];
}

/** Problems every sort of container can have: core's validateContainerCommon. */
export function validateCommon(container: JsonObject, path: string, volumes: ReadonlySet<string>): FieldError[] {
  return [
    ...checkRequired(`${path}.name`, stringAt(container, 'name'), checkDnsLabel),
    ...checkRequired(`${path}.image`, stringAt(container, 'image')),
    ...checkOneOf(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, MESSAGE_POLICIES),
    ...portErrors(container, `${path}.ports`),
    ...validateEnv(container.env, `${path}.env`),
    ...validateEnvFrom(container.envFrom, `${path}.envFrom`),
    ...mountErrors(container, `${path}.volumeMounts`, volumes),
    ...checkOneOf(`${path}.imagePullPolicy`, container.imagePullPolicy, PULL_POLICIES),
    ...validateResources(objectAt(container, 'resources'), `${path}.resources`),
    ...userErrors(objectAt(container, 'securityContext'), `${path}.securityContext`),
  ];
}

/** Whitespace around an image is refused in pods, not in templates. */
export function imageSpaceErrors(containers: unknown, path: string): FieldError[] {
  return eachObject(containers).flatMap((container, index) => {
    const image = stringAt(container, 'image');
    const detail = 'must not have leading or trailing whitespace';
    return image.trim() === image ? [] : [invalidValue(`${path}[${index}].image`, image, detail)];
  });
}

function portErrors(container: JsonObject, field: string): FieldError[] {
  const names = new Set<string>();
  return eachObject(container.ports).flatMap((port, index) => {
    const path = `${field}[${index}]`;
    const number = numberAt(port, 'containerPort') ?? 0;
    const host = numberAt(port, 'hostPort') ?? 0;
    return [
      ...portNameProblems(port, `${path}.name`, names),
      ...(number === 0 ? [required(`${path}.containerPort`)] : checkPort(`${path}.containerPort`, number)),
      ...(host === 0 ? [] : checkPort(`${path}.hostPort`, host)),
      ...checkOneOf(`${path}.protocol`, port.protocol, PROTOCOLS),
    ];
  });
}

function portNameProblems(port: JsonObject, field: string, names: Set<string>): FieldError[] {
  const name = stringAt(port, 'name');
  if (name === '') return [];
  const problems = portNameErrors(name).map((message) => invalidValue(field, name, message));
  if (problems.length === 0 && names.has(name)) return [duplicate(field, name)];
  if (problems.length === 0) names.add(name);
  return problems;
}

function hostPortConflicts(containers: readonly JsonObject[], field: string): FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap((container, index) =>
    eachObject(container.ports).flatMap((port, place) => {
      const host = numberAt(port, 'hostPort') ?? 0;
      const key = `${stringAt(port, 'protocol')}/${stringAt(port, 'hostIP')}/${host}`;
      const isTaken = host !== 0 && seen.has(key);
      seen.add(key);
      return isTaken ? [duplicate(`${field}[${index}].ports[${place}].hostPort`, key)] : [];
    }),
  );
}

function mountErrors(container: JsonObject, field: string, volumes: ReadonlySet<string>): FieldError[] {
  const paths = new Set<string>();
  return eachObject(container.volumeMounts).flatMap((mount, index) => {
    const path = `${field}[${index}]`;
    const [name, mountPath, subPath] = [
      stringAt(mount, 'name'),
      stringAt(mount, 'mountPath'),
      stringAt(mount, 'subPath'),
    ];
    const isRepeated = paths.has(mountPath);
    paths.add(mountPath);
    return [
      ...checkRequired(`${path}.name`, name),
      ...(volumes.has(name) ? [] : [notFoundField(`${path}.name`, name)]),
      ...checkRequired(`${path}.mountPath`, mountPath),
      ...(isRepeated ? [invalidValue(`${path}.mountPath`, mountPath, 'must be unique')] : []),
      // The real server leaves the index out here.
      ...relativePathErrors(subPath, `${field}.subPath`),
    ];
  });
}

/** Problems of what a container asks for and may take. */
export function validateResources(resources: JsonObject, field: string): FieldError[] {
  const [limits, requests] = [objectAt(resources, 'limits'), objectAt(resources, 'requests')];
  return [
    ...Object.entries(limits).flatMap(([name, amount]) => amountErrors(`${field}.limits[${name}]`, name, amount)),
    ...Object.entries(requests).flatMap(([name, amount]) => [
      ...amountErrors(`${field}.requests[${name}]`, name, amount),
      ...limitErrors(name, amount, limits[name], field),
    ]),
  ];
}

function amountErrors(field: string, name: string, amount: unknown): FieldError[] {
  return [...validateContainerResourceName(field, name), ...validateAmount(field, name, amount)];
}

function limitErrors(name: string, request: unknown, limit: unknown, field: string): FieldError[] {
  const canOvercommit = STANDARD_RESOURCES.includes(name);
  const [wanted, most] = [parseQuantity(String(request)), parseQuantity(String(limit))];
  if (limit === undefined)
    return canOvercommit || !name.includes('/')
      ? []
      : [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')];
  if (!wanted || !most || wanted.nano === most.nano) return [];
  if (!canOvercommit)
    return [invalidValue(`${field}.requests`, request, `must be equal to ${name} limit of ${textOf(limit)}`)];
  if (wanted.nano < most.nano) return [];
  return [
    invalidValue(`${field}.requests`, request, `must be less than or equal to ${name} limit of ${textOf(limit)}`),
  ];
}

/** Problems of the numbers of users and groups. */
export function userErrors(context: JsonObject, path: string): FieldError[] {
  return ['runAsUser', 'runAsGroup'].flatMap((field) =>
    checkRange(`${path}.${field}`, numberAt(context, field), 0, MAX_ID),
  );
}
