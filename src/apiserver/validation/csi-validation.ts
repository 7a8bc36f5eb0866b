import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../api/protocol/field-error.js';
import { parseQuantity } from '../../api/schema/quantity.js';
import {
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  textOf,
  type ApiObject,
  type JsonObject,
} from '../objects/api-object.js';
import {
  checkDnsSubdomain,
  validateImmutable,
  validateNonNegative,
  checkQualifiedName,
  uniqueness,
} from './fields/field-checks.js';
import { encodeSelector, validateLabelSelector } from './fields/label-selector-validation.js';
import { semanticEqual } from './fields/semantic-equal.js';
import { validateDriverName } from './pods/volumes/driver-name-validation.js';

const MAX_NODE_ID = 192;
const MAX_SECONDS = 2 ** 32;
const MODES = ['Persistent', 'Ephemeral'];
const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];

/** Returns the errors of a CSIDriver, or of its update. */
export function validateDriver(object: ApiObject, old?: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const { fsGroupPolicy, serviceAccountTokenInSecrets: inSecrets, nodeAllocatableUpdatePeriodSeconds: period } = spec;
  const isOdd = fsGroupPolicy !== undefined && !GROUP_POLICIES.includes(fsGroupPolicy as string);
  const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
  const former = objectAt({ old }, 'old').spec;
  return [
    ...(isOdd ? [notSupported('spec.fsGroupPolicy', fsGroupPolicy, GROUP_POLICIES)] : []),
    ...tokenErrors(spec),
    ...arrayAt(spec, 'volumeLifecycleModes')
      .filter((mode) => !MODES.includes(mode as string))
      .map((mode) => notSupported('spec.volumeLifecycleModes', mode, MODES)),
    ...(typeof period === 'number' && period < 10
      ? [invalidValue('spec.nodeAllocatableUpdatePeriodSeconds', period, 'must be greater than or equal to 10 seconds')]
      : []),
    ...(inSecrets !== undefined && eachObject(spec.tokenRequests).length === 0
      ? [invalidValue('spec.serviceAccountTokenInSecrets', inSecrets, detail)]
      : []),
    ...(old ? frozenDriverErrors(spec, objectAt({ former }, 'former')) : []),
  ];
}

/** Kubernetes misspells the name of the first field. */
function frozenDriverErrors(spec: JsonObject, former: JsonObject): FieldError[] {
  return [
    ...validateImmutable('spec.attachedRequired', spec.attachRequired, former.attachRequired),
    ...validateImmutable('spec.volumeLifecycleModes', spec.volumeLifecycleModes, former.volumeLifecycleModes),
  ];
}

function tokenErrors({ tokenRequests }: JsonObject): FieldError[] {
  const unique = uniqueness();
  return eachObject(tokenRequests).flatMap((request, index) => {
    const field = `spec.tokenRequests[${index}]`;
    const repeated = unique(`${field}.audience`, stringAt(request, 'audience'));
    const seconds = numberAt(request, 'expirationSeconds');
    if (repeated.length > 0 || seconds === undefined) return repeated;
    const said = (detail: string): FieldError => invalidValue(`${field}.expirationSeconds`, seconds, detail);
    if (seconds < 600) return [said('may not specify a duration less than 10 minutes')];
    return seconds > MAX_SECONDS ? [said('may not specify a duration larger than 2^32 seconds')] : [];
  });
}

/** Returns the errors of a CSINode. */
export function validateCsiNode({ spec }: ApiObject): FieldError[] {
  const names = new Set<string>();
  return eachObject(objectAt({ spec }, 'spec').drivers).flatMap((driver, index) => {
    const [field, name, id] = [`spec.drivers[${index}]`, stringAt(driver, 'name'), stringAt(driver, 'nodeID')];
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...validateDriverName(`${field}.name`, name),
      ...(id === '' ? [required(`${field}.nodeID`)] : []),
      ...(id.length > MAX_NODE_ID
        ? [invalidValue(`${field}.nodeID`, id, `must be ${MAX_NODE_ID} characters or less`)]
        : []),
      ...validateNonNegative(`${field}.allocatable.count`, numberAt(objectAt(driver, 'allocatable'), 'count')),
      ...(isTaken ? [duplicate(`${field}.name`, name)] : []),
      ...topologyErrors(arrayAt(driver, 'topologyKeys').map(String), field),
    ];
  });
}

