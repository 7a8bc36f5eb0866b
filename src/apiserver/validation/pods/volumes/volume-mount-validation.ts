import {
  forbiddenField,
  invalidValue,
  notFoundField,
  notSupported,
  required,
  type FieldError,
} from '../../../../api/protocol/field-error.js';
import { eachObject, isJsonObject, objectAt, stringAt, type JsonObject } from '../../../objects/api-object.js';
import { validateRequired } from '../../fields/field-checks.js';
import { backstepErrors, relativePathErrors } from './relative-path-validation.js';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const READ_ONLY_MODES = ['Disabled', 'Enabled', 'IfPossible'];
const PRIVILEGED = 'Bidirectional mount propagation is available only to privileged containers';
const NOT_BLOCK = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';

type Volumes = ReadonlyMap<string, JsonObject>;

/** Returns the errors of a container's volume mounts: core's ValidateVolumeMounts. */
export function validateMounts(container: JsonObject, field: string, volumes: Volumes): FieldError[] {
  const paths = new Set<string>();
  const devices = new Map(
    eachObject(container.volumeDevices).map((device) => [stringAt(device, 'name'), stringAt(device, 'devicePath')]),
  );
  const devicePaths = new Set(devices.values());
  return eachObject(container.volumeMounts).flatMap((mount, index) => {
    const path = `${field}[${index}]`;
    const [name, mountPath] = [stringAt(mount, 'name'), stringAt(mount, 'mountPath')];
    const isRepeated = paths.has(mountPath);
    paths.add(mountPath);
    const taken = 'must not already exist as a path in volumeDevices';
    return [
      ...validateRequired(`${path}.name`, name),
      ...(volumes.has(name) ? [] : [notFoundField(`${path}.name`, name)]),
      ...validateRequired(`${path}.mountPath`, mountPath),
      ...(isRepeated ? [invalidValue(`${path}.mountPath`, mountPath, 'must be unique')] : []),
      ...(devices.has(name) ? [invalidValue(`${path}.name`, name, 'must not already exist in volumeDevices')] : []),
      ...(devicePaths.has(mountPath) ? [invalidValue(`${path}.mountPath`, mountPath, taken)] : []),
      ...subPathErrors(mount, path, field),
      ...propagationErrors(mount, `${field}.mountPropagation`, container),
      ...readOnlyErrors(mount, `${field}.recursiveReadOnly`),
    ];
  });
}

/** The server omits the index in all field names but one. */
function subPathErrors(mount: JsonObject, path: string, field: string): FieldError[] {
  const [subPath, expression] = [stringAt(mount, 'subPath'), stringAt(mount, 'subPathExpr')];
  const isBoth = subPath !== '' && expression !== '';
  return [
    ...relativePathErrors(subPath, `${field}.subPath`),
    ...(isBoth
      ? [invalidValue(`${path}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive')]
      : []),
    ...relativePathErrors(expression, `${field}.subPathExpr`),
  ];
}

function propagationErrors({ mountPropagation: mode }: JsonObject, field: string, container: JsonObject): FieldError[] {
  if (mode === undefined) return [];
  const isRefused = mode === 'Bidirectional' && objectAt(container, 'securityContext').privileged !== true;
  return [
    ...(PROPAGATIONS.includes(mode as string) ? [] : [notSupported(field, mode, PROPAGATIONS)]),
    ...(isRefused ? [forbiddenField(field, PRIVILEGED)] : []),
  ];
}

function readOnlyErrors(
  { recursiveReadOnly: mode, readOnly, mountPropagation }: JsonObject,
  field: string,
): FieldError[] {
  if (mode === undefined || mode === 'Disabled') return [];
  if (!READ_ONLY_MODES.includes(mode as string)) return [notSupported(field, mode, READ_ONLY_MODES)];
  const isShared = mountPropagation !== undefined && mountPropagation !== 'None';
  return [
    ...(readOnly === true ? [] : [forbiddenField(field, 'may only be specified when readOnly is true')]),
    ...(isShared
      ? [forbiddenField(field, 'may only be specified when mountPropagation is None or not specified')]
      : []),
  ];
}

/** Returns the errors of a container's block devices: core's ValidateVolumeDevices. */
export function validateDevices(container: JsonObject, field: string, volumes: Volumes): FieldError[] {
  const mounts = new Map(
    eachObject(container.volumeMounts).map((mount) => [stringAt(mount, 'name'), stringAt(mount, 'mountPath')]),
  );
  const [names, paths] = [new Set<string>(), new Set<string>()];
  return eachObject(container.volumeDevices).flatMap((device, index) => {
    const [name, path] = [stringAt(device, 'name'), stringAt(device, 'devicePath')];
    const [ofName, ofPath] = [`${field}[${index}].name`, `${field}[${index}].devicePath`];
    const goesUp = backstepErrors(path, ofPath).length > 0;
    const errors = [
      ...deviceNameErrors(name, ofName, volumes.get(name), names),
      ...(path === '' ? [required(ofPath)] : []),
      ...(paths.has(path) ? [invalidValue(ofPath, path, 'must be unique')] : []),
      ...(goesUp ? [invalidValue(ofPath, path, "can not contain backsteps ('..')")] : []),
      ...mountedErrors(mounts, [ofName, name], [ofPath, path]),
    ];
    if (!goesUp) paths.add(path);
    if (name !== '') names.add(name);
    return errors;
  });
}

function deviceNameErrors(
  name: string,
  field: string,
  volume: JsonObject | undefined,
  names: ReadonlySet<string>,
): FieldError[] {
  const isBlock = isJsonObject(volume?.persistentVolumeClaim) || isJsonObject(volume?.ephemeral);
  return [
    ...validateRequired(field, name),
    ...(names.has(name) ? [invalidValue(field, name, 'must be unique')] : []),
    ...(volume && !isBlock ? [invalidValue(field, name, NOT_BLOCK)] : []),
    ...(volume ? [] : [notFoundField(field, name)]),
  ];
}

type Placed = readonly [field: string, value: string];

function mountedErrors(
  mounts: ReadonlyMap<string, string>,
  [ofName, name]: Placed,
  [ofPath, path]: Placed,
): FieldError[] {
  const isTaken = [...mounts.values()].includes(path);
  return [
    ...(mounts.has(name) ? [invalidValue(ofName, name, 'must not already exist in volumeMounts')] : []),
    ...(isTaken ? [invalidValue(ofPath, path, 'must not already exist as a path in volumeMounts')] : []),
  ];
}
