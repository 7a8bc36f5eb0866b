import { renamedError } from '../../base/renamed.js';
import { OperatorError } from '../../base/operator-error.js';
import { thrownError } from '../../base/thrown-error.js';
import { assertHeld } from './field-match.js';
import { fieldValues, pathSegments } from './field-values.js';
import { kindKey, toKindRef, type KindLike, type KindRef, type ObjectOf } from '../kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../objects/kube-object.js';
import { objectKey } from '../objects/object-key.js';
import type { FieldPath, PartialObject } from '../objects/partial-object.js';

/** An index of the cached objects of a kind, created by `indexBy`. `P` are the paths of the fields that it reads. */
export interface CacheIndex<P extends string = string> {
  readonly kind: KindRef;
  readonly fields: readonly P[];
  /** Returns the values by which an object is found. @throws OperatorError (E_INDEX) if the user's function fails. */
  readonly valuesOf: (object: ReadonlyDeep<KubeObject>) => readonly string[];
}

type Values = (object: ReadonlyDeep<KubeObject>) => Iterable<string>;

/** Selects the objects that have a value in an index. */
export interface IndexMatch<P extends string = string> {
  readonly by: CacheIndex<P>;
  readonly value: string;
}

/** `P` if it is the path of a field of `T`. Any path is valid for objects without typed fields. */
export type IndexPath<T extends KubeObject, P extends string> = string extends keyof T ? P : FieldPath<T, P>;

/** Options of `indexBy`. */
export interface IndexOptions<T extends KubeObject, P extends string> {
  /** The fields that the index reads, besides metadata without annotations: `spec.volumes[*].secret.secretName`. */
  readonly reads: readonly (P & IndexPath<T, P>)[];
  /**
   * Returns the values by which an object is found: none, one or several. Default: those of all `reads`.
   *
   * Must be pure and accept every object of the kind. While it throws for an object, reads of the index fail.
   */
  readonly values?: (
    object: string extends keyof T ? ReadonlyDeep<T> : ReadonlyDeep<PartialObject<T, P>>,
  ) => Iterable<string>;
}

/**
 * Returns an index of a kind, for `@Index` and for the option `index` of `ctx.list`, of mappers and of listers.
 *
 * For values that are in none of the fields as they are; single fields, labels and owners have indexes of their own.
 *
 * @example
 * const byConfig = indexBy(Deployment, {
 *   reads: ['spec.template.spec.volumes[*].configMap.name', 'spec.template.spec.volumes[*].secret.secretName'],
 * });
 */
export function indexBy<K extends KindLike, const P extends string>(
  kind: K,
  options: IndexOptions<ObjectOf<K>, P>,
): CacheIndex<P> {
  const { part: _, ...ref } = toKindRef<KubeObject>(kind);
  if ('fields' in options) throw renamedError('fields of an index', `reads: ['spec.nodeName']`);
  const fields: readonly P[] = [...options.reads];
  const paths = fields.map(pathSegments);
  const ofFields: Values = (object) => paths.flatMap((path) => fieldValues(object, path));
  const values = (options.values as Values | undefined) ?? ofFields;
  return Object.freeze({
    kind: ref,
    fields: Object.freeze(fields),
    valuesOf: (object: ReadonlyDeep<KubeObject>) => valuesOf(ref, object, values),
  });
}

/** Returns whether a value is an index, also of another copy of the package. */
export function isCacheIndex(value: unknown): value is CacheIndex {
  return typeof (value as Partial<CacheIndex> | undefined)?.valuesOf === 'function';
}

/**
 * Returns a function that evaluates whether an object has the value.
 *
 * @throws OperatorError (E_INDEX) for an index of another kind, (E_PART) for fields that objects of the kind's part do not have.
 */
export function indexMatcher(
  kind: KindRef | undefined,
  { by, value }: IndexMatch,
): (object: ReadonlyDeep<KubeObject>) => boolean {
  if (kind) assertIndexes(by, kind);
  return (object) => by.valuesOf(object).includes(value);
}

function assertIndexes({ kind: indexed, fields }: CacheIndex, kind: KindRef): void {
  for (const path of fields) assertHeld(kind, path);
  if (kindKey(indexed) === kindKey(kind)) return;
  throw new OperatorError(`an index of ${indexed.kind} cannot find ${kind.kind} objects`, {
    code: 'E_INDEX',
    hint: `indexBy(${kind.kind}, { reads: […] })`,
  });
}

function valuesOf({ kind }: KindRef, object: ReadonlyDeep<KubeObject>, values: Values): readonly string[] {
  let found: Iterable<string>;
  try {
    found = values(object);
    if (typeof found !== 'string') return [...found];
  } catch (cause) {
    throw new OperatorError(`an index of ${kind} failed for ${objectKey(object)}: ${thrownError(cause).message}`, {
      code: 'E_INDEX',
      hint: 'values must accept every object of the kind',
      cause,
    });
  }
  throw new OperatorError(`an index of ${kind} returned the string "${found}" instead of a list of values`, {
    code: 'E_INDEX',
    hint: `return ["${found}"]`,
  });
}
