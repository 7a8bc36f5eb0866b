import type { JsonSchema } from '../../api/schema/json-schema.js';
import type { ClassPlan, FieldPlan, Value } from '../class-plan.js';
import type { Options } from '../values/value-options.js';

/** Returns a column as options of `@PrintColumn`. */
export function columnOptions(column: { readonly jsonPath: string }, fields: readonly FieldPlan[]): Options {
  const { name, type, jsonPath, ...rest } = column as Options & { jsonPath: string };
  return { name, type, jsonPath, ...rest, ...(!leadsToField(jsonPath, fields) && { anyPath: true }) };
}

const SCALE = { specReplicasPath: 'integer', statusReplicasPath: 'integer', labelSelectorPath: 'string' } as const;

/** Returns the scale subresource as options of `@Scale`. */
export function scaleOptions(scale: object, fields: readonly FieldPlan[]): Options {
  const paths = scale as Options;
  const isUsual = Object.entries(SCALE).every(([option, type]) => {
    const path = paths[option];
    return typeof path !== 'string' || (leadsToField(path, fields) && (typeAt(path, fields) ?? type) === type);
  });
  return { ...paths, ...(!isUsual && { anyPath: true }) };
}

/** Returns whether the steps of a path up to the first filter or index are fields, as far as the fields are known. */
function leadsToField(jsonPath: string, fields: readonly FieldPlan[]): boolean {
  if (/^\.(?:apiVersion|kind|metadata)\b/.test(jsonPath)) return true;
  return /^\.[A-Za-z]/.test(jsonPath) && follow(jsonPath, fields) !== 'nowhere';
}

/** Returns the type of the field at a path; undefined where any type is possible. */
function typeAt(jsonPath: string, fields: readonly FieldPlan[]): JsonSchema['type'] {
  const end = follow(jsonPath, fields);
  return typeof end === 'object' ? end.schema.type : undefined;
}

function follow(jsonPath: string, root: readonly FieldPlan[]): Value | 'nowhere' | 'beyond' {
  const [plain = ''] = jsonPath.slice(1).split('[', 1);
  let fields: readonly FieldPlan[] | undefined = root;
  let value: Value | undefined;
  for (const step of plain.split(/(?<!\\)\./).filter(Boolean)) {
    if (!fields) return 'beyond';
    const name = step.replaceAll(String.raw`\.`, '.');
    value = fields.find((field) => field.name === name)?.value;
    if (!value) return 'nowhere';
    fields = value.of === 'class' ? fieldsOf(value) : undefined;
  }
  return value ?? 'beyond';
}

function fieldsOf({ target, schema }: Value & { readonly of: 'class' }): readonly FieldPlan[] {
  return target.isImported ? schemaFields(schema, target) : target.fields;
}

/** Returns the fields of an imported class, as far as a path needs them. */
function schemaFields({ properties = {} }: JsonSchema, target: ClassPlan): FieldPlan[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: false,
    value: schema.properties ? { of: 'class', schema, target } : { of: 'plain', schema },
  }));
}
