import { invalidValue, required, type FieldError } from '../../api/protocol/field-error.js';
import { isJsonObject, objectAt, stringAt, type JsonObject } from '../../base/json-object.js';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Returns the errors of a printer column: ValidateCustomResourceColumnDefinition. */
export function columnProblems(column: JsonObject, path: string): FieldError[] {
  const [name, type, format, jsonPath] = ['name', 'type', 'format', 'jsonPath'].map((key) => stringAt(column, key)) as [
    string,
    string,
    string,
    string,
  ];
  const errors = name === '' ? [required(`${path}.name`)] : [];
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (type === '') errors.push(required(`${path}.type`, types));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalidValue(`${path}.type`, type, types));
  if (format !== '' && !COLUMN_FORMATS.includes(format))
    errors.push(invalidValue(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
  if (jsonPath === '') errors.push(required(`${path}.JSONPath`));
  else errors.push(...simplePathProblems(jsonPath, `${path}.JSONPath`));
  return errors;
}

/** Returns the errors of the scale subresource: ValidateCustomResourceDefinitionSubresources. */
export function subresourceProblems(subresources: unknown, path: string): FieldError[] {
  if (!isJsonObject(subresources) || !isJsonObject(subresources.scale)) return [];
  const scale = objectAt(subresources, 'scale');
  const field = (key: string): string => `${path}.scale.${key}`;
  const validatePath = (key: string, roots: readonly string[], where: string): FieldError[] => {
    const value = stringAt(scale, key);
    const errors = simplePathProblems(value, field(key));
    if (errors.length > 0 || roots.some((root) => value.startsWith(`.${root}.`))) return errors;
    return [invalidValue(field(key), value, `should be a json path under ${where}`)];
  };
  const validateRequiredPath = (key: string, root: string): FieldError[] =>
    stringAt(scale, key) === '' ? [required(field(key))] : validatePath(key, [root], `.${root}`);
  return [
    ...validateRequiredPath('specReplicasPath', 'spec'),
    ...validateRequiredPath('statusReplicasPath', 'status'),
    ...(stringAt(scale, 'labelSelectorPath') === ''
      ? []
      : validatePath('labelSelectorPath', ['spec', 'status'], 'either .spec or .status')),
  ];
}

function simplePathProblems(value: string, field: string): FieldError[] {
  return value.startsWith('.') ? [] : [invalidValue(field, value, 'must be a simple json path starting with .')];
}

/** Returns the errors of a deprecation warning: validateDeprecationWarning. */
export function deprecationProblems(version: JsonObject, path: string): FieldError[] {
  const { deprecationWarning: warning } = version;
  if (typeof warning !== 'string') return [];
  const error = (detail: string): FieldError => invalidValue(`${path}.deprecationWarning`, warning, detail);
  if (version.deprecated !== true) return [error('can only be set for deprecated versions')];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(warning) > 256) errors.push(error('must be <= 256 characters long'));
  if (warning === '') errors.push(error('must not be an empty string'));
  const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (unprintable) {
    const index = Buffer.byteLength(warning.slice(0, unprintable.index));
    errors.push(error(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`));
  }
  return errors;
}
