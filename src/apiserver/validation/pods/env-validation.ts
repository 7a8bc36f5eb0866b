import { invalidValue, required, type FieldError } from '../../../api/field-error.js';
import { isJsonObject, objectAt, stringAt, type JsonObject } from '../../object.js';
import { eachObject } from '../../builtin/set-default.js';
import { checkConfigKey, checkDnsSubdomain, checkRequired, type Check } from '../fields/field-checks.js';

const NAME = "a valid environment variable name must consist only of printable ASCII characters other than '='";
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const NO_SOURCE =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';

const checkName: Check<string> = (field, name) => (/^[ -<>-~]+$/.test(name) ? [] : [invalidValue(field, name, NAME)]);

/** Problems of the variables of a container. */
export function validateEnv(variables: unknown, field: string): FieldError[] {
  return eachObject(variables).flatMap((variable, index) => [
    ...checkRequired(`${field}[${index}].name`, stringAt(variable, 'name'), checkName),
    ...sourceErrors(variable, `${field}[${index}].valueFrom`),
  ]);
}

function sourceErrors({ value, valueFrom }: JsonObject, field: string): FieldError[] {
  if (!isJsonObject(valueFrom)) return [];
  const present = SOURCES.filter((source) => isJsonObject(valueFrom[source]));
  const errors = ['configMapKeyRef', 'secretKeyRef']
    .filter((source) => present.includes(source))
    .flatMap((source) => keyErrors(objectAt(valueFrom, source), `${field}.${source}`));
  if (present.length === 0) return [...errors, invalidValue(field, '', NO_SOURCE)];
  if (value) return [...errors, invalidValue(field, '', 'may not be specified when `value` is not empty')];
  if (present.length === 1) return errors;
  return [...errors, invalidValue(field, '', 'may not have more than one field specified at a time')];
}

function keyErrors(reference: JsonObject, field: string): FieldError[] {
  return [
    ...checkDnsSubdomain(`${field}.name`, stringAt(reference, 'name')),
    ...checkRequired(`${field}.key`, stringAt(reference, 'key'), checkConfigKey),
  ];
}

/** Problems of the ConfigMaps and Secrets a container takes its variables from. */
export function validateEnvFrom(sources: unknown, field: string): FieldError[] {
  return eachObject(sources).flatMap((source, index) => {
    const path = `${field}[${index}]`;
    const prefix = stringAt(source, 'prefix');
    const errors = prefix === '' ? [] : checkName(`${path}.prefix`, prefix);
    const present = ['configMapRef', 'secretRef'].filter((name) => isJsonObject(source[name]));
    for (const name of present) errors.push(...nameErrors(objectAt(source, name), `${path}.${name}.name`));
    if (present.length === 1) return errors;
    const detail =
      present.length === 0
        ? 'must specify one of: `configMapRef` or `secretRef`'
        : 'may not have more than one field specified at a time';
    return [...errors, invalidValue(field, '', detail)];
  });
}

function nameErrors(reference: JsonObject, field: string): FieldError[] {
  const name = stringAt(reference, 'name');
  return name === '' ? [required(field)] : checkDnsSubdomain(field, name);
}
