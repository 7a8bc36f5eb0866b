import type { JsonSchema } from '../../api/json-schema.js';

/** A value, by how it is written down. */
export type Value =
  /** Its schema, word for word. */
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

/** A class to be written: that of a kind, or of objects within one. */
export interface ClassPlan {
  readonly name: string;
  /** The objects it describes; what belongs to the places where it is used aside. */
  readonly schema: JsonSchema;
  readonly fields: readonly FieldPlan[];
  /** Where it comes from, when it is not to be written. */
  readonly isImported: boolean;
  /** Applies to each use of the class that has no description of its own. */
  description: string | undefined;
}
