import type { KindRef } from '../api/kinds/kind-ref.js';
import { splitKey, type ObjectKey } from '../api/objects/object-key.js';
import type { KindId, ObjectRefWire } from './wire.js';

export function kindId({ group, kind }: Pick<KindRef, 'group' | 'kind'>): KindId {
  return group === '' ? kind : `${kind}.${group}`;
}

/** Returns a reference to the object of a key. */
export function objectRef(
  kind: KindId,
  key: ObjectKey,
  more: { uid?: string; cluster?: string | undefined } = {},
): ObjectRefWire {
  const { namespace, name } = splitKey(key);
  const { uid, cluster } = more;
  return {
    kind,
    ...(namespace !== '' && { namespace }),
    name,
    ...(uid !== undefined && { uid }),
    ...(cluster !== undefined && { cluster }),
  };
}
