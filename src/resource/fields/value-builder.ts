import { visibilityProblems } from './cel-visibility.js';
import { embeddedProblems } from './embedded-problems.js';
import { violation } from './conformity.js';
import { decoratorName, effectOf, type ConstraintEffect } from './constraint-effect.js';
import type { Constraint } from './constraints.js';
import { enumValues } from './enum-values.js';
import type { FieldClass, TypeName, ValueOptions } from '../decorators/field-options.js';
import { conditionProblems } from './condition-problems.js';
import { listProblems } from './list-problems.js';
import { checkOptions } from './check-options.js';
import { mergedSchemaRules, ruleProblems, rulesOf } from './value-rules.js';
import type { DeclaredType } from '../declared-type.js';
import type { DesignType } from '../metadata.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import type { Problem } from '../model-error.js';
import { describeType, type ClassModel, type SchemaRules, type ValueModel } from './value-model.js';
import { isFieldClass, valueShape, type ValueShape } from './value-shape.js';

/** The facts that a value's model is built from. */
export interface ValueSource {
  readonly location: Location & { readonly member: string };
  readonly options: ValueOptions;
  readonly design: DesignType | undefined;
  readonly constraints: readonly Constraint[];
  /** Facts from the property's declaration. */
  readonly declared?: DeclaredType;
  /** Used when the options have none. */
  readonly description?: string | undefined;
}

/** Builds the models of values and adds diagnostics for their errors. */
export class ValueBuilder {
  constructor(
    private readonly diagnostics: Diagnostics,
    /** Returns undefined where the class would contain itself; `mayEnd` allows its fields to be left out there. */
    private readonly classModel: (target: FieldClass, location: Location, mayEnd: boolean) => ClassModel | undefined,
  ) {}

  build(given: ValueSource): ValueModel {
    const { options, problems } = checkOptions(given.options);
    const source = { ...given, options };
    const { design, location } = source;
    for (const [problem, hint] of problems) this.diagnostics.add(location, problem, hint);
    const constraints = source.constraints.filter(({ isOnEach }) => !isOnEach);
    const allowed = allowedValues(options, constraints);
    const shape = valueShape({
      options,
      design,
      numberIs: numberType(constraints),
      allowed,
      declared: source.declared ?? {},
      member: location.member,
    });
    if (shape.of === 'unknown') this.diagnostics.add(location, shape.problem, shape.hint);
    if (options.embeddedObjectMeta !== undefined && shape.of !== 'definition')
      this.diagnostics.add(location, 'embeddedObjectMeta requires a Kubernetes type', 'remove embeddedObjectMeta');
    const rules = this.rules(source, this.effects(constraints, location, shape), shape);
    const model = this.shaped(shape, source, rules);
    if (shape.of === 'schema') this.collectExact(source);
    else if (shape.of !== 'unknown' && !this.diagnostics.areAccepted) this.collectProblems(model, source);
    return model;
  }

  private effects(constraints: readonly Constraint[], location: Location, shape: ValueShape): Effects {
    const effects: [Constraint, ConstraintEffect][] = [];
    for (const constraint of constraints) {
      const effect = effectOf(constraint);
      const name = decoratorName(constraint);
      if (effect.instead !== undefined)
        this.diagnostics.add(
          location,
          `${name} has no OpenAPI schema equivalent`,
          `${effect.instead}${OR_AT_RUN_TIME}`,
        );
      else if (shape.of === 'schema')
        this.diagnostics.add(location, `${name} cannot be combined with the schema option`, `remove ${name}()`);
      else if (appliesTo(shape, effect)) effects.push([constraint, effect]);
      else {
        const hint = effect.isDate ? `declare it as Date, or remove ${name}()` : `remove ${name}()`;
        this.diagnostics.add(location, `${name} does not apply to ${describeType(typeOf(shape))}`, hint);
      }
    }
    return effects;
  }

