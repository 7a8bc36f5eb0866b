import type { KubeObject, ObjectMeta } from './kube-object.js';

/**
 * `P` if it is the path of a field of `T`; otherwise the valid names at the first segment that is not.
 *
 * `[*]` stands for the items of a list: `spec.containers[*].image`. Maps such as labels have no paths of their own.
 */
export type FieldPath<T, P extends string> = P extends `${infer Head}.${infer Rest}`
  ? Head extends `${infer Name}[*]`
    ? Name extends Names<T>
      ? `${Head}.${FieldPath<ItemOf<Member<T, Name>>, Rest>}`
      : Names<T>
    : Head extends Names<T>
      ? `${Head}.${FieldPath<Member<T, Head>, Rest>}`
      : Names<T>
  : P extends Names<T>
    ? P
    : Names<T>;

/**
 * An object of type `T` with the fields of the paths `P` only, besides apiVersion, kind and metadata.
 *
 * metadata has annotations only if `metadata` or `metadata.annotations` is among the paths.
 */
export type PartialObject<T extends KubeObject, P extends string> = Pick<KubeObject, 'apiVersion' | 'kind'> & {
  metadata: 'metadata' extends P
    ? ObjectMeta
    : 'metadata.annotations' extends P
      ? ObjectMeta
      : Omit<ObjectMeta, 'annotations'>;
} & FieldsAt<Omit<T, 'apiVersion' | 'kind' | 'metadata'>, Exclude<P, 'metadata' | `metadata.${string}`>>;

type FieldsAt<T, P extends string> = { [K in keyof T as Kept<K, P>]: FieldAt<T[K], K & string, P> };

type Kept<K, P extends string> = K extends HeadOf<P> ? K : never;

type FieldAt<V, K extends string, P extends string> = K extends P
  ? V
  : V extends (infer Item)[]
    ? FieldsAt<Item, Below<P, K | `${K}[*]`>>[]
    : V extends object
      ? FieldsAt<V, Below<P, K>>
      : V;

type HeadOf<P extends string> = P extends `${infer Head}.${string}` ? NameOf<Head> : P;

type NameOf<Head extends string> = Head extends `${infer Name}[*]` ? Name : Head;

type Below<P extends string, K extends string> = P extends `${K}.${infer Rest}` ? Rest : never;

/** The names of the fields of an object; none for maps and scalars. */
type Names<T> = T extends readonly unknown[] ? never : T extends object ? NamesOf<T> : never;

type NamesOf<T> = string extends keyof T ? never : Extract<keyof T, string>;

type Member<T, K extends string> = K extends keyof T ? NonNullable<T[K]> : never;

type ItemOf<T> = T extends readonly (infer Item)[] ? NonNullable<Item> : never;
