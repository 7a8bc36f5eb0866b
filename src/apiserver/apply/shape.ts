import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { SCALAR, UNTYPED, type MergeList, type MergeType } from '../schema/merge-type.js';

/** The shape of a value under its type; without a type, the value determines it. */
export type Shape =
  | { readonly type: 'scalar' }
  | MergeList
  | {
      readonly type: 'map';
      readonly atomic: boolean;
      readonly member: (name: string) => MergeType;
      readonly isField: (name: string) => boolean;
    };

const ATOMIC_LIST: MergeList = {
  type: 'list',
  listType: 'atomic',
  keys: [],
  item: UNTYPED,
  patchStrategy: '',
  mergeKey: '',
};
const DEDUCED_MAP: Shape = { type: 'map', atomic: false, member: () => UNTYPED, isField: () => false };
const WHOLE_MAP: Shape = { ...DEDUCED_MAP, atomic: true };

export function shapeOf(type: MergeType, value: unknown): Shape {
  switch (type.type) {
    case 'scalar':
      return SCALAR;
    case 'list':
      return type;
    case 'map':
      return {
        type: 'map',
        atomic: type.atomic,
        member: (name) => type.field(name) ?? UNTYPED,
        isField: (name) => type.isStructField?.(name) ?? false,
      };
    case 'untyped':
      if (Array.isArray(value)) return ATOMIC_LIST;
      if (!isJsonObject(value)) return SCALAR;
      return type.isWhole === true ? WHOLE_MAP : DEDUCED_MAP;
  }
}

export function asMap(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as unknown[]) : undefined;
}
