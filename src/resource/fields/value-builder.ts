import { nonconformity } from './conformity.js';
import { decoratorName, effectOf, type ConstraintEffect } from './constraint-effect.js';
import type { Constraint } from './constraints.js';
import type { FieldClass, TypeName, ValueOptions } from './field-options.js';
import { listProblems } from './list-problems.js';
import type { DesignType } from '../metadata.js';
import type { Mistakes } from '../mistakes.js';
import type { Place, Problem } from '../model-error.js';
import { withArticle, type ClassModel, type SchemaRules, type ValueModel } from './value-model.js';
import { ruleProblems, rulesOf } from './value-rules.js';
import { shapeOf, type ValueShape } from './value-shape.js';

/** All that is known of a value. */
export interface ValueSource {
  readonly place: Place & { readonly member: string };
  readonly options: ValueOptions;
  readonly design: DesignType | undefined;
  readonly constraints: readonly Constraint[];
  /** Used when the options have none. */
  readonly description?: string | undefined;
}

/** Builds the models of values; what is wrong with them is added to the mistakes. */
export class ValueBuilder {
  constructor(
    private readonly mistakes: Mistakes,
    private readonly classModel: (target: FieldClass, place: Place) => ClassModel | undefined,
  ) {}

  build(source: ValueSource): ValueModel {
    const { options, design, place } = source;
    const constraints = source.constraints.filter(({ isOnEach }) => !isOnEach);
    const shape = shapeOf({ options, design, numberIs: numberType(constraints), member: place.member });
    if (shape.of === 'unknown') this.mistakes.add(place, shape.problem, shape.hint);
    const rules = this.rules(source, this.effects(constraints, place, shape), shape);
    const model = this.shaped(shape, source, rules);
    if (shape.of !== 'unknown') this.check(model, source);
    return model;
  }

  private effects(constraints: readonly Constraint[], place: Place, shape: ValueShape): Effects {
    const effects: [Constraint, ConstraintEffect][] = [];
    for (const constraint of constraints) {
      const effect = effectOf(constraint);
      const name = decoratorName(constraint);
      if (effect.instead !== undefined) this.mistakes.add(place, `${name} cannot be said in a schema`, effect.instead);
      else if (takes(shape, effect.type)) effects.push([constraint, effect]);
      else this.mistakes.add(place, `${name} says nothing of ${withArticle(typeOf(shape))}`, `remove ${name}()`);
    }
    return effects;
  }

  private rules({ options, place }: ValueSource, effects: Effects, shape: ValueShape): SchemaRules {
    const rules: Record<string, unknown> = { ...rulesOf(options), ...shapeRules(shape, options) };
    for (const [constraint, effect] of effects) {
      const added = { ...effect.rules, ...(shape.of === 'string' && effect.stringRules) };
      for (const [keyword, value] of Object.entries(added)) {
        if (rules[keyword] !== undefined && rules[keyword] !== value)
          this.mistakes.add(place, `${keyword} is given twice`, `remove ${decoratorName(constraint)} or the other`);
        rules[keyword] = value;
      }
    }
    return rules;
  }

  private shaped(shape: ValueShape, source: ValueSource, rules: SchemaRules): ValueModel {
    const description = source.options.description ?? source.description;
    const model = { type: typeOf(shape), description, rules, class: undefined, items: undefined, values: undefined };
    const each = source.constraints.filter(({ isOnEach }) => isOnEach);
    switch (shape.of) {
      case 'list':
        return { ...model, items: this.member(shape.items, source.place, '[]', each) };
      case 'map':
        return { ...model, values: this.member(shape.values, source.place, '{}', each) };
      case 'class':
        return { ...model, class: this.classModel(shape.target, source.place) };
      default:
        for (const name of shape.of === 'unknown' ? [] : each.map(decoratorName))
          this.mistakes.add(source.place, `${name} is for each item of what is no list`, `${name}() without each`);
        return model;
    }
  }

  private member(
    spec: TypeName | ValueOptions,
    { className, member }: ValueSource['place'],
    suffix: string,
    constraints: readonly Constraint[],
  ): ValueModel {
    const options: ValueOptions = typeof spec === 'object' ? spec : { type: spec };
    return this.build({
      place: { className, member: member + suffix },
      options,
      design: undefined,
      constraints: constraints.map((constraint) => ({ ...constraint, isOnEach: false })),
    });
  }

  private check(model: ValueModel, { options, place }: ValueSource): void {
    const problems = [...ruleProblems(model.type, model.rules), ...listProblems(model), ...enumProblems(model)];
    for (const [problem, hint] of problems) this.mistakes.add(place, problem, hint);
    if (problems.length > 0) return;
    for (const keyword of ['default', 'example'] as const) {
      const problem = options[keyword] === undefined ? undefined : nonconformity(options[keyword], model);
      if (problem !== undefined)
        this.mistakes.add(place, `its ${keyword} ${problem}`, `${keyword}: a value that the schema allows`);
    }
  }
}

type Effects = readonly (readonly [Constraint, ConstraintEffect])[];

function numberType(constraints: readonly Constraint[]): 'integer' | 'number' | undefined {
  if (constraints.some(({ name }) => name === 'isInt')) return 'integer';
  return constraints.some(({ name }) => name === 'isNumber') ? 'number' : undefined;
}

function typeOf(shape: ValueShape): ValueModel['type'] {
  switch (shape.of) {
    case 'list':
      return 'array';
    case 'map':
    case 'class':
      return 'object';
    case 'intOrString':
    case 'any':
    case 'unknown':
      return undefined;
    default:
      return shape.of;
  }
}

function shapeRules(shape: ValueShape, options: ValueOptions): SchemaRules {
  if (shape.of === 'intOrString')
    return { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
  return options.preserveUnknownFields ? { 'x-kubernetes-preserve-unknown-fields': true } : {};
}

/** Whether a constraint for a type says something of a value; of one that may be anything, any does. */
function takes(shape: ValueShape, wanted: ValueModel['type']): boolean {
  if (wanted === undefined || shape.of === 'any' || shape.of === 'unknown') return true;
  const type = typeOf(shape);
  return type === wanted || (wanted === 'number' && type === 'integer');
}

/** What is wrong with the values of an enum. */
function enumProblems(model: ValueModel): Problem[] {
  const { enum: values, ...rules } = model.rules;
  if (!values) return [];
  if (values.length === 0) return [['its enum has no values', `enum: ['a', 'b']`]];
  if (new Set(values).size < values.length) return [['its enum has a value twice', 'remove one']];
  const problems = values.map((value) => nonconformity(value, { ...model, rules }));
  return problems
    .filter((problem) => problem !== undefined)
    .map((problem) => [`a value of its enum ${problem}`, `values that are each ${withArticle(model.type)}`]);
}
