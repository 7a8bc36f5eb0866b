import { OperatorError } from '../../base/operator-error.js';
import { fieldValues, pathSegments } from './field-values.js';
import type { KindRef } from '../kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../objects/kube-object.js';
import type { FieldPath } from '../objects/partial-object.js';

export type FieldScalar = string | number | boolean;

/**
 * The values that fields of an object of type `T` must have, by path: `{ 'spec.nodeName': 'node-1' }`.
 *
 * A path that passes a list, such as `spec.containers[*].image`, matches if one of the items has the value. A missing
 * field matches no value. Any path is valid for objects without typed fields.
 */
export type FieldMatch<T extends KubeObject, P extends string> = {
  readonly [Path in P]: Extract<
    string extends keyof T
      ? FieldScalar
      : Path extends FieldPath<T, Path>
        ? ScalarAt<T, Path>
        : `valid path: ${FieldPath<T, Path>}`,
    FieldScalar
  >;
};

type ScalarAt<T, P extends string> = P extends `${infer Head}.${infer Rest}`
  ? ScalarAt<Member<T, Head extends `${infer Name}[*]` ? Name : Head>, Rest>
  : ScalarOf<Member<T, P extends `${infer Name}[*]` ? Name : P>>;

/** The member of an object, or of the items of a list. */
type Member<T, K extends string> = T extends readonly (infer Item)[]
  ? Member<Item, K>
  : T extends object
    ? K extends keyof T
      ? NonNullable<T[K]>
      : never
    : never;

type ScalarOf<V> = V extends readonly (infer Item)[] ? ScalarOf<Item> : Extract<V, FieldScalar>;

/** The form of FieldMatch for objects of any type. */
export type FieldValues = Readonly<Record<string, FieldScalar>>;

/**
 * Returns a function that evaluates the values of fields.
 *
 * @throws OperatorError (E_PART) for a field that objects of the part do not have.
 */
export function fieldMatcher(
  kind: KindRef | undefined,
  fields: FieldValues,
): (object: ReadonlyDeep<KubeObject>) => boolean {
  const required = Object.entries(fields).map(([path, value]) => {
    if (kind) assertHeld(kind, path);
    return { segments: pathSegments(path), value: String(value) };
  });
  return (object) => required.every(({ segments, value }) => fieldValues(object, segments).includes(value));
}

/** @throws OperatorError (E_PART) for a field that objects of the kind's part do not have. */
export function assertHeld(kind: KindRef, path: string): void {
  if (holdsField(kind, path)) return;
  throw new OperatorError(`${path} is not a field of the part of ${kind.kind} that is read`, {
    code: 'E_PART',
    hint: `add '${path}' to the fields of partOf(${kind.kind}, …)`,
  });
}

/** Returns whether objects of the kind, or of its part, have the field at a path. */
export function holdsField({ part }: KindRef, path: string): boolean {
  return !part?.fields || isHeld(part.fields, pathSegments(path));
}

function isHeld(held: readonly string[], path: readonly string[]): boolean {
  const [head = '', second] = path;
  if (head === 'metadata' && second !== 'annotations') return true;
  if (head === 'apiVersion' || head === 'kind') return true;
  return held.map(pathSegments).some((segments) => segments.every((segment, i) => segment === path[i]));
}
