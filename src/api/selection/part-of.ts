import { OperatorError } from '../../base/operator-error.js';
import { thrownError } from '../../base/thrown-error.js';
import { matchesFields, parseFieldSelector } from './field-selector.js';
import { apiVersionOf, toKindRef, type KindLike, type KindRef, type ObjectOf } from '../kinds/kind-ref.js';
import type { KindPart } from '../kinds/kind-part.js';
import type { KubeObject } from '../objects/kube-object.js';
import { formatSelector, matchesSelector, type LabelSelector } from './label-selector.js';
import { keyOf } from '../objects/object-key.js';
import { parseLabelSelector } from './parse-label-selector.js';
import type { FieldPath, PartialObject } from '../objects/partial-object.js';
import { reducer } from './reduce-object.js';

/** Selects the objects that a cache holds. */
export interface CacheSelection {
  /** `app=web`, `tier in (a,b)`, `podSet_cr`, or an object. Default: all objects. */
  readonly labelSelector?: string | LabelSelector;
  /** `spec.nodeName=node-1`: the API server supports few fields of each kind. Default: all objects. */
  readonly fieldSelector?: string;
  /** Default: the namespaces of the operator. Ignored for kinds with cluster scope. */
  readonly namespaces?: readonly string[];
}

/** The part of a kind that a cache holds. */
export interface PartOptions<T extends KubeObject, P extends string> extends CacheSelection {
  /**
   * The fields to hold, besides metadata without annotations: `status.phase`, `spec.containers[*].image`,
   * `metadata.annotations`.
   */
  readonly fields: readonly (P & FieldPath<T, P>)[];
  /** See `Transform`. */
  readonly transform?: Transform<PartialObject<T, P>>;
}

/**
 * Changes each object before it is cached, after the fields outside of the part were dropped.
 *
 * May change the object that it gets. Must be pure, and must keep name, namespace, uid and resourceVersion. An error ends
 * the watch, which is retried.
 */
export type Transform<T extends KubeObject> = (object: T) => T;

/** The options of all overloads. */
interface AnyPartOptions extends CacheSelection {
  readonly fields?: readonly string[];
  readonly metadataOnly?: boolean;
  readonly transform?: (object: never) => KubeObject;
}

/**
 * Returns a reference to a part of a kind: some of its objects, or some of their fields.
 *
 * Use it like the kind, in `@Owns`, `@Watches`, `ctx.get`, `ctx.list` and `InformerFactory`: caches then hold no more than
 * the part, and its objects have no other fields in TypeScript. Everything else is dropped as soon as it is decoded.
 * A change that the part does not show causes no event. Parts with equal options share one cache.
 *
 * @throws OperatorError (E_PART) if options contradict each other.
 * @example
 * const MemberPod = partOf(Pod, { labelSelector: 'podSet_cr', fields: ['status.phase'] });
 */
export function partOf<K extends KindLike, const P extends string>(
  kind: K,
  options: PartOptions<ObjectOf<K>, P>,
): KindRef<PartialObject<ObjectOf<K>, P>>;
/** Metadata only, annotations included: the API server sends nothing else. */
export function partOf(
  kind: KindLike,
  options: CacheSelection & { readonly metadataOnly: true; readonly transform?: Transform<KubeObject> },
): KindRef;
/** Whole objects. */
export function partOf<K extends KindLike>(
  kind: K,
  options: CacheSelection & { readonly transform?: Transform<ObjectOf<K>> },
): KindRef<ObjectOf<K>>;
export function partOf(kind: KindLike, options: AnyPartOptions): KindRef {
  const { part, ...ref } = toKindRef(kind);
  if (part) throw invalid(ref, 'is already a part', `partOf(${ref.kind}, { …all options })`);
  return Object.freeze({ ...ref, part: Object.freeze(createPart(ref, options)) });
}

