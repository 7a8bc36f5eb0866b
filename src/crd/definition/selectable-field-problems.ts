import { duplicate, invalidValue, required, tooMany, type FieldError } from '../../api/protocol/field-error.js';
import { eachObject, stringAt } from '../../base/json-object.js';
import { resolveFieldPath } from '../schema/field-path.js';
import type { SchemaProps } from '../schema-props.js';

const MAX_FIELDS = 8;
const TYPES = ['string', 'boolean', 'integer'];

/** Returns the errors of a version's selectable fields: ValidateCustomResourceSelectableFields. */
export function selectableFieldProblems(
  fields: unknown,
  schema: SchemaProps | undefined,
  path: string,
  withoutSchema: string,
): FieldError[] {
  const wanted = eachObject(fields);
  if (wanted.length === 0) return [];
  if (schema === undefined) return [invalidValue(path, '', withoutSchema)];
  const seen = new Set<string>();
  const errors = wanted.flatMap((field, index) =>
    fieldProblems(stringAt(field, 'jsonPath'), schema, `${path}[${index}].jsonPath`, seen),
  );
  return seen.size > MAX_FIELDS ? [...errors, tooMany(path, seen.size, MAX_FIELDS)] : errors;
}

function fieldProblems(jsonPath: string, schema: SchemaProps, field: string, seen: Set<string>): FieldError[] {
  if (jsonPath === '') return [required(field)];
  const found = resolveFieldPath(jsonPath, schema, { allowsKeys: false });
  if (found.error !== undefined) return [invalidValue(field, jsonPath, `is an invalid path: ${found.error}`)];
  const errors: FieldError[] = [];
  if (found.segments[0] === 'metadata')
    errors.push(invalidValue(field, jsonPath, 'must not point to fields in metadata'));
  if (!TYPES.includes(found.schema.type ?? ''))
    errors.push(
      invalidValue(
        field,
        jsonPath,
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      ),
    );
  if (seen.has(found.path)) errors.push(duplicate(field, jsonPath));
  seen.add(found.path);
  return errors;
}
