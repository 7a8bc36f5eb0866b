import { forbiddenField, type FieldError } from '../../../api/protocol/field-error.js';
import { objectAt, type JsonObject } from '../../objects/api-object.js';
import { validateAnnotations, validateLabels } from './object-meta.js';

const ALLOWED = ['annotations', 'labels', 'creationTimestamp'];

/**
 * Returns the errors of template metadata, which has only labels and annotations: core's ValidateTemplateObjectMeta.
 */
export function templateMetadataErrors(metadata: JsonObject, field: string): FieldError[] {
  return [
    ...validateAnnotations(objectAt(metadata, 'annotations') as Record<string, string>, `${field}.annotations`),
    ...validateLabels(objectAt(metadata, 'labels') as Record<string, string>, `${field}.labels`),
    ...Object.keys(metadata)
      .filter((name) => !ALLOWED.includes(name))
      .map((name) => forbiddenField(`${field}.${name}`, 'cannot be set')),
  ];
}
