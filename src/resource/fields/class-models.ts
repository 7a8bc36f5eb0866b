import { definitionName, shortName } from '../../api/kinds/definition.js';
import type { ValidationRule } from '../../api/schema/json-schema.js';
import { collectClassRules, classRules, propertyRules, schemaOptions } from './class-rules.js';
import { effectOf } from './constraint-effect.js';
import { constraintsOf, type Constraint } from './constraints.js';
import { FIELD, type FieldEntry } from '../decorators/field.js';
import { Condition } from '../definitions/condition.js';
import { RUNTIME_ONLY } from '../decorators/runtime-only.js';
import { declarationProblems } from './declaration-problems.js';
import type { DeclaredType } from '../declared-type.js';
import { declaredType, describeClass, describeProperty } from '../doc-comments.js';
import type { FieldClass, ValueOptions } from '../decorators/field-options.js';
import type { FeatureGate } from '../feature-gates.js';
import { designType, inheritedMetadata, isDisabledField, lineage, ownMetadata, type DesignType } from '../metadata.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import { collectOptionNames } from '../options/unknown-options.js';
import { commonFieldModel, isCommonField, omissibleRootFields } from './common-fields.js';
import { ValueBuilder } from './value-builder.js';
import type { ClassModel, FieldModel } from './value-model.js';

/** Deeper than real APIs, and far below the limit of the API server. */
const MAX_DEPTH = 50;

/** Longer than real names, and short enough for error messages. */
const MAX_NAME = 253;

const NONE: ReadonlySet<string> = new Set();

/** The declaration of a field in the last class along the prototype chain that has it. */
interface Declaration {
  readonly declaring: FieldClass;
  readonly entry: FieldEntry;
  readonly constraints: readonly Constraint[];
}

/** Builds the models of classes with `@Field` properties, each class once. */
export class ClassModels {
  private readonly built = new Map<FieldClass, ClassModel>();
  private readonly path: FieldClass[] = [];
  private readonly values: ValueBuilder;
  /** Number of times that a class was cut off where it would contain itself. */
  private cuts = 0;

  constructor(private readonly diagnostics: Diagnostics) {
    this.values = new ValueBuilder(diagnostics, (target, location, mayEnd) => this.nested(target, location, mayEnd));
  }

  /** The model of a kind's class. */
  root(target: FieldClass): ClassModel {
    return this.build(target, true);
  }

  private nested(target: FieldClass, location: Location, mayEnd: boolean): ClassModel | undefined {
    const cycle = this.path.indexOf(target);
    if (cycle >= 0) {
      this.cuts++;
      if (mayEnd) return undefined;
      const names = [...this.path.slice(cycle), target].map(({ name }) => name);
      this.diagnostics.add(
        location,
        `is recursive: ${names.join(' → ')}`,
        `@Field({ …, preserveUnknownFields: true }) where the fields may be left out of the schema`,
      );
      return undefined;
    }
    if (this.path.length >= MAX_DEPTH) {
      this.diagnostics.add(location, `is nested more than ${MAX_DEPTH} classes deep`, 'reduce the nesting');
      return undefined;
    }
    const present = this.built.get(target);
    if (present) return present;
    const cutsBefore = this.cuts;
    const model = this.build(target, false);
    // A model that was cut applies to this place only.
    if (this.cuts === cutsBefore) this.built.set(target, model);
    if (model.fields.length === 0)
      this.diagnostics.add(
        location,
        `has class ${target.name} as type, which has no @Field properties`,
        'add @Field() to its properties',
      );
    return model;
  }

  private build(target: FieldClass, isRoot: boolean): ClassModel {
    this.path.push(target);
    this.collectBase(target);
    if (!isRoot) collectOptionNames(target, this.diagnostics);
    const declarations = this.declarations(target);
    const omissible = isRoot ? omissibleRootFields(target) : NONE;
    const fields = declarations.map((declaration) => this.field(target, declaration, isRoot, omissible));
    this.path.pop();
    const options = schemaOptions(target);
    collectClassRules(target, fields, options, this.diagnostics);
    return Object.freeze({
      target,
      className: target.name,
      description: describeClass(target),
      rules: classRules(target, options),
      required: options.required,
      maxDescriptionLength: options.maxDescriptionLength,
      fields,
      undeclared: options.properties,
    });
  }

  private collectBase(target: FieldClass): void {
    const name = lineage(target)
      .map(definitionName)
      .find((found) => found !== undefined);
    if (name === undefined) return;
    const problem = `extends ${shortName(name)}, a Kubernetes definition, whose fields cannot be inherited`;
    this.diagnostics.add({ target }, problem, `use it as the type of a field: @Field({ type: ${shortName(name)} })`);
  }

  private declarations(target: FieldClass): Declaration[] {
    const found = new Map<string, Declaration>();
    for (const ancestor of lineage(target) as FieldClass[]) {
      for (const entry of ownMetadata(FIELD, ancestor)) {
        if (found.get(entry.property)?.declaring === ancestor)
          this.diagnostics.add({ target, member: entry.property }, 'has @Field twice', 'remove one');
        const { constraints = [] } = found.get(entry.property) ?? {};
        found.set(entry.property, { declaring: ancestor, entry, constraints });
      }
      const own = constraintsOf(ancestor);
      for (const [property, declaration] of found)
        found.set(property, { ...declaration, constraints: withoutRepeated(declaration.constraints, property, own) });
      for (const constraint of own) this.addConstraint(found, constraint, ancestor);
    }
    return [...found.values()];
  }

