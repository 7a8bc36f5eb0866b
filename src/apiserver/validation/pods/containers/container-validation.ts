import {
  duplicate,
  forbiddenField,
  invalidValue,
  required,
  type FieldError,
} from '../../../../api/protocol/field-error.js';
import { type JsonObject, eachObject, numberAt, objectAt, stringAt } from '../../../objects/api-object.js';
import { validateEnv, validateEnvFrom } from './env-validation.js';
import { checkDnsLabel, validateOneOf, validatePort, validateRequired } from '../../fields/field-checks.js';
import { validateProbes } from './handler-validation.js';
import { portNameErrors } from '../../../../api/objects/names.js';
import { validateContainerResources } from './resources-validation.js';
import { validateInitResize, validateResizePolicy, validateRestartPolicy } from './restart-validation.js';
import { validateContainerSecurity } from './security-context-validation.js';
import { validateDevices, validateMounts } from '../volumes/volume-mount-validation.js';

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const NOT_IN_INIT = 'may not be set for init containers without restartPolicy=Always';

/** The context in which a container is validated: the pod's spec and its valid volumes. */
export interface ContainerScope {
  readonly spec: JsonObject;
  readonly volumes: ReadonlyMap<string, JsonObject>;
}

/** Returns the errors of a pod's regular containers; their names must be unique. */
export function validateContainers(scope: ContainerScope, path: string): FieldError[] {
  const containers = eachObject(scope.spec.containers);
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  return [
    ...containers.flatMap((container, index) => {
      const own = `${path}[${index}]`;
      return [
        ...validateCommon(container, own, scope),
        ...nameTaken(container, own, names),
        ...validateProbes(container, own, scope.spec),
        ...validateRestartPolicy(container, own),
      ];
    }),
    ...hostPortConflicts(containers, path),
  ];
}

/** Returns the errors of init containers; their names must also differ from those of the regular containers. */
export function validateInitContainers(scope: ContainerScope, path: string): FieldError[] {
  const { spec } = scope;
  const names = new Set(eachObject(spec.containers).map((container) => stringAt(container, 'name')));
  return eachObject(spec.initContainers).flatMap((container, index) => {
    const own = `${path}[${index}]`;
    const isSidecar = container.restartPolicy === 'Always';
    const unwanted = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'].filter(
      (field) => container[field] !== undefined,
    );
    return [
      ...validateCommon(container, own, scope),
      ...validateRestartPolicy(container, own),
      ...initNameTaken(container, own, names),
      ...hostPortConflicts([container], path),
      ...(isSidecar
        ? validateProbes(container, own, spec)
        : unwanted.map((field) => forbiddenField(`${own}.${field}`, NOT_IN_INIT))),
      ...validateInitResize(container, own),
    ];
  });
}

/** Init containers without a name are not reported as duplicates. */
function initNameTaken(container: JsonObject, path: string, names: Set<string>): FieldError[] {
  return stringAt(container, 'name') === '' && !names.has('') ? [] : nameTaken(container, path, names);
}

function nameTaken(container: JsonObject, path: string, names: Set<string>): FieldError[] {
  const name = stringAt(container, 'name');
  if (names.has(name)) return [duplicate(`${path}.name`, name)];
  names.add(name);
  return [];
}

/** Returns the errors that all types of containers can have: core's validateContainerCommon. */
export function validateCommon(container: JsonObject, path: string, { spec, volumes }: ContainerScope): FieldError[] {
  const claims = eachObject(spec.resourceClaims)
    .map((claim) => stringAt(claim, 'name'))
    .filter((name) => name !== '');
  return [
    ...validateRequired(`${path}.name`, stringAt(container, 'name'), checkDnsLabel),
    ...validateRequired(`${path}.image`, stringAt(container, 'image')),
    ...validateOneOf(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, MESSAGE_POLICIES),
    ...portErrors(container, `${path}.ports`),
    ...validateEnv(container.env, `${path}.env`),
    ...validateEnvFrom(container.envFrom, `${path}.envFrom`),
    ...validateMounts(container, `${path}.volumeMounts`, volumes),
    ...validateDevices(container, `${path}.volumeDevices`, volumes),
    ...validateOneOf(`${path}.imagePullPolicy`, container.imagePullPolicy, PULL_POLICIES),
    ...validateContainerResources(objectAt(container, 'resources'), `${path}.resources`, claims),
    ...validateResizePolicy(container.resizePolicy, `${path}.resizePolicy`, spec.restartPolicy),
    ...validateContainerSecurity(container, `${path}.securityContext`, spec.hostUsers !== false),
  ];
}

/** Whitespace around an image name is invalid in pods, but accepted in templates. */
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
      ...(number === 0 ? [required(`${path}.containerPort`)] : validatePort(`${path}.containerPort`, number)),
      ...(host === 0 ? [] : validatePort(`${path}.hostPort`, host)),
      ...validateOneOf(`${path}.protocol`, port.protocol, PROTOCOLS),
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
