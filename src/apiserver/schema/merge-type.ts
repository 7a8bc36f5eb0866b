/** How values of a type are merged: what server-side apply and strategic merge patch need to know of a schema. */
export type MergeType =
  /** Without `of` any scalar will do. */
  | { readonly type: 'scalar'; readonly of?: 'numeric' | 'string' | 'boolean' }
  /** No schema: maps merge by key unless they are taken as a whole, lists are atomic. */
  | { readonly type: 'untyped'; readonly isWhole?: true }
  | MergeList
  | MergeMap;

export interface MergeList {
  readonly type: 'list';
  readonly listType: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
  readonly item: MergeType;
  /** Strategic merge patch's own view of the list. */
  readonly patchStrategy: string;
  readonly mergeKey: string;
}

/** A struct (`fields`), a map (`values`), or both. */
export interface MergeMap {
  readonly type: 'map';
  readonly atomic: boolean;
  /** Of a struct, as Go calls it. */
  readonly structName?: string;
  /** The type of a member; undefined for one the schema does not know. */
  field(name: string): MergeType | undefined;
  /** Whether the name is a field of a struct rather than a key of a map. */
  isStructField?(name: string): boolean;
  readonly patchStrategy: string;
  /** Default of a member, for list map keys that may be left out. */
  keyDefault(name: string): unknown;
}

export const SCALAR = { type: 'scalar' } as const satisfies MergeType;
export const NUMBER = { type: 'scalar', of: 'numeric' } as const satisfies MergeType;
export const STRING = { type: 'scalar', of: 'string' } as const satisfies MergeType;
export const BOOLEAN = { type: 'scalar', of: 'boolean' } as const satisfies MergeType;
export const UNTYPED = { type: 'untyped' } as const satisfies MergeType;
export const WHOLE = { type: 'untyped', isWhole: true } as const satisfies MergeType;
