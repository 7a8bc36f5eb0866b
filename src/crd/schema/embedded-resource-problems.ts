import { invalidValue, required, type FieldError } from '../../api/field-error.js';
import { dns1035LabelErrors, labelValueErrors, pathSegmentErrors, qualifiedNameErrors } from '../../api/names.js';
import { isJsonObject, objectAt, type JsonObject } from '../../base/json-object.js';

/** Problems of a resource inside another: validateEmbeddedResource of apiextensions' schema/objectmeta. */
export function embeddedResourceProblems(resource: JsonObject, field: string): FieldError[] {
  const { apiVersion, kind, metadata } = resource;
  return [
    ...(apiVersion === undefined ? [required(`${field}.apiVersion`)] : []),
    ...(kind === undefined ? [required(`${field}.kind`)] : []),
    ...(apiVersion === undefined ? [] : apiVersionProblems(apiVersion, `${field}.apiVersion`)),
    ...(kind === undefined ? [] : kindProblems(kind, `${field}.kind`)),
    ...(metadata === undefined ? [] : metadataProblems(metadata, `${field}.metadata`)),
  ];
}

function apiVersionProblems(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'string') return [invalidValue(field, value, 'must be a string')];
  if (value === '') return [invalidValue(field, value, 'must not be empty')];
  return value.split('/').length > 2 ? [invalidValue(field, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function kindProblems(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'string') return [invalidValue(field, value, 'must be a string')];
  if (value === '') return [invalidValue(field, value, 'must not be empty')];
  const errors = dns1035LabelErrors(value.toLowerCase());
  return errors.length === 0
    ? []
    : [invalidValue(field, value, `may have mixed case, but should otherwise match: ${errors.join(',')}`)];
}

/** The members of metadata that are texts, and those that are maps of texts. */
const TEXTS = ['name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'selfLink'];
const MAPS = ['labels', 'annotations'];

function metadataProblems(metadata: unknown, field: string): FieldError[] {
  if (!isJsonObject(metadata)) return [invalidValue(field, metadata, 'must be an object')];
  const isText = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string';
  const isFine =
    TEXTS.every((key) => isText(metadata[key])) &&
    MAPS.every((key) => metadata[key] === undefined || isJsonObject(metadata[key])) &&
    MAPS.every((key) => Object.values(objectAt(metadata, key)).every(isText));
  if (!isFine) return [invalidValue(field, metadata, 'json: cannot unmarshal into Go struct field ObjectMeta')];
  const named = (key: string): FieldError[] =>
    typeof metadata[key] === 'string' && metadata[key] !== ''
      ? pathSegmentErrors(metadata[key]).map((error) => invalidValue(`${field}.${key}`, metadata[key], error))
      : [];
  return [...named('generateName'), ...named('name'), ...labelProblems(metadata, field)];
}

function labelProblems(metadata: JsonObject, field: string): FieldError[] {
  const keys = (member: string): FieldError[] =>
    Object.keys(objectAt(metadata, member)).flatMap((key) =>
      qualifiedNameErrors(member === 'annotations' ? key.toLowerCase() : key).map((error) =>
        invalidValue(`${field}.${member}`, key, error),
      ),
    );
  const values = Object.values(objectAt(metadata, 'labels')).flatMap((value) =>
    labelValueErrors(String(value)).map((error) => invalidValue(`${field}.labels`, value, error)),
  );
  return [...keys('labels'), ...values, ...keys('annotations')];
}
