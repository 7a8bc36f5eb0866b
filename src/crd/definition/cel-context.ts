import { forbiddenField, type FieldError } from '../../api/protocol/field-error.js';
import { declTypeOf, type DeclType } from '../cel/check/decl-type.js';
import { escapeName } from '../../api/schema/cel-name.js';
import { valuesOf, type SchemaProps } from '../schema-props.js';

/** Maximum total cost of all rules of a schema. */
const SCHEMA_LIMIT = 100_000_000;
const MOST_EXPENSIVE = 4;
const MAX_COUNT = 2 ** 64;

/** The total cost of the rules of a schema: TotalCost of validation/cel_validation.go. */
class TotalCost {
  private total = 0;
  private expensive: { readonly field: string; readonly cost: number }[] = [];

  add(field: string, cost: number): void {
    this.total = Math.min(MAX_COUNT, this.total + cost);
    if (cost < SCHEMA_LIMIT / 100) return;
    this.expensive.push({ field, cost });
    this.expensive = this.expensive.sort((a, b) => b.cost - a.cost).slice(0, MOST_EXPENSIVE);
  }

  problems(field: string): FieldError[] {
    if (this.total <= SCHEMA_LIMIT) return [];
    const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.expensive.map((one) => forbiddenField(one.field, detail)),
      forbiddenField(field, costText(name, this.total, SCHEMA_LIMIT)),
    ];
  }
}

/** Formats by how much a cost exceeds its limit. */
export function costText(name: string, cost: number, limit: number): string {
  const times = cost / limit;
  const factor = times > 100 ? 'more than 100x' : times < 1.5 ? `${times.toFixed(6)}x` : `${times.toFixed(1)}x`;
  return `${name} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** The type of the value that rules validate, or the reason why it has none. */
export type RuleType = { readonly type: DeclType } | { readonly problem: string };

const NO_TYPE: RuleType = { problem: 'failed to convert to declType for CEL validation rules' };
const NOT_EXPOSED: RuleType = {
  problem:
    'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
};

/** The context in which rules at a schema path are compiled: CELSchemaContext of validation/cel_validation.go. */
export class CelContext {
  private known: RuleType | undefined;

  private constructor(
    private readonly schema: SchemaProps,
    private readonly isResource: boolean,
    /** Maximum number of occurrences of the value; undefined when unlimited. */
    private readonly cardinality: number | undefined,
    readonly totalCost: TotalCost,
    /** The type as declared by the nearest ancestor with rules. */
    private readonly inherited: () => RuleType | undefined,
    private readonly isInScope: boolean,
  ) {}

  static root(schema: SchemaProps): CelContext {
    return new CelContext(schema, true, 1, new TotalCost(), () => undefined, hasRules(schema));
  }

  property(name: string, schema: SchemaProps): CelContext {
    const field = escapeName(name);
    return this.child(schema, ({ fields }) => {
      const type = field === undefined ? undefined : fields?.get(field);
      return type && { type };
    });
  }

  /** Returns the context of items or additional properties. */
  element(schema: SchemaProps): CelContext {
    return this.child(schema, ({ element }) => (element ? { type: element } : NO_TYPE));
  }

  ruleType(): RuleType {
    return (this.known ??= this.inherited() ?? this.ownType());
  }

  /**
   * Returns the maximum cost of a rule per object, from the cost of one evaluation and the cardinality in the largest
   * request.
   */
  costOf(cost: number, cardinality: number): number {
    return Math.min(MAX_COUNT, cost * (this.cardinality ?? cardinality));
  }

  private ownType(): RuleType {
    const type = declTypeOf(this.schema, this.isResource);
    return type ? { type } : NOT_EXPOSED;
  }

  private child(schema: SchemaProps, accessor: (type: DeclType) => RuleType | undefined): CelContext {
    const most = maxElements(this.schema);
    const cardinality = this.cardinality === undefined || most === undefined ? undefined : this.cardinality * most;
    const inherited = (): RuleType | undefined => {
      if (!this.isInScope) return undefined;
      const above = this.ruleType();
      return 'type' in above ? accessor(above.type) : above;
    };
    const isResource = schema['x-kubernetes-embedded-resource'] === true;
    const isInScope = this.isInScope || hasRules(schema);
    return new CelContext(schema, isResource, cardinality, this.totalCost, inherited, isInScope);
  }
}

function hasRules(schema: SchemaProps): boolean {
  return (schema['x-kubernetes-validations'] ?? []).length > 0;
}

/** Maximum number of values that a schema allows below one value; undefined when unlimited. */
function maxElements(schema: SchemaProps): number | undefined {
  const { type, additionalProperties, maxProperties, maxItems } = schema;
  if (type === 'array') return maxItems === undefined ? undefined : Math.max(0, maxItems);
  const isMap = type === 'object' && (valuesOf(schema) !== undefined || additionalProperties !== undefined);
  if (!isMap) return 1;
  return maxProperties === undefined ? undefined : Math.max(0, maxProperties);
}
