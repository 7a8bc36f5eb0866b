import type { JsonSchema } from '../../api/json-schema.js';
import type { BuiltInClasses } from './built-in-classes.js';
import type { ClassPlan, FieldPlan, Value } from './class-plan.js';
import { docComment } from '../source/doc-comment.js';
import type { ImportedName } from '../source/import-source.js';
import { hasPlainKeys, isClassLike, isExpressible } from '../values/expressible.js';
import { pascalCase, singular, type TypeNames } from '../source/type-names.js';

/** What a value may be called by. */
interface NameHint {
  readonly property: string;
  /** The class that it is in. */
  readonly owner: string;
  /** Whether it is one of many. */
  readonly isMember: boolean;
}

/** Finds the classes that describe the objects of a kind: one for all places of the same structure. */
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

  /** What is used of Kubernetes' own types. */
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

  /** Gives each class the description that most needs to be said in only one place. */
  describe(): void {
    for (const [plan, descriptions] of this.descriptions) {
      const [first] = descriptions;
      const isSayable = first !== undefined && docComment(first, 0) !== undefined;
      if (!plan.isImported && isSayable && !descriptions.includes(undefined)) plan.description = first;
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

  /** Rules in CEL see a list or map only where they see what it holds. */
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
    // the property has the description
    if (hint.isMember || !isDescribed)
      this.descriptions.set(plan, [...(this.descriptions.get(plan) ?? []), schema.description]);
    return plan;
  }

  /** A class that need not be written. What it says of itself is no description of a place that says nothing. */
  private imported(key: string): ClassPlan | undefined {
    const builtIn = this.builtIns.get(key);
    if (!builtIn) return undefined;
    const { name, schema, from } = builtIn;
    const isDefinition = from === 'kindwright/definitions';
    const as = isDefinition ? this.names.take(name, `Kubernetes${name}`) : name;
    if (isDefinition) this.definitions.push({ name, as });
    const plan = { name: as, schema, fields: [], isImported: true, description: schema.description };
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

/** Called after the kind, as everyone does. */
const OF_KIND = new Set(['spec', 'status']);
