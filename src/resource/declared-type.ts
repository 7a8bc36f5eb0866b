/** Facts about the declared type of a property that decorator metadata does not contain; read from the source. */
export interface DeclaredType {
  /** Declared with a question mark. */
  readonly isOptional?: true;
  readonly isNullable?: true;
  readonly isTuple?: true;
  /** The values of a union of literals. */
  readonly literals?: readonly (string | number)[];
  /** The enum that is the type. */
  readonly enumName?: string;
  /** The primitive type in a union with null or undefined. */
  readonly primitive?: 'string' | 'number' | 'boolean';
  /** The option of `@Field` that states the type, for hints: `items: EnvVar`. */
  readonly option?: string;
  /** The type, or type of its items or values, that does not exist at run time. */
  readonly erased?: { readonly name: string; readonly by: 'interface' | 'type import' | 'object type' };
  /** True for a list of `Condition` of kindwright. */
  readonly isConditions?: true;
  /** The type of the initializer, of a property without declared type; `unknown` where it is not obvious. */
  readonly inferred?: string;
}
