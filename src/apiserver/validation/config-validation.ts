import { deepEqual } from '../../base/deep-equal.js';
import { ownMember } from '../../base/own-member.js';
import { forbiddenField, invalidValue, required, tooLong, type FieldError } from '../../api/protocol/field-error.js';
import { objectAt, type ApiObject } from '../objects/api-object.js';
import { validateImmutable } from './fields/field-checks.js';
import { configKeyErrors } from '../../api/objects/names.js';

const MAX_BYTES = 1024 * 1024;

/** Returns the errors of a ConfigMap. */
export function validateConfigMap(object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const [data, binary] = [objectAt(object, 'data'), objectAt(object, 'binaryData')];
  let size = 0;
  for (const key of Object.keys(data).sort()) {
    for (const message of configKeyErrors(key)) errors.push(invalidValue(`data[${key}]`, key, message));
    if (Object.hasOwn(binary, key))
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    size += Buffer.byteLength(String(data[key]));
  }
  for (const key of Object.keys(binary).sort()) {
    for (const message of configKeyErrors(key)) errors.push(invalidValue(`binaryData[${key}]`, key, message));
    size += base64Size(binary[key]);
  }
  if (size > MAX_BYTES) errors.push(tooLong('[]', MAX_BYTES));
  return errors;
}

/** Returns the errors of an update of a ConfigMap, with the rules for immutable ones. */
export function validateConfigMapChange(next: ApiObject, old: ApiObject): FieldError[] {
  return immutableErrors(withData(next), withData(old), ['data', 'binaryData']);
}

/** Returns the errors of a Secret. */
export function validateSecret(object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const data = objectAt(object, 'data');
  let size = 0;
  for (const key of Object.keys(data).sort()) {
    for (const message of configKeyErrors(key)) errors.push(invalidValue(`data[${key}]`, key, message));
    size += base64Size(data[key]);
  }
  if (size > MAX_BYTES) errors.push(tooLong('data', MAX_BYTES));
  errors.push(...secretTypeErrors(object));
  return errors;
}

/** Returns the errors of an update of a Secret; its type is immutable. */
export function validateSecretChange(next: ApiObject, old: ApiObject): FieldError[] {
  return [...validateImmutable('type', next.type, old.type), ...immutableErrors(next, old, ['data'])];
}

const REQUIRED_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

function secretTypeErrors(object: ApiObject): FieldError[] {
  const data = objectAt(object, 'data');
  const missing = (ownMember(REQUIRED_KEYS, String(object.type)) ?? []).filter((key) => !Object.hasOwn(data, key));
  const errors = missing.map((key) => required(`data[${key}]`));
  // One of these two keys is enough.
  if (
    object.type === 'kubernetes.io/basic-auth' &&
    !Object.hasOwn(data, 'username') &&
    !Object.hasOwn(data, 'password')
  )
    errors.push(required('data[username]'), required('data[password]'));
  const annotation = 'kubernetes.io/service-account.name';
  if (object.type === 'kubernetes.io/service-account-token' && !object.metadata.annotations?.[annotation]) {
    errors.push(required(`metadata.annotations[${annotation}]`));
  }
  return errors;
}

/** A ConfigMap has empty data by default. */
const withData = (object: ApiObject): ApiObject => ({ ...object, data: object.data ?? {} });

function immutableErrors(object: ApiObject, old: ApiObject, fields: readonly string[]): FieldError[] {
  if (old.immutable !== true) return [];
  const errors =
    object.immutable === true ? [] : [forbiddenField('immutable', 'field is immutable when `immutable` is set')];
  const changed = fields.filter((field) => !deepEqual(object[field], old[field]));
  return [...errors, ...changed.map((field) => forbiddenField(field, 'field is immutable when `immutable` is set'))];
}

function base64Size(text: unknown): number {
  return typeof text === 'string' ? Buffer.byteLength(text, 'base64') : 0;
}
