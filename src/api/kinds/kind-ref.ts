import { OperatorError } from '../../base/operator-error.js';
import type { Definition } from './definition.js';
import type { KindPart } from './kind-part.js';
import type { KubeObject } from '../objects/kube-object.js';
import type { StoredObject, WritableObject } from '../objects/stored-object.js';

/** The scope of a kind: its objects are in namespaces, or in none. */
export type Scope = 'Namespaced' | 'Cluster';

/**
 * A reference to a kind of the API server. `T` is the type of its objects.
 *
 * Built-in kinds are exported by their names (`Deployment`, `Pod`); an annotated class serves as its own reference.
 */
export interface KindRef<out T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Scope;
  /** Holds the object type for the compiler; never set. */
  readonly objectType?: T;
  /** Set by `partOf`: the part of the kind that is cached. Undefined: whole objects, and all of them. */
  readonly part?: KindPart;
}

/**
 * A kind of Kubernetes: the reference of its objects, and the type of fields that hold such an object. No class can extend it:
 * its signatures have different return types.
 */
export type BuiltInKind<T extends KubeObject> = KindRef<T> & Definition<T> & Definition;

/** The property in which `@Kind` stores the reference on the class, so that layers below the decorators can read it. */
export const KIND_REF = Symbol.for('kindwright.kindRef');

/** A kind reference, or a class annotated with `@Kind`. */
export type KindLike<T extends KubeObject = KubeObject> = KindRef<T> | KindClass<T>;

/** A class annotated with `@Kind`. */
export type KindClass<out T extends KubeObject = KubeObject> = abstract new (...args: never[]) => T;

/**
 * Returns the reference of a kind.
 *
 * @throws OperatorError when given a class without `@Kind`.
 */
export function toKindRef<K extends KindClass>(kind: K): KindRef<ObjectOf<K>>;
export function toKindRef<T extends KubeObject>(kind: KindLike<T>): KindRef<T>;
export function toKindRef<T extends KubeObject>(kind: KindLike<T>): KindRef<T> {
  if (typeof kind !== 'function') return kind;
  const own = Object.getOwnPropertyDescriptor(kind, KIND_REF)?.value as KindRef<T> | undefined;
  if (own) return own;
  throw new OperatorError(`${kind.name || 'an unnamed class'} is not a Kubernetes kind`, {
    code: 'E_NO_KIND',
    hint: `annotate the class: @Kind({ group: 'apps.example.com', version: 'v1' })`,
  });
}

/** Returns `apps/v1`, or `v1` for the core group. */
export function apiVersionOf({ group, version }: Pick<KindRef, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Returns `deployments.apps`, or `pods` for the core group: the name of a resource in RBAC, errors and CRD names. */
export function resourceName({ group, plural }: Pick<KindRef, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** Returns a string that identifies a kind and version: `apps/v1/deployments`. */
export function kindKey(kind: KindRef): string {
  return `${apiVersionOf(kind)}/${kind.plural}`;
}

/** Returns a string that identifies what a cache holds: the key of the kind, followed by the key of its part. */
export function cacheKey(kind: KindRef): string {
  return kind.part ? `${kindKey(kind)} ${kind.part.key}` : kindKey(kind);
}

/** Returns the path of a collection, or of one object when a name is given. */
export function resourcePath(kind: KindRef, namespace?: string, name?: string, subresource?: string): string {
  let path = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  if (namespace !== undefined && kind.scope === 'Namespaced') path += `/namespaces/${encodeURIComponent(namespace)}`;
  path += `/${kind.plural}`;
  if (name !== undefined) path += `/${encodeURIComponent(name)}`;
  if (subresource !== undefined) path += `/${subresource}`;
  return path;
}

/** The type of a kind's objects as the API server returns them; see `StoredObject` for those of a class. */
export type ObjectOf<K extends KindLike> =
  K extends KindRef<infer T> ? T : K extends KindClass<infer T> ? StoredObject<T> : never;

/** The type of a kind's objects to write; an instance of a class is one, too. */
export type InputOf<K extends KindLike> =
  K extends KindRef<infer T> ? T : K extends KindClass<infer T> ? WritableObject<T> : never;
