import type { JsonSchema } from '../../api/schema/json-schema.js';
import { deepEqual } from '../../base/deep-equal.js';
import { classDescription, decoratorSource, propertySource } from '../source/decorator-source.js';
import { docComment } from '../source/doc-comment.js';
import { isIdentifier, LINE_WIDTH, stringText } from '../source/literal.js';
import { SITE_KEYWORDS } from '../values/expressible.js';
import { fieldOptions, keywordOptions, type Options, typedProperties } from '../values/value-options.js';
import { typeText, valueType, type ValueType } from '../values/value-type.js';
import type { ClassPlan, FieldPlan, Value } from '../class-plan.js';

/** Returns the source of a nested class. */
export function classSource(plan: ClassPlan): string {
  const { name, schema, fields, description } = plan;
  const decorators = classDecorators(schema, fields, SITE_KEYWORDS);
  const members = fields.map((field) => fieldSource(field, { isOptionalByDefault: false }));
  return `${classDescription(description)}${decorators.join('')}export class ${name} {\n${members.join('\n')}}\n`;
}

/** Returns the decorators of a class, each with a line end. */
export function classDecorators(
  schema: JsonSchema,
  fields: readonly FieldPlan[],
  omitted: readonly string[] = [],
  undeclared: JsonSchema['properties'] = {},
): string[] {
  const options = {
    ...keywordOptions(schema, [...EXPRESSED_ELSEWHERE, ...omitted]),
    ...requiredOption(schema, fields),
    ...(Object.keys(undeclared).length > 0 && { properties: typedProperties(undeclared) }),
  };
  const decorators = [
    ...(Object.keys(options).length > 0 ? [decoratorSource('Schema', [options], 0)] : []),
    ...(schema['x-kubernetes-validations'] ?? []).map((rule) => decoratorSource('XValidation', [rule], 0)),
  ];
  return decorators.map((decorator) => `${decorator}\n`);
}

/** Keywords expressed by fields and separate decorators. */
const EXPRESSED_ELSEWHERE = ['type', 'properties', 'required', 'x-kubernetes-validations'];

/** Returns the source of a field. */
export function fieldSource(field: FieldPlan, options: FieldSourceOptions): string {
  const { value } = field;
  const { type = valueType(value), isInherited = false } = options;
  const doc = value.of === 'exact' ? '' : (docComment(value.schema.description ?? '', 2) ?? '');
  const { validations = [], ...rest } = fieldOptions(value, options.type === undefined);
  const argument = { ...rest, ...optionalOption(field, options) };
  const args = [...(doc === '' ? describedBy(value) : []), ...(Object.keys(argument).length > 0 ? [argument] : [])];
  const decorators = [
    decoratorSource('Field', args, 2),
    ...(validations as unknown[]).map((rule) => decoratorSource('XValidation', [rule], 2)),
  ];
  const declaration = isInherited ? `override ${field.name}!:` : `${propertyName(field)}:`;
  return doc + propertySource(decorators, `${declaration}${typeSource(type, 2 + declaration.length)};`, 2);
}

export interface FieldSourceOptions {
  readonly isOptionalByDefault: boolean;
  /** Default: derived from the schema. */
  readonly type?: ValueType;
  /** True when the base class declares the property. */
  readonly isInherited?: boolean;
}

function describedBy({ of, schema: { description } }: Value): string[] {
  return description === undefined || of === 'exact' ? [] : [description];
}

/** Returns `optional` only if it differs from the default of the class. */
function optionalOption({ isRequired, value }: FieldPlan, { isOptionalByDefault }: FieldSourceOptions): Options {
  const isByDefault = isOptionalByDefault || (value.of !== 'exact' && value.schema.default !== undefined);
  return isByDefault === isRequired ? { optional: !isRequired } : {};
}

function propertyName({ name, isRequired }: FieldPlan): string {
  return `${isIdentifier(name) ? name : stringText(name)}${isRequired ? '!' : '?'}`;
}

/** Returns `required` only if it differs from what the fields imply. */
function requiredOption({ required = [] }: JsonSchema, fields: readonly FieldPlan[]): Options {
  const names = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return deepEqual(names.sort(), required) ? {} : { required };
}

/** Returns the type of a property, with the line breaks of prettier. */
function typeSource(type: ValueType, column: number): string {
  const { alternatives, suffix } = type;
  const flat = typeText(type);
  // preceded by a space, followed by a semicolon
  if (column + flat.length + 2 <= LINE_WIDTH || alternatives.length < 2) return ` ${flat}`;
  const margin = '\n    ';
  const line = `${margin}${alternatives.join(' | ')}`;
  const union = line.length <= LINE_WIDTH ? line : alternatives.map((text) => `${margin}| ${text}`).join('');
  return suffix === '' ? union : ` (${union}\n  )${suffix}`;
}