  private addConstraint(found: Map<string, Declaration>, constraint: Constraint, ancestor: FieldClass): void {
    const { property } = constraint;
    const declaration = found.get(property);
    if (declaration) {
      found.set(property, { ...declaration, constraints: [...declaration.constraints, constraint] });
      return;
    }
    if (isDisabledField(ancestor, property)) return;
    const problem = 'has class-validator rules but not @Field, so the API server would drop it';
    this.diagnostics.add({ target: ancestor, member: property }, problem, `@Field() ${property}`);
  }

  private field(
    target: FieldClass,
    declaration: Declaration,
    isRoot: boolean,
    omissible: ReadonlySet<string>,
  ): FieldModel {
    const { declaring } = declaration;
    const { property: name, options } = declaration.entry;
    const location = { target, member: name };
    this.collectName(location);
    const constraints = this.schemaConstraints(target, location, declaration.constraints);
    const { validations: own = [] } = options;
    const rules = propertyRules(target, name).flatMap((rule) => rule.rules);
    const validations = Array.isArray(own) ? [...(own as readonly ValidationRule[]), ...rules] : own;
    const declared = declaredType(declaring, name);
    const built = this.values.build({
      location,
      options: { ...impliedOptions(declared, options), ...options, validations },
      design: noted(designType(declaring.prototype as object, name), declared),
      constraints,
      declared,
      description: descriptionOf(declaration),
    });
    const isCommon = isRoot && isCommonField(name);
    const value = isCommon ? commonFieldModel(location, declaration.entry, built, this.diagnostics) : built;
    for (const [problem, hint] of declarationProblems(declared, value, options, name))
      this.diagnostics.add(location, problem, hint);
    const isOmissible = omissible.has(name) || options.default !== undefined || declared.isOptional === true;
    const isOptional = options.optional ?? statedOptional(constraints) ?? isOmissible;
    this.collectGate(location, options.gate, isOptional);
    const isRuntimeOnly = constraints.length < declaration.constraints.length;
    return Object.freeze({ name, isRequired: !isOptional, isRuntimeOnly, value });
  }

  /** Adds a diagnostic for a required field that objects of one state of its feature gate do not have. */
  private collectGate(location: Location, gate: FeatureGate | undefined, isOptional: boolean): void {
    if (!gate || isOptional || gate.stage === 'ga') return;
    const problem = `is required, but behind the feature gate ${gate.name}, without which objects do not have it`;
    this.diagnostics.add(location, problem, 'optional: true, until the feature is ga');
  }

  /** The constraints of a property without those that are checked at run time. */
  private schemaConstraints(
    target: FieldClass,
    location: Location & { readonly member: string },
    constraints: readonly Constraint[],
  ): readonly Constraint[] {
    if (!inheritedMetadata(RUNTIME_ONLY, target).includes(location.member)) return constraints;
    const kept = constraints.filter((constraint) => effectOf(constraint).instead === undefined);
    if (kept.length === constraints.length)
      this.diagnostics.add(
        location,
        '@RuntimeOnly: all rules have an OpenAPI schema equivalent',
        'remove @RuntimeOnly()',
      );
    return kept;
  }

  private collectName(location: Location & { readonly member: string }): void {
    const { member } = location;
    if (member === '__proto__' || member === 'constructor')
      this.diagnostics.add(location, 'has a reserved name', 'use the schema option for the containing object');
    else if (member.length > MAX_NAME || /^$|\p{C}/u.test(member))
      this.diagnostics.add(
        location,
        `must have a name of 1 to ${MAX_NAME} printable characters`,
        'rename the property',
      );
  }
}

/** The options of a list of conditions with a complete declaration; stated options determine any other list. */
function impliedOptions({ isConditions }: DeclaredType, { items, type, schema, listType }: ValueOptions): ValueOptions {
  if (!isConditions || items !== undefined || type !== undefined || schema !== undefined) return {};
  return { items: Condition, ...(listType === undefined && { listType: 'map', listMapKeys: ['type'] }) };
}

const PRIMITIVES = { string: String, number: Number, boolean: Boolean };

/** The type of a property; of a union with null or undefined compilers note only that it is one. */
function noted(design: DesignType | undefined, { primitive }: DeclaredType): DesignType | undefined {
  return primitive !== undefined && design?.type === Object ? { type: PRIMITIVES[primitive] } : design;
}

/** The constraints of base classes that a class does not redeclare, as in class-validator. */
function withoutRepeated(
  inherited: readonly Constraint[],
  property: string,
  own: readonly Constraint[],
): readonly Constraint[] {
  return inherited.filter(({ name }) => !own.some((other) => other.property === property && other.name === name));
}

/** Returns whether constraints make a field optional or required; undefined if they do neither. */
function statedOptional(constraints: readonly Constraint[]): boolean | undefined {
  const names = constraints.filter(({ isOnEach }) => !isOnEach).map(({ name }) => name);
  if (names.includes('isOptional')) return true;
  return names.some((name) => name === 'isDefined' || name === 'isNotEmpty') ? false : undefined;
}

function descriptionOf({ declaring, entry }: Declaration): string | undefined {
  return entry.description ?? describeProperty(declaring, entry.property);
}
