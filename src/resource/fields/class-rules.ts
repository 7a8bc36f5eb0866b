import { escapeName } from '../../api/schema/cel-name.js';
import type { DecoratorUse } from '../decorator-use.js';
import { CLASS_RULE, type ClassRule, type UnionOptions } from '../decorators/rules/class-rule.js';
import { SCHEMA, type SchemaOptions } from '../decorators/schema.js';
import type { Diagnostics } from '../diagnostics.js';
import { declaredMetadata, inheritedMetadata, lineage } from '../metadata.js';
import type { Problem } from '../model-error.js';
import { isSeenByCel } from './cel-visibility.js';
import type { FieldClass } from '../decorators/field-options.js';
import type { FieldModel, SchemaRules } from './value-model.js';
import { rulesOf } from './value-rules.js';

/** The `@Schema` options of a class, merged with those of its base classes. */
export function schemaOptions(target: FieldClass): SchemaOptions {
  return Object.assign({}, ...inheritedMetadata(SCHEMA, target)) as SchemaOptions;
}

/** Rules for the objects of a class as a whole. */
export function classRules(target: FieldClass, options: SchemaOptions): SchemaRules {
  const own = inheritedMetadata(CLASS_RULE, target).filter(({ property }) => property === undefined);
  const validations = own.flatMap(({ rules }) => rules);
  return {
    ...rulesOf({ ...options, validations }),
    ...(options.preserveUnknownFields === true && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}

/** The CEL rules of a property. */
export function propertyRules(target: FieldClass, name: string): ClassRule[] {
  return inheritedMetadata(CLASS_RULE, target).filter(({ property }) => property === name);
}

/** Adds diagnostics for rules and `@Schema` options that reference missing or unsuitable fields. */
export function collectClassRules(
  target: FieldClass,
  fields: readonly FieldModel[],
  { required, properties = {} }: SchemaOptions,
  diagnostics: Diagnostics,
): void {
  for (const { name } of fields.filter((field) => Object.hasOwn(properties, field.name)))
    diagnostics.add(
      { target, member: name },
      'is declared both with @Field and in @Schema({ properties })',
      'remove one',
    );
  for (const rule of inheritedMetadata(CLASS_RULE, target)) collectRule(target, rule, fields, diagnostics);
  if (!required) return;
  for (const { name, isRequired } of fields) {
    if (isRequired && !required.includes(name))
      diagnostics.add({ target, member: name }, 'is required but missing from @Schema({ required })', 'optional: true');
    if (!isRequired && required.includes(name))
      diagnostics.add({ target, member: name }, 'is optional but listed in @Schema({ required })', 'optional: false');
  }
}

function collectRule(
  target: FieldClass,
  rule: ClassRule,
  fields: readonly FieldModel[],
  diagnostics: Diagnostics,
): void {
  const { decorator, property, union } = rule;
  const location = { target, decorator: ruleDecorator(target, rule) };
  if (property !== undefined && !fields.some(({ name }) => name === property))
    diagnostics.add({ target, member: property }, `has ${decorator} but not @Field`, `@Field() ${property}`);
  for (const [problem, hint] of [...fieldProblems(rule, fields), ...(union ? unionProblems(union, fields) : [])])
    diagnostics.add(location, `${decorator} ${problem}`, hint);
}

/** Problems with the fields that a rule names. */
function* fieldProblems(
  { decorator, fields: named, optionalFields = [] }: ClassRule,
  fields: readonly FieldModel[],
): Generator<Problem> {
  if (named?.length === 0) yield ['names no field', `${decorator}('disk', 'bucket')`];
  for (const name of named ?? []) {
    const field = fields.find((other) => other.name === name);
    const problem = namedProblem(name, field, optionalFields.includes(name));
    if (problem) yield problem;
  }
}

/** The decorator that left a rule on the class or one of its base classes. */
function ruleDecorator(target: FieldClass, rule: ClassRule): DecoratorUse | undefined {
  for (const ancestor of lineage(target)) {
    const alike = declaredMetadata(CLASS_RULE, ancestor).filter(
      ({ decorator, property }) => decorator === rule.decorator && property === rule.property,
    );
    const index = alike.indexOf(rule);
    if (index >= 0) return { target: ancestor, name: rule.decorator.slice(1), index };
  }
  return undefined;
}

/** The decorator that left the rule of that index in the class's schema. */
export function classRuleDecorator(target: FieldClass, index: number): DecoratorUse | undefined {
  const own = inheritedMetadata(CLASS_RULE, target).filter(({ property }) => property === undefined);
  const rule = own.flatMap((entry) => entry.rules.map(() => entry))[index];
  return rule && ruleDecorator(target, rule);
}

function namedProblem(name: string, field: FieldModel | undefined, isToBeOptional: boolean): Problem | undefined {
  if (escapeName(name) === undefined)
    return [`references "${name}", which is not a valid CEL identifier`, 'rename the field'];
  if (!field) return [`references unknown field "${name}"`, `@Field() ${name}`];
  if (!isSeenByCel(field.value))
    return [`references field "${name}" of any type, which CEL rules cannot access`, `@Field({ type: … }) ${name}`];
  return field.isRequired && isToBeOptional
    ? [`requires field "${name}" to be optional`, `@Field({ optional: true }) ${name}`]
    : undefined;
}

/** Validates that a union has a discriminator value for each member and a field for each value. */
function* unionProblems({ discriminator, members }: UnionOptions, fields: readonly FieldModel[]): Generator<Problem> {
  const names = Object.values(members);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    yield [`references field "${repeated}" for several members`, 'use a field for each member'];
  const field = fields.find(({ name }) => name === discriminator);
  if (!field || field.value.schema) return;
  const values = field.value.rules.enum;
  const all = new Set([...(values ?? []), ...Object.keys(members)]);
  const hint = `@Field({ enum: [${[...all].map((value) => `'${String(value)}'`).join(', ')}] }) ${discriminator}`;
  if (!values) yield [`requires ${discriminator} to be an enum`, hint];
  for (const member of Object.keys(members))
    if (values && !values.includes(member))
      yield [`has member "${member}", which is not a value of ${discriminator}`, hint];
}
