import { ownMember } from '../../../../base/own-member.js';
import { invalidValue, notFoundField, required, type FieldError } from '../../../../api/protocol/field-error.js';
import { type JsonObject, eachObject, isJsonObject, objectAt, stringAt } from '../../../objects/api-object.js';
import {
  checkConfigKey,
  checkDnsLabel,
  checkDnsSubdomain,
  validateRequired,
  type Check,
} from '../../fields/field-checks.js';
import { validateResourceField, validateVariableField } from '../volumes/downward-api-validation.js';
import { podContainers } from './pod-containers.js';
import { backstepErrors } from '../volumes/relative-path-validation.js';

const NAME = "a valid environment variable name must consist only of printable ASCII characters other than '='";
/** The sources of a variable's value, in the order in which they are validated, with their checks. */
const REFERENCES: Readonly<Record<string, (reference: JsonObject, field: string) => FieldError[]>> = {
  fieldRef: validateVariableField,
  resourceFieldRef: (reference, field) => validateResourceField(reference, field, false),
  configMapKeyRef: keyErrors,
  secretKeyRef: keyErrors,
  fileKeyRef: fileErrors,
};
const NO_SOURCE =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';

const validateName: Check<string> = (field, name) =>
  /^[ -<>-~]+$/.test(name) ? [] : [invalidValue(field, name, NAME)];

/** Returns the errors of the environment variables of a container. */
export function validateEnv(variables: unknown, field: string): FieldError[] {
  return eachObject(variables).flatMap((variable, index) => [
    ...validateRequired(`${field}[${index}].name`, stringAt(variable, 'name'), validateName),
    ...sourceErrors(variable, `${field}[${index}].valueFrom`),
  ]);
}

function sourceErrors({ value, valueFrom }: JsonObject, field: string): FieldError[] {
  if (!isJsonObject(valueFrom)) return [];
  const present = Object.keys(REFERENCES).filter((source) => isJsonObject(valueFrom[source]));
  const errors = present.flatMap(
    (source) => ownMember(REFERENCES, source)?.(objectAt(valueFrom, source), `${field}.${source}`) ?? [],
  );
  if (present.length === 0) return [...errors, invalidValue(field, '', NO_SOURCE)];
  if (value) return [...errors, invalidValue(field, '', 'may not be specified when `value` is not empty')];
  if (present.length === 1) return errors;
  return [...errors, invalidValue(field, '', 'may not have more than one field specified at a time')];
}

function keyErrors(reference: JsonObject, field: string): FieldError[] {
  return [
    ...checkDnsSubdomain(`${field}.name`, stringAt(reference, 'name')),
    ...validateRequired(`${field}.key`, stringAt(reference, 'key'), checkConfigKey),
  ];
}

function fileErrors(reference: JsonObject, field: string): FieldError[] {
  const path = stringAt(reference, 'path');
  return [
    ...validateRequired(`${field}.key`, stringAt(reference, 'key'), validateName),
    ...validateRequired(`${field}.volumeName`, stringAt(reference, 'volumeName'), checkDnsLabel),
    ...validateRequired(`${field}.path`, path),
    ...backstepErrors(path, `${field}.path`),
  ];
}

/** Returns the errors of the ConfigMaps and Secrets in a container's envFrom. */
export function validateEnvFrom(sources: unknown, field: string): FieldError[] {
  return eachObject(sources).flatMap((source, index) => {
    const path = `${field}[${index}]`;
    const prefix = stringAt(source, 'prefix');
    const errors = prefix === '' ? [] : validateName(`${path}.prefix`, prefix);
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

/**
 * Returns the errors of variables from a file, which must be in a volume of the pod: core's validateFileKeyRefVolumes.
 */
export function validateEnvFiles(spec: JsonObject, field: string): FieldError[] {
  const volumes = new Map(eachObject(spec.volumes).map((volume) => [stringAt(volume, 'name'), volume]));
  return podContainers(spec, field).flatMap(({ container, field: own }) =>
    eachObject(container.env).flatMap(({ valueFrom }, index) => {
      const reference = isJsonObject(valueFrom) ? valueFrom.fileKeyRef : undefined;
      if (!isJsonObject(reference)) return [];
      const [path, name] = [`${own}.env[${index}].valueFrom.fileKeyRef.volumeName`, stringAt(reference, 'volumeName')];
      const volume = volumes.get(name);
      if (!volume) return [notFoundField(path, name)];
      return isJsonObject(volume.emptyDir)
        ? []
        : [invalidValue(path, name, 'referenced volume must be of type emptyDir')];
    }),
  );
}