  private rules({ options, location }: ValueSource, effects: Effects, shape: ValueShape): SchemaRules {
    const validations = effects.flatMap(([, { validation }]) => validation ?? []);
    const all = { ...options, validations: [...(options.validations ?? []), ...validations] };
    const rules: Record<string, unknown> = { ...shapeRules(shape, options), ...rulesOf(all) };
    for (const [constraint, effect] of effects) {
      const added = { ...effect.rules, ...(shape.of === 'string' && effect.stringRules) };
      for (const [keyword, value] of Object.entries(added)) {
        if (rules[keyword] !== undefined && rules[keyword] !== value)
          this.diagnostics.add(
            location,
            `${keyword} has two values`,
            `remove ${decoratorName(constraint)} or the other decorator or option`,
          );
        rules[keyword] = value;
      }
    }
    return rules;
  }

  private shaped(shape: ValueShape, source: ValueSource, rules: SchemaRules): ValueModel {
    const { maxDescriptionLength, description = source.description } = source.options;
    const isOf = { class: undefined, items: undefined, values: undefined };
    const model: ValueModel = {
      ...{ type: typeOf(shape), description, rules, ...isOf },
      ...(maxDescriptionLength !== undefined && { maxDescriptionLength }),
    };
    const each = source.constraints.filter(({ isOnEach }) => isOnEach);
    switch (shape.of) {
      case 'list':
        return { ...model, items: this.member(shape.items, source.location, '[]', each) };
      case 'map':
        return { ...model, values: shape.values === true || this.member(shape.values, source.location, '{}', each) };
      case 'class':
        return this.ofClass(model, shape.target, source);
      case 'definition':
        this.collectNoItems(shape, source.location, each);
        return ofDefinition(model, shape.model);
      default:
        this.collectNoItems(shape, source.location, each);
        return {
          ...model,
          ...(shape.of === 'schema' && { schema: shape.schema }),
          ...(shape.of === 'date' && IS_DATE),
        };
    }
  }

  private collectNoItems(shape: ValueShape, location: Location, each: readonly Constraint[]): void {
    for (const name of shape.of === 'unknown' ? [] : each.map(decoratorName))
      this.diagnostics.add(location, `${name}({ each: true }) requires an array`, `remove each from ${name}`);
  }

  private ofClass(model: ValueModel, target: FieldClass, { location, options }: ValueSource): ValueModel {
    const classModel = this.classModel(target, location, options.preserveUnknownFields === true);
    if (!classModel) return model;
    return { ...model, class: classModel, rules: mergedSchemaRules(classModel.rules, model.rules) };
  }

  private member(
    spec: TypeName | ValueOptions,
    { target, member }: ValueSource['location'],
    suffix: string,
    constraints: readonly Constraint[],
  ): ValueModel {
    const options: ValueOptions = typeof spec !== 'object' || isFieldClass(spec) ? { type: spec } : spec;
    return this.build({
      location: { target, member: member + suffix },
      options,
      design: undefined,
      constraints: constraints.map((constraint) => ({ ...constraint, isOnEach: false })),
    });
  }

