import type { JsonSchema } from '../api/schema/json-schema.js';

/** A value, by the way it is written in source. */
export type Value =
  /** Its schema, printed verbatim. */
  | { readonly of: 'exact'; readonly schema: JsonSchema }
  | { readonly of: 'plain'; readonly schema: JsonSchema }
  | { readonly of: 'class'; readonly schema: JsonSchema; readonly target: ClassPlan }
  | { readonly of: 'list'; readonly schema: JsonSchema; readonly items: Value }
  | { readonly of: 'map'; readonly schema: JsonSchema; readonly values: Value };

export interface FieldPlan {
  readonly name: string;
  readonly isRequired: boolean;
  readonly value: Value;
}

/** A class to generate: that of a kind or of nested objects. */
export interface ClassPlan {
  readonly name: string;
  /** The schema of the objects, without the keywords of each use. */
  readonly schema: JsonSchema;
  readonly fields: readonly FieldPlan[];
  /** True when the class is imported instead of generated. */
  readonly isImported: boolean;
  /** The options of fields of an imported class that give it this schema. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Applies to each use of the class without its own description. */
  description: string | undefined;
}
