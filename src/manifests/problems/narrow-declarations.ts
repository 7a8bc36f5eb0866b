import type { ClassModel, FieldModel } from '../../resource/fields/value-model.js';
import { located } from '../../resource/location.js';
import { designType } from '../../resource/metadata.js';
import type { ResourceModel } from '../../resource/model.js';
import { classesOf } from './classes-of.js';

type Warning = (field: FieldModel) => string | undefined;

/**
 * Warnings about properties whose declared type does not contain all values that the schema allows: null, and integers
 * that a number cannot represent. Only the operator writes the status, so integers in it are as small as it makes them.
 */
export function narrowDeclarations({ definesKind, classModel }: ResourceModel): string[] {
  if (!definesKind) return [];
  const written = { ...classModel, fields: classModel.fields.filter(({ name }) => name !== 'status') };
  return [...warnings(classModel, withoutNull), ...warnings(written, withoutBigint)];
}

function warnings(root: ClassModel, warningOf: Warning): string[] {
  return [...classesOf(root)].flatMap(({ target, fields }) =>
    fields.flatMap((field) => {
      // The compiler records a union, such as string | null or number | bigint, as Object.
      const type = designType(target.prototype as object, field.name)?.type;
      const warning = type === undefined || type === Object ? undefined : warningOf(field);
      return warning === undefined ? [] : [located({ target, member: field.name }, warning)];
    }),
  );
}

function withoutNull({ value: { rules } }: FieldModel): string | undefined {
  if (rules.nullable !== true || rules.enum) return undefined;
  return 'can be null, which its declared type does not contain; add | null, or remove nullable';
}

function withoutBigint({ value: { type, rules } }: FieldModel): string | undefined {
  const { format, minimum = -Infinity, maximum = Infinity } = rules;
  if (type !== 'integer' || format !== 'int64') return undefined;
  if (minimum >= Number.MIN_SAFE_INTEGER && maximum <= Number.MAX_SAFE_INTEGER) return undefined;
  return (
    'can be an integer beyond 2^53, which is a bigint; ' +
    `@Field({ type: 'integer', format: 'int64' }) with type number | bigint, or minimum and maximum within 2^53`
  );
}
