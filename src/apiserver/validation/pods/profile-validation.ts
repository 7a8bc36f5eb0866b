import { invalidValue, notSupported, required, tooLong, type FieldError } from '../../../api/protocol/field-error.js';
import { isJsonObject, stringAt, type JsonObject } from '../../objects/api-object.js';
import { internalForm } from '../fields/internal-form.js';
import { relativePathErrors } from './volumes/relative-path-validation.js';

const TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const MAX_PATH = 4095;
const ONLY_LOCAL = (kind: string): string => `can only be set when ${kind} type is Localhost`;
const LOCAL = (kind: string): string => `must be set when ${kind} type is Localhost`;

/** Returns the errors of the seccomp profile of a pod or container, if it has one. */
export function validateSeccompProfile({ seccompProfile: profile }: JsonObject, field: string): FieldError[] {
  if (!isJsonObject(profile)) return [];
  const { localhostProfile } = profile;
  const path = `${field}.seccompProfile`;
  const errors = typeErrors(profile, path, 'seccompProfile');
  if (profile.type !== 'Localhost')
    return localhostProfile === undefined
      ? errors
      : [
          ...errors,
          invalidValue(`${path}.localhostProfile`, internalForm('core.SeccompProfile', profile), ONLY_LOCAL('seccomp')),
        ];
  if (localhostProfile === undefined) return [...errors, required(`${path}.localhostProfile`, LOCAL('seccomp'))];
  return [...errors, ...relativePathErrors(stringAt(profile, 'localhostProfile'), `${path}.localhostProfile`)];
}

function typeErrors(profile: JsonObject, field: string, name: string): FieldError[] {
  const type = stringAt(profile, 'type');
  if (type === '') return [required(`${field}.type`, `type is required when ${name} is set`)];
  return TYPES.includes(type) ? [] : [notSupported(`${field}.type`, type, TYPES)];
}

export function validateAppArmorProfile({ appArmorProfile: profile }: JsonObject, field: string): FieldError[] {
  if (!isJsonObject(profile)) return [];
  const path = `${field}.appArmorProfile`;
  const type = stringAt(profile, 'type');
  if (type === 'Localhost') return localErrors(profile, `${path}.localhostProfile`);
  const { localhostProfile } = profile;
  if (TYPES.includes(type) && localhostProfile !== undefined)
    return [invalidValue(`${path}.localhostProfile`, localhostProfile, ONLY_LOCAL('AppArmor'))];
  return typeErrors(profile, path, 'appArmorProfile');
}

function localErrors(profile: JsonObject, field: string): FieldError[] {
  const name = stringAt(profile, 'localhostProfile');
  if (name === '') return [required(field, LOCAL('AppArmor'))];
  return [
    ...(name.trim() === name ? [] : [invalidValue(field, name, 'must not be padded with whitespace')]),
    ...(Buffer.byteLength(name) > MAX_PATH ? [tooLong(field, MAX_PATH)] : []),
  ];
}
