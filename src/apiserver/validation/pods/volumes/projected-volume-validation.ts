import { forbiddenField, invalidValue, required, type FieldError } from '../../../../api/protocol/field-error.js';
import { eachObject, isJsonObject, numberAt, stringAt, type JsonObject } from '../../../objects/api-object.js';
import { validateRequired } from '../../fields/field-checks.js';
import { validateDownwardFile } from './downward-api-validation.js';
import { validateFileMode } from './file-mode-validation.js';
import { filePathErrors } from './relative-path-validation.js';

const [MIN_SECONDS, MAX_SECONDS] = [600, 2 ** 32];

/** Returns the errors of the items of a ConfigMap or Secret volume: core's validateKeyToPath. */
export function validateKeyFile(item: JsonObject, field: string): FieldError[] {
  const path = stringAt(item, 'path');
  return [
    ...validateRequired(`${field}.key`, stringAt(item, 'key')),
    ...validateRequired(`${field}.path`, path),
    ...filePathErrors(path, `${field}.path`),
    ...validateFileMode(`${field}.mode`, numberAt(item, 'mode')),
  ];
}

/** Returns the errors of a projected volume: core's validateProjectedVolumeSource. */
export function validateProjected(source: JsonObject, field: string): FieldError[] {
  const paths = new Set<string>();
  return [
    ...validateFileMode(`${field}.defaultMode`, numberAt(source, 'defaultMode')),
    ...eachObject(source.sources).flatMap((one, index) => projectionErrors(one, field, index, paths)),
  ];
}

function projectionErrors(source: JsonObject, volume: string, index: number, paths: Set<string>): FieldError[] {
  const field = `${volume}.sources[${index}]`;
  const conflict = (item: JsonObject, shown: unknown): FieldError[] => {
    const path = stringAt(item, 'path');
    const isTaken = path !== '' && paths.has(path);
    paths.add(path);
    return isTaken ? [invalidValue(volume, shown, 'conflicting duplicate paths')] : [];
  };
  const errors: FieldError[] = [];
  let count = 0;
  for (const name of ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken']) {
    const part = source[name];
    if (!isJsonObject(part)) continue;
    count++;
    const own = `${field}.${name}`;
    if (name === 'serviceAccountToken') errors.push(...tokenErrors(part, own, volume));
    else if (name === 'downwardAPI')
      for (const file of eachObject(part.items))
        errors.push(...validateDownwardFile(file, own), ...conflict(file, stringAt(file, 'path')));
    else {
      errors.push(...validateRequired(`${own}.name`, stringAt(part, 'name')));
      eachObject(part.items).forEach((item, place) =>
        errors.push(...validateKeyFile(item, `${own}.items[${place}]`), ...conflict(item, stringAt(part, 'name'))),
      );
    }
  }
  if (count > 1) errors.push(forbiddenField(field, 'may not specify more than 1 volume type per source'));
  return errors;
}

function tokenErrors(token: JsonObject, field: string, volume: string): FieldError[] {
  const [seconds, path] = [numberAt(token, 'expirationSeconds') ?? 0, stringAt(token, 'path')];
  const at = `${field}.expirationSeconds`;
  return [
    ...(seconds < MIN_SECONDS ? [invalidValue(at, seconds, 'may not specify a duration less than 10 minutes')] : []),
    ...(seconds > MAX_SECONDS
      ? [invalidValue(at, seconds, 'may not specify a duration larger than 2^32 seconds')]
      : []),
    ...(path === '' ? [required(`${volume}.path`)] : filePathErrors(path, `${volume}.path`)),
  ];
}
