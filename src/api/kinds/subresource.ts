import { ownMember } from '../../base/own-member.js';
import type { AuthenticationV1TokenRequest, V1Binding, V1Eviction, V1Scale } from '@kubernetes/client-node';
import type { InputOf, KindLike, ObjectOf } from './kind-ref.js';
import type { Live } from '../objects/kube-object.js';
import type { Status } from '../protocol/status.js';

/** The objects that a subresource reads and writes, if they are of another kind than the resource. */
interface SubresourceObjects {
  /** The scale of a Deployment, StatefulSet or ReplicaSet, and of custom kinds with `@Scale`. */
  readonly scale: Live<V1Scale>;
  /** The eviction of a Pod; create only. */
  readonly eviction: Live<V1Eviction>;
  /** A token of a ServiceAccount; create only. */
  readonly token: Live<AuthenticationV1TokenRequest>;
  /** The assignment of a Pod to a node; create only. */
  readonly binding: Live<V1Binding>;
}

/** The name of a subresource, such as `status` or `scale`. */
export type Subresource = keyof SubresourceObjects | 'status' | 'ephemeralcontainers' | 'resize' | (string & {});

/** The object of a subresource, or of the resource if `S` is never. */
export type SubresourceObject<K extends KindLike, S extends string> = [S] extends [keyof SubresourceObjects]
  ? [S] extends [never]
    ? ObjectOf<K>
    : SubresourceObjects[S]
  : ObjectOf<K>;

/** The object to write to a subresource, or to the resource if `S` is never. */
export type SubresourceInput<K extends KindLike, S extends string> = [S] extends [keyof SubresourceObjects]
  ? [S] extends [never]
    ? InputOf<K>
    : SubresourceObjects[S]
  : InputOf<K>;

/** The response to the creation of a subresource. */
export type CreatedSubresource<K extends KindLike, S extends string> = [S] extends [never]
  ? ObjectOf<K>
  : [S] extends ['eviction' | 'binding']
    ? Status
    : SubresourceObject<K, S>;

const KINDS: Readonly<Record<string, { readonly apiVersion: string; readonly kind: string } | undefined>> = {
  scale: { apiVersion: 'autoscaling/v1', kind: 'Scale' },
  eviction: { apiVersion: 'policy/v1', kind: 'Eviction' },
  token: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' },
  binding: { apiVersion: 'v1', kind: 'Binding' },
} satisfies Record<keyof SubresourceObjects, object>;

/** Returns the kind of a subresource's objects; undefined if it is the kind of the resource. */
export function subresourceKind(
  subresource: string | undefined,
): { readonly apiVersion: string; readonly kind: string } | undefined {
  return subresource === undefined ? undefined : ownMember(KINDS, subresource);
}
