import { forbiddenField, invalidValue, required, type FieldError } from '../../../api/field-error.js';
import { isJsonObject, numberAt, stringAt, type JsonObject } from '../../object.js';
import { eachObject } from '../../builtin/set-default.js';
import { checkDnsLabel, checkOneOf, checkRequired, uniqueness } from '../fields/field-checks.js';

const MODE = 'must be a number between 0 and 0777 (octal), both inclusive';
const HOST_PATHS = ['BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

type SourceCheck = (source: JsonObject, field: string) => FieldError[];

const named =
  (name: string): SourceCheck =>
  (source, field) =>
    checkRequired(`${field}.${name}`, stringAt(source, name));
const unchecked: SourceCheck = () => [];

/** What a volume may come from, in the order it is looked at, each with its problems. */
const SOURCES: Readonly<Record<string, SourceCheck>> = {
  emptyDir: unchecked,
  hostPath: validateHostPath,
  gcePersistentDisk: unchecked,
  awsElasticBlockStore: unchecked,
  secret: (source, field) => [...named('secretName')(source, field), ...fileErrors(source, field)],
  nfs: (source, field) => [...named('server')(source, field), ...named('path')(source, field)],
  iscsi: unchecked,
  persistentVolumeClaim: named('claimName'),
  rbd: unchecked,
  cephfs: unchecked,
  downwardAPI: modeErrors,
  fc: unchecked,
  flexVolume: unchecked,
  configMap: (source, field) => [...named('name')(source, field), ...fileErrors(source, field)],
  azureFile: unchecked,
  vsphereVolume: unchecked,
  azureDisk: unchecked,
  projected: modeErrors,
  csi: unchecked,
  ephemeral: unchecked,
  image: unchecked,
};

/** Problems of the volumes of a pod's spec, and the names of those that have none. */
export function validateVolumes(volumes: unknown, field: string): { errors: FieldError[]; sound: Set<string> } {
  const unique = uniqueness();
  const [errors, sound] = [[] as FieldError[], new Set<string>()];
  eachObject(volumes).forEach((volume, index) => {
    const [path, name] = [`${field}[${index}]`, stringAt(volume, 'name')];
    const own = [
      ...sourceErrors(volume, path),
      ...checkRequired(`${path}.name`, name, checkDnsLabel),
      ...unique(`${path}.name`, name),
    ];
    errors.push(...own);
    if (own.length === 0) sound.add(name);
  });
  return { errors, sound };
}

function sourceErrors(volume: JsonObject, field: string): FieldError[] {
  const present = Object.keys(SOURCES).filter((name) => isJsonObject(volume[name]));
  const known = new Set(['name', ...Object.keys(SOURCES)]);
  const hasOther = Object.keys(volume).some((name) => !known.has(name));
  if (present.length === 0) return hasOther ? [] : [required(field, 'must specify a volume type')];
  return present.flatMap((name, index) =>
    index === 0
      ? (SOURCES[name]?.(volume[name] as JsonObject, `${field}.${name}`) ?? [])
      : [forbiddenField(`${field}.${name}`, 'may not specify more than 1 volume type')],
  );
}

/** Problems of a path on the node. */
export function validateHostPath(source: JsonObject, field: string): FieldError[] {
  const [path, type] = [stringAt(source, 'path'), stringAt(source, 'type')];
  if (path === '') return [required(`${field}.path`)];
  return [
    ...backstepErrors(path, `${field}.path`),
    ...(type === '' ? [] : checkOneOf(`${field}.type`, type, ['', ...HOST_PATHS])),
  ];
}

function fileErrors(source: JsonObject, field: string): FieldError[] {
  return [
    ...modeErrors(source, field),
    ...eachObject(source.items).flatMap((item, index) => itemErrors(item, `${field}.items[${index}]`)),
  ];
}

function modeErrors(source: JsonObject, field: string): FieldError[] {
  return checkMode(`${field}.defaultMode`, numberAt(source, 'defaultMode'));
}

function itemErrors(item: JsonObject, field: string): FieldError[] {
  const path = stringAt(item, 'path');
  return [
    ...named('key')(item, field),
    ...named('path')(item, field),
    ...relativePathErrors(path, `${field}.path`),
    ...(path.startsWith('..') && !path.startsWith('../') && path !== '..'
      ? [invalidValue(`${field}.path`, path, "must not start with '..'")]
      : []),
    ...checkMode(`${field}.mode`, numberAt(item, 'mode')),
  ];
}

function checkMode(field: string, mode: number | undefined): FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777) ? [invalidValue(field, mode, MODE)] : [];
}

/** Problems of a path that has to stay below where it starts. */
export function relativePathErrors(path: string, field: string): FieldError[] {
  const absolute = path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : [];
  return [...absolute, ...backstepErrors(path, field)];
}

function backstepErrors(path: string, field: string): FieldError[] {
  return path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : [];
}