function topologyErrors(keys: readonly string[], field: string): FieldError[] {
  const unique = uniqueness();
  return keys.flatMap((key) => [
    ...(key === '' ? [required(field)] : []),
    ...unique(field, key),
    ...checkQualifiedName(field, key),
  ]);
}

/** Returns the errors of an update of a CSINode: existing drivers are immutable except for their volume limit. */
export function validateCsiNodeChange(next: ApiObject, old: ApiObject): FieldError[] {
  const driversOf = ({ spec }: ApiObject): JsonObject[] => eachObject(objectAt({ spec }, 'spec').drivers);
  return driversOf(old).flatMap((former) =>
    driversOf(next)
      .filter(({ name }) => name === former.name)
      .flatMap((driver) => {
        const [shown, present] = [internalDriver(driver), internalDriver(former)];
        return semanticEqual(shown, present) ? [] : [invalidValue('spec.drivers', shown, 'field is immutable')];
      }),
  );
}

/** Formats a driver as Go prints the server's internal type, without the mutable fields. */
function internalDriver(driver: JsonObject): JsonObject {
  return {
    Name: stringAt(driver, 'name'),
    NodeID: stringAt(driver, 'nodeID'),
    TopologyKeys: driver.topologyKeys ?? null,
    Allocatable: null,
  };
}

/** Returns the errors of a CSIStorageCapacity. */
export function validateCapacity(object: ApiObject): FieldError[] {
  const amount = object.capacity;
  const isNegative = (parseQuantity(textOf(amount ?? '0'))?.nano ?? 0n) < 0n;
  return [
    ...(isJsonObject(object.nodeTopology) ? validateLabelSelector(object.nodeTopology, 'nodeTopology') : []),
    ...checkDnsSubdomain('storageClassName', stringAt(object, 'storageClassName')),
    ...(isNegative ? [invalidValue('capacity', textOf(amount), 'must be greater than or equal to 0')] : []),
  ];
}

/** Returns the errors of an update of a CSIStorageCapacity: topology and storage class are immutable. */
export function validateCapacityChange(next: ApiObject, old: ApiObject): FieldError[] {
  const name = stringAt(next, 'storageClassName');
  return [
    ...(isSameTopology(next.nodeTopology, old.nodeTopology)
      ? []
      : [invalidValue('nodeTopology', encodeSelector(next.nodeTopology), 'field is immutable')]),
    ...(name === stringAt(old, 'storageClassName')
      ? []
      : [invalidValue('storageClassName', name, 'field is immutable')]),
  ];
}

/** An empty selector differs from a missing one. */
function isSameTopology(next: unknown, old: unknown): boolean {
  return isJsonObject(next) === isJsonObject(old) && semanticEqual(next, old);
}

/** Returns the errors of a VolumeAttributesClass. */
export function validateAttributesClass(object: ApiObject): FieldError[] {
  const driver = stringAt(object, 'driverName');
  const parameters = objectAt(object, 'parameters');
  return [
    ...(driver === '' ? [required('driverName')] : checkQualifiedName('driverName', driver.toLowerCase())),
    ...Object.keys(parameters)
      .filter((key) => key === '')
      .map((key) => invalidValue('parameters', key, 'field can not be empty.')),
    ...(Object.keys(parameters).length === 0
      ? [required('parameters', 'must contain at least one key/value pair')]
      : []),
  ];
}

/** Returns the errors of an update of a VolumeAttributesClass, which is immutable. */
export function validateAttributesClassChange(next: ApiObject, old: ApiObject): FieldError[] {
  return ['driverName', 'parameters']
    .filter((field) => !semanticEqual(next[field], old[field]))
    .map((field) => forbiddenField(field, `updates to ${field} are forbidden.`));
}
