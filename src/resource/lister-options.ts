import type { FieldValues } from '../api/selection/field-match.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import { keyOf } from '../api/objects/object-key.js';
import { assertNoFormerName, type ListerOptions } from '../api/selection/object-filter.js';
import { OperatorError } from '../base/operator-error.js';
import type { ListOptions } from './context.js';

/**
 * Returns the options of a list in the form of the cache; undefined as namespace means all.
 *
 * @throws OperatorError (E_NO_UID) for an owner that is not stored yet.
 */
export function listerOptions<T extends KubeObject, P extends string, Q extends string>(
  options: ListOptions<T, P, Q>,
  namespace: string | undefined,
): ListerOptions {
  const { labels, labelSelector, ownedBy, index } = options;
  assertNoFormerName(options);
  const where: FieldValues | undefined = options.where;
  return {
    ...(namespace !== undefined && { namespace }),
    ...(labels && { labels }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(where && { where }),
    ...(index && { index }),
    ...(ownedBy && { ownerUid: uidOf(ownedBy) }),
  };
}

function uidOf({ metadata: { name, namespace, uid } }: NonNullable<ListOptions['ownedBy']>): string {
  if (uid !== undefined) return uid;
  throw new OperatorError(`the owner ${keyOf(name, namespace)} has no uid, so nothing can be owned by it`, {
    code: 'E_NO_UID',
    hint: 'pass an object that was read from the server, such as this',
  });
}