  private collectExact({ options, location }: ValueSource): void {
    const beside = Object.entries({ ...options, schema: undefined, optional: undefined })
      .filter(([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0))
      .map(([name]) => name);
    if (beside.length > 0)
      this.diagnostics.add(location, `schema cannot be combined with ${beside.join(', ')}`, 'move them into schema');
  }

  private collectProblems(model: ValueModel, { options, location }: ValueSource): void {
    const problems = [
      ...ruleProblems(model.type, model.rules),
      ...listProblems(model),
      ...enumProblems(model),
      ...flagProblems(options.pattern),
      ...visibilityProblems(model),
      ...embeddedProblems(model),
      ...conditionProblems(model.rules),
    ];
    for (const [problem, hint] of problems) this.diagnostics.add(location, problem, hint);
    if (problems.length > 0) return;
    for (const keyword of ['default', 'example'] as const) {
      const problem = options[keyword] === undefined ? undefined : violation(options[keyword], model);
      if (problem !== undefined)
        this.diagnostics.add(
          location,
          `${keyword}${/^[.[]/.test(problem) ? '' : ' '}${problem}`,
          `${keyword}: a value that the schema allows`,
        );
    }
  }
}

const IS_DATE = { isDate: true };

/** The model of a value with a Kubernetes definition as its type; its own description takes precedence. */
function ofDefinition(model: ValueModel, { description, class: classModel, items, values }: ValueModel): ValueModel {
  return { ...model, description: model.description ?? description, class: classModel, items, values };
}
const OR_AT_RUN_TIME = ', or @RuntimeOnly() to check it in the operator';

type Effects = readonly (readonly [Constraint, ConstraintEffect])[];

function numberType(constraints: readonly Constraint[]): 'integer' | 'number' | undefined {
  if (constraints.some(({ name }) => name === 'isInt')) return 'integer';
  return constraints.some(({ name }) => name === 'isNumber') ? 'number' : undefined;
}

/** The values that options or constraints limit a value to. */
function allowedValues(
  { enum: values }: ValueOptions,
  constraints: readonly Constraint[],
): readonly unknown[] | undefined {
  if (values !== undefined) return enumValues(values);
  return constraints.map((constraint) => effectOf(constraint).rules?.enum).find((found) => found !== undefined);
}

/** Maps shapes to JSON types where the two differ. */
const TYPES: Readonly<Partial<Record<ValueShape['of'], ValueModel['type']>>> = {
  list: 'array',
  map: 'object',
  class: 'object',
  duration: 'string',
  date: 'string',
};
const UNTYPED: readonly ValueShape['of'][] = ['intOrString', 'quantity', 'any', 'unknown'];

function typeOf(shape: ValueShape): ValueModel['type'] {
  if (shape.of === 'schema') return shape.schema.type;
  if (shape.of === 'definition') return shape.model.type;
  if (UNTYPED.includes(shape.of)) return undefined;
  return TYPES[shape.of] ?? (shape.of as ValueModel['type']);
}

/** resource.Quantity, as controller-gen writes it. */
const QUANTITY =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

const PRESERVED = { 'x-kubernetes-preserve-unknown-fields': true };

function shapeRules(shape: ValueShape, options: ValueOptions): SchemaRules {
  switch (shape.of) {
    case 'intOrString':
    case 'quantity':
      return {
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        ...(shape.of === 'quantity' && { pattern: QUANTITY }),
        'x-kubernetes-int-or-string': true,
      };
    case 'date':
      return { format: 'date-time' };
    case 'definition':
      return { ...shape.model.rules, ...(options.preserveUnknownFields && PRESERVED) };
    default: {
      const isAnyObject = options.embeddedResource === true && shape.of === 'object';
      return options.preserveUnknownFields || isAnyObject ? PRESERVED : {};
    }
  }
}

function isIntOrString(shape: ValueShape): boolean {
  if (shape.of === 'definition') return shape.model.rules['x-kubernetes-int-or-string'] === true;
  return shape.of === 'intOrString' || shape.of === 'quantity';
}

/** Returns true if a constraint applies to a value; in CEL, an integer or string has no type that a rule can expect. */
function appliesTo(shape: ValueShape, { isDate, type, validation }: ConstraintEffect): boolean {
  if (isDate) return shape.of === 'date';
  return takes(shape, type) && !(validation && isIntOrString(shape));
}

/** Returns true if a constraint for a type applies to a value; every constraint applies to a value of any type. */
function takes(shape: ValueShape, wanted: ValueModel['type']): boolean {
  if (wanted === undefined || shape.of === 'any' || shape.of === 'unknown') return true;
  const type = typeOf(shape);
  if (isIntOrString(shape)) return wanted !== 'boolean' && wanted !== 'array';
  return type === wanted || (wanted === 'number' && type === 'integer');
}

function flagProblems(pattern: ValueOptions['pattern']): Problem[] {
  const flags = typeof pattern === 'object' ? pattern.flags.replaceAll(/[gu]/g, '') : '';
  return flags === ''
    ? []
    : [
        [
          `pattern has flag ${flags}, and the API server supports no flags`,
          `pattern: ${String(pattern).replace(/\w*$/, '')}`,
        ],
      ];
}

/** Validates the values of an enum. */
function enumProblems(model: ValueModel): Problem[] {
  const { enum: values, ...rules } = model.rules;
  if (!values) return [];
  if (values.length === 0) return [['enum has no values', `enum: ['a', 'b']`]];
  if (new Set(values).size < values.length) return [['enum has duplicate values', 'remove one']];
  const problems = values.map((value) => violation(value, { ...model, rules }));
  return problems
    .filter((problem) => problem !== undefined)
    .map((problem) => [`enum value ${problem}`, `use values of ${describeType(model.type)}`]);
}