function createPart(kind: KindRef, options: AnyPartOptions): KindPart {
  const { fieldSelector, metadataOnly = false, transform, labelSelector } = options;
  if (metadataOnly && options.fields) {
    throw invalid(kind, 'metadataOnly cannot be combined with fields', `fields: ['metadata.annotations', …]`);
  }
  const labels = typeof labelSelector === 'object' ? formatSelector(labelSelector) : labelSelector;
  const fields = heldFields(options);
  const namespaces = sorted(options.namespaces);
  return withoutUndefined({
    key: JSON.stringify([labels, fieldSelector, namespaces, fields, transform && idOf(transform)]),
    labelSelector: labels,
    fieldSelector,
    namespaces: namespaces && Object.freeze(namespaces),
    isMetadataOnly: fields?.every(isOfMetadata) ?? false,
    fields: fields && Object.freeze(fields),
    transform,
    reduce: reduceFunction(kind, fields, transform as Transform<KubeObject> | undefined),
    matches: selectorMatcher(labels, fieldSelector),
  }) as unknown as KindPart;
}

function heldFields({ metadataOnly = false, fields }: AnyPartOptions): readonly string[] | undefined {
  return metadataOnly ? ['metadata'] : sorted(fields);
}

/** The order and duplicates of a list do not make another cache. */
function sorted(values: readonly string[] | undefined): string[] | undefined {
  return values && [...new Set(values)].sort();
}

function withoutUndefined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function isOfMetadata(path: string): boolean {
  return /^metadata(\.|$)/.test(path);
}

/** Returns a function that evaluates selectors as the API server does; undefined means that only the server knows. */
export function selectorMatcher(
  labelSelector: string | undefined,
  fieldSelector: string | undefined,
): (object: KubeObject) => boolean | undefined {
  const labels = parseLabelSelector(labelSelector ?? '');
  const fields = parseFieldSelector(fieldSelector ?? '');
  return (object) => {
    if (labels && !matchesSelector(labels, object.metadata.labels)) return false;
    const hasFields = fields ? matchesFields(fields, object) : undefined;
    return hasFields === true && !labels ? undefined : hasFields;
  };
}

function reduceFunction(
  kind: KindRef,
  fields: readonly string[] | undefined,
  transform: Transform<KubeObject> | undefined,
): KindPart['reduce'] {
  const reduce =
    fields &&
    reducer({
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      fields: fields.filter((path) => !isOfMetadata(path)),
      keepAnnotations: fields.some((path) => path === 'metadata' || path === 'metadata.annotations'),
    });
  if (!transform) return reduce;
  return (object) => transformed(kind, reduce ? reduce(object) : object, transform);
}

function transformed(kind: KindRef, object: KubeObject, change: (object: KubeObject) => KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const place = `the transform of a part of ${kind.kind}`;
  const key = keyOf(name, namespace);
  let result: unknown;
  try {
    result = change(object);
  } catch (cause) {
    throw new OperatorError(`${place} failed for ${key}: ${thrownError(cause).message}`, {
      code: 'E_PART',
      hint: 'a transform must accept every object of the part',
      cause,
    });
  }
  const kept = (result as Partial<KubeObject> | undefined)?.metadata;
  const isKept =
    kept?.name === name && kept.namespace === namespace && kept.uid === uid && kept.resourceVersion === resourceVersion;
  if (isKept) return result as KubeObject;
  throw new OperatorError(`${place} must keep name, namespace, uid and resourceVersion of ${key}`, {
    code: 'E_PART',
    hint: `return the object that transform gets, or { ...object, … }`,
  });
}

/** @throws OperatorError (E_PART) for a part that holds only some fields: a PUT of its objects would remove the others. */
export function assertHoldsWhole({ kind, part }: KindRef): void {
  if (!part?.reduce) return;
  throw new OperatorError(`an update of a part of ${kind} would remove the fields outside of the part`, {
    code: 'E_PART',
    hint: `read and update the ${kind} itself, or use patch`,
  });
}

const ids = new WeakMap<object, number>();
let lastId = 0;

/** A number that identifies a function in this process. */
function idOf(transform: object): number {
  const id = ids.get(transform) ?? ++lastId;
  ids.set(transform, id);
  return id;
}

function invalid({ kind }: KindRef, problem: string, hint: string): OperatorError {
  return new OperatorError(`partOf(${kind}): ${problem}`, { code: 'E_PART', hint });
}
