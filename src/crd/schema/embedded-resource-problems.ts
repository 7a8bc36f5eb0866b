import { invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { labelValueErrors, pathSegmentErrors, qualifiedNameErrors } from '../../api/objects/names.js';
import { isJsonObject, objectAt, type JsonObject } from '../../base/json-object.js';
import { embeddedTypeProblems } from './embedded-type-problems.js';

/** Returns the errors of an embedded resource: validateEmbeddedResource of apiextensions' schema/objectmeta. */
export function embeddedResourceProblems(resource: JsonObject, field: string): FieldError[] {
  const { metadata } = resource;
  return [
    ...embeddedTypeProblems(resource, field),
    ...(metadata === undefined ? [] : metadataProblems(metadata, `${field}.metadata`)),
  ];
}

/** The string fields of metadata; MAPS are its string maps. */
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
