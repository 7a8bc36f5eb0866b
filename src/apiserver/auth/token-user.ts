import { keyOf } from '../../api/objects/object-key.js';
import type { UserInfo } from '../objects/user-info.js';
import type { ObjectStore } from '../storage/object-store.js';
import { stringAt, type ApiObject } from '../objects/api-object.js';
import type { TokenClaims, TokenReference } from './service-account-token.js';
import { serviceAccountUser } from './service-account-user.js';

/** Time after the deletion timestamp during which objects still validate tokens. */
const LEEWAY_MS = 60_000;

/**
 * Returns the user of a token; undefined unless the service account and all objects that the token is bound to exist.
 */
export function tokenUser(store: ObjectStore, token: string, claims: TokenClaims, nowMs: number): UserInfo | undefined {
  const { namespace, name, uid, secret } = claims;
  const isThere = [...boundTo(claims)].every(({ collection, key, reference }) => {
    const object = store.get(collection, key)?.object;
    return object && !isGone(object, reference, nowMs);
  });
  const isOfSecret = claims.id === undefined;
  if (!isThere || (isOfSecret && !holds(store, keyOf(secret?.name ?? '', namespace), token))) return undefined;
  const user = serviceAccountUser(namespace, name, uid);
  const extra = extraOf(claims);
  return Object.keys(extra).length > 0 ? { ...user, extra } : user;
}

/** Yields the objects that must exist. The node of a pod's token is informational and not checked. */
function* boundTo({ namespace, name, uid, pod, node, secret }: TokenClaims) {
  yield { collection: 'serviceaccounts', key: keyOf(name, namespace), reference: { name, uid } };
  if (pod) yield { collection: 'pods', key: keyOf(pod.name, namespace), reference: pod };
  else if (node) yield { collection: 'nodes', key: node.name, reference: node };
  if (secret) yield { collection: 'secrets', key: keyOf(secret.name, namespace), reference: secret };
}

/** Returns whether a Secret still contains its token. */
function holds(store: ObjectStore, key: string, token: string): boolean {
  const secret = store.get('secrets', key)?.object;
  return Buffer.from(stringAt(secret?.data, 'token'), 'base64').toString() === token;
}

/** Returns whether the object was replaced by another one or has been terminating for longer than the leeway. */
function isGone({ metadata }: ApiObject, { uid }: TokenReference, nowMs: number): boolean {
  const { deletionTimestamp } = metadata;
  const isGoing = deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < nowMs - LEEWAY_MS;
  return isGoing || (uid !== '' && metadata.uid !== uid);
}

function extraOf({ id, pod, node }: TokenClaims): Record<string, string[]> {
  const extra: Record<string, string[]> = {};
  if (id !== undefined) extra['authentication.kubernetes.io/credential-id'] = [`JTI=${id}`];
  for (const [kind, reference] of Object.entries({ node, pod })) {
    if (!reference) continue;
    extra[`authentication.kubernetes.io/${kind}-name`] = [reference.name];
    if (reference.uid) extra[`authentication.kubernetes.io/${kind}-uid`] = [reference.uid];
  }
  return extra;
}
