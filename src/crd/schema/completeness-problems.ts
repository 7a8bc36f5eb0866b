import { required, type FieldError } from '../../api/protocol/field-error.js';
import { itemsOf, propertiesOf, type SchemaProps } from '../schema-props.js';

/**
 * Returns errors for fields that nested schemas mention and the structure does not declare:
 * validateStructuralCompleteness.
 */
export function completenessProblems(schema: SchemaProps, field: string): FieldError[] {
  return junctors(schema, field).flatMap(([one, path]) => missing(one, schema, field, path));
}

function junctors(schema: SchemaProps, path: string): [SchemaProps, string][] {
  const list = (key: 'allOf' | 'anyOf' | 'oneOf'): [SchemaProps, string][] =>
    (schema[key] ?? []).map((one, index) => [one, `${path}.${key}[${index}]`]);
  return [
    ...(schema.not ? [[schema.not, `${path}.not`] as [SchemaProps, string]] : []),
    ...list('allOf'),
    ...list('anyOf'),
    ...list('oneOf'),
  ];
}

function missing(
  nested: SchemaProps,
  structure: SchemaProps | undefined,
  structurePath: string,
  path: string,
): FieldError[] {
  if (!structure) return [required(structurePath, `because it is defined in ${path}`)];
  const items = itemsOf(nested);
  const { properties = {} } = structure;
  return [
    ...junctors(nested, path).flatMap(([one, below]) => missing(one, structure, structurePath, below)),
    ...(items ? missing(items, itemsOf(structure), `${structurePath}.items`, `${path}.items`) : []),
    ...propertiesOf(nested).flatMap(([name, one]) =>
      missing(
        one,
        Object.hasOwn(properties, name) ? properties[name] : undefined,
        `${structurePath}.properties[${name}]`,
        `${path}.properties[${name}]`,
      ),
    ),
  ];
}
