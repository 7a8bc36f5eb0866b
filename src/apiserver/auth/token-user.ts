import type { UserInfo } from '../objects/user-info.js';
import type { ObjectStore } from '../storage/object-store.js';
import { stringAt, type ApiObject } from '../objects/api-object.js';
import type { TokenClaims, TokenReference } from './service-account-token.js';
import { serviceAccountUser } from './service-account-user.js';

/** What is being deleted counts this long. */
const LEEWAY_MS = 60_000;

/** The user of a token, while the account is there and what the token is bound to. */
export function tokenUser(store: ObjectStore, token: string, claims: TokenClaims, nowMs: number): UserInfo | undefined {
  const { namespace, name, uid, secret } = claims;
  const isThere = [...boundTo(claims)].every(({ collection, key, reference }) => {
    const object = store.get(collection, key)?.object;
    return object && !isGone(object, reference, nowMs);
  });
  const isOfSecret = claims.id === undefined;
  if (!isThere || (isOfSecret && !holds(store, `${namespace}/${secret?.name ?? ''}`, token))) return undefined;
  const user = serviceAccountUser(namespace, name, uid);
  const extra = extraOf(claims);
  return Object.keys(extra).length > 0 ? { ...user, extra } : user;
}

/** Of a pod's token the node is told, and no more. */
function* boundTo({ namespace, name, uid, pod, node, secret }: TokenClaims) {
  yield { collection: 'serviceaccounts', key: `${namespace}/${name}`, reference: { name, uid } };
  if (pod) yield { collection: 'pods', key: `${namespace}/${pod.name}`, reference: pod };
  else if (node) yield { collection: 'nodes', key: node.name, reference: node };
  if (secret) yield { collection: 'secrets', key: `${namespace}/${secret.name}`, reference: secret };
}

/** A Secret's own token is good only as long as it is in there. */
function holds(store: ObjectStore, key: string, token: string): boolean {
  const secret = store.get('secrets', key)?.object;
  return Buffer.from(stringAt(secret?.data, 'token'), 'base64').toString() === token;
}

/** Whether it is not the object it was, or going for some time. */
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
