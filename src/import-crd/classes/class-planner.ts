import type { JsonSchema } from '../../api/schema/json-schema.js';
import type { BuiltInClasses } from './built-in-classes.js';
import type { ClassPlan, FieldPlan, Value } from '../class-plan.js';
import { docComment } from '../source/doc-comment.js';
import type { ImportedName } from '../source/import-source.js';
import { hasPlainKeys, isClassLike, isExpressible } from '../values/expressible.js';
import { pascalCase, singular, type TypeNames } from '../source/type-names.js';

/** The base of a class name. */
interface NameHint {
  readonly property: string;
  /** The class that contains the value. */
  readonly owner: string;
  /** True for items and map values. */
  readonly isMember: boolean;
}

/** Determines the classes for the objects of a kind: one class per structure. */
export class ClassPlanner {
  private readonly byStructure = new Map<string, ClassPlan>();
  private readonly descriptions = new Map<ClassPlan, (string | undefined)[]>();
  private readonly written: ClassPlan[] = [];
  private readonly definitions: ImportedName[] = [];

  constructor(
    private readonly names: TypeNames,
    private readonly builtIns: BuiltInClasses,
  ) {}

  /** The classes, each after those that it uses. */
  get classes(): readonly ClassPlan[] {
    return this.written;
  }

  /** The imported Kubernetes types. */
  get usedDefinitions(): readonly ImportedName[] {
    return this.definitions;
  }

  fields(schema: JsonSchema, owner: string): FieldPlan[] {
    const { properties = {}, required = [] } = schema;
    return Object.entries(properties).map(([name, property]) => ({
      name,
      isRequired: required.includes(name),
      value: this.value(property, { property: name, owner, isMember: false }),
    }));
  }

  /** Gives each generated class the first description of its uses, if all of them have one. */
  describe(): void {
    for (const [plan, descriptions] of this.descriptions) {
      const [first] = descriptions;
      const isRepresentable = first !== undefined && docComment(first, 0) !== undefined;
      if (!plan.isImported && isRepresentable && !descriptions.includes(undefined)) plan.description = first;
    }
  }

  private value(schema: JsonSchema, hint: NameHint): Value {
    if (isClassLike(schema)) return { of: 'class', schema, target: this.use(schema, hint) };
    if (!isExpressible(schema) || !hasPlainKeys(schema)) return { of: 'exact', schema };
    const { items, additionalProperties: values } = schema;
    const member = { ...hint, isMember: true };
    if (items) return this.ofMembers(schema, { of: 'list', schema, items: this.value(items, member) });
    if (typeof values === 'object')
      return this.ofMembers(schema, { of: 'map', schema, values: this.value(values, member) });
    return { of: 'plain', schema };
  }

  /** CEL rules can use a list or map only if the types of its members are declared. */
  private ofMembers(schema: JsonSchema, value: Value & { of: 'list' | 'map' }): Value {
    const member = value.of === 'list' ? value.items : value.values;
    const isSeen = member.schema.type !== undefined || member.schema['x-kubernetes-int-or-string'] === true;
    return isSeen || schema['x-kubernetes-validations'] === undefined ? value : { of: 'exact', schema };
  }

  private use(schema: JsonSchema, hint: NameHint): ClassPlan {
    const key = this.builtIns.keyOf(schema);
    const isDescribed = schema.description !== undefined;
    const present = this.byStructure.get(key) ?? (isDescribed ? this.imported(key) : undefined);
    const plan = present && (!present.isImported || isDescribed) ? present : this.add(key, schema, hint);
    // the description is on the property
    if (hint.isMember || !isDescribed)
      this.descriptions.set(plan, [...(this.descriptions.get(plan) ?? []), schema.description]);
    return plan;
  }

  /** Returns an exported class. Its own description does not apply to uses without one. */
  private imported(key: string): ClassPlan | undefined {
    const builtIn = this.builtIns.get(key);
    if (!builtIn) return undefined;
    const { name, schema, from, options } = builtIn;
    const as = from ? this.names.take(name, `Kubernetes${name}`) : name;
    if (from) this.definitions.push({ name, as, from });
    const plan = { name: as, schema, fields: [], isImported: true, options, description: schema.description };
    this.byStructure.set(key, plan);
    return plan;
  }

  private add(key: string, schema: JsonSchema, { property, owner, isMember }: NameHint): ClassPlan {
    const own = pascalCase(isMember ? singular(property) : property);
    const inOwner = owner + own.replace(/^_/, '');
    const name = this.names.take(...(OF_KIND.has(property) ? [] : [own]), inOwner);
    const fields = this.fields(schema, name);
    const plan = { name, schema, fields, isImported: false, description: undefined };
    this.byStructure.set(key, plan);
    this.written.push(plan);
    return plan;
  }
}

/** Classes named after the kind, by convention. */
const OF_KIND = new Set(['spec', 'status']);
