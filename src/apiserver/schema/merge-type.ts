/**
 * The merge behavior of a type's values: the parts of a schema that server-side apply and strategic merge patch need.
 */
export type MergeType =
  /** Any scalar if `of` is undefined. */
  | { readonly type: 'scalar'; readonly of?: 'numeric' | 'string' | 'boolean' }
  /** No schema: maps merge by key unless they are atomic, lists are atomic. */
  | { readonly type: 'untyped'; readonly isWhole?: true }
  | MergeList
  | MergeMap;

export interface MergeList {
  readonly type: 'list';
  readonly listType: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
  readonly item: MergeType;
  /** The list's strategy in strategic merge patches. */
  readonly patchStrategy: string;
  readonly mergeKey: string;
}

/** A struct (`fields`), a map (`values`), or both. */
export interface MergeMap {
  readonly type: 'map';
  readonly atomic: boolean;
  /** The Go name of a struct. */
  readonly structName?: string;
  /** Returns the type of a member; undefined if the schema does not contain it. */
  field(name: string): MergeType | undefined;
  /** Returns whether the name is a field of a struct rather than a key of a map. */
  isStructField?(name: string): boolean;
  readonly patchStrategy: string;
  /** Returns the default of a member, for list map keys that can be omitted. */
  keyDefault(name: string): unknown;
}

export const SCALAR = { type: 'scalar' } as const satisfies MergeType;
export const NUMBER = { type: 'scalar', of: 'numeric' } as const satisfies MergeType;
export const STRING = { type: 'scalar', of: 'string' } as const satisfies MergeType;
export const BOOLEAN = { type: 'scalar', of: 'boolean' } as const satisfies MergeType;
export const UNTYPED = { type: 'untyped' } as const satisfies MergeType;
export const WHOLE = { type: 'untyped', isWhole: true } as const satisfies MergeType;
