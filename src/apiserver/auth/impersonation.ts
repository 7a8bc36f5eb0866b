import { goQuoted } from '../../base/go-quoted.js';
import type { IncomingMessage } from 'node:http';
import { badRequest, forbidden } from '../errors/status-error.js';
import type { UserInfo } from '../objects/user-info.js';
import type { RbacAuthorizer } from './rbac-authorizer.js';
import { serviceAccountUser } from './service-account-user.js';

const EXTRA = 'impersonate-extra-';
const AUTHENTICATION = 'authentication.k8s.io';
const ANONYMOUS = 'system:anonymous';
const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';
/** serviceaccount.SplitUsername; other names are user names. */
const SERVICE_ACCOUNT = /^system:serviceaccount:([a-z0-9](?:[-a-z0-9]*[a-z0-9])?):([a-z0-9](?:[-a-z0-9.]*[a-z0-9])?)$/;

/** The user requested by the impersonation headers. */
interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** An object that the impersonate permission is checked for. */
interface ImpersonatedObject {
  readonly group: string;
  readonly plural: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
}

/**
 * Returns the effective user of a request: the impersonated one, or `user`.
 * @throws StatusError Forbidden when `user` may not impersonate the requested user
 */
export function impersonated(user: UserInfo, message: IncomingMessage, authorizer: RbacAuthorizer): UserInfo {
  const wanted = wantedUser(message);
  const { name, uid, groups, extra } = wanted;
  if (name === '') {
    if (uid !== '' || groups.length > 0 || Object.keys(extra).length > 0) throw badRequest(withoutName(wanted));
    return user;
  }
  for (const object of impersonatedObjects(wanted)) assertAllowed(user, object, authorizer);
  return {
    name,
    groups: groupsOf(wanted),
    ...(uid !== '' && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function assertAllowed(user: UserInfo, object: ImpersonatedObject, authorizer: RbacAuthorizer): void {
  const { group, plural, subresource, namespace = '', name } = object;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  if (authorizer.allows(user, { verb: 'impersonate', group, resource, namespace, name })) return;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const why = `User "${user.name}" cannot impersonate resource "${resource}" in API group "${group}" ${where}`;
  throw forbidden(object, name, why);
}

function wantedUser({ headersDistinct }: IncomingMessage): Wanted {
  const first = (header: string): string => headersDistinct[header]?.[0] ?? '';
  const extra = Object.entries(headersDistinct)
    .filter(([header]) => header.startsWith(EXTRA))
    .map(([header, values = []]) => [decodedKey(header.slice(EXTRA.length)), values] as const);
  return {
    name: first('impersonate-user'),
    uid: first('impersonate-uid'),
    groups: headersDistinct['impersonate-group'] ?? [],
    extra: Object.fromEntries(extra),
  };
}

/** Decodes percent escapes of characters that header names cannot contain. */
function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function impersonatedObjects({ name, uid, groups, extra }: Wanted): ImpersonatedObject[] {
  const [, namespace, account] = SERVICE_ACCOUNT.exec(name) ?? [];
  const user =
    namespace !== undefined && account !== undefined
      ? { group: '', plural: 'serviceaccounts', namespace, name: account }
      : { group: '', plural: 'users', name };
  return [
    user,
    ...groups.map((group) => ({ group: '', plural: 'groups', name: group })),
    ...Object.entries(extra).flatMap(([subresource, values]) =>
      values.map((value) => ({ group: AUTHENTICATION, plural: 'userextras', subresource, name: value })),
    ),
    ...(uid === '' ? [] : [{ group: AUTHENTICATION, plural: 'uids', name: uid }]),
  ];
}

/**
 * Returns the requested groups, with system:authenticated or system:unauthenticated; without groups, a service account
 * gets its default groups.
 */
function groupsOf({ name, groups }: Wanted): readonly string[] {
  const [, namespace, account] = SERVICE_ACCOUNT.exec(name) ?? [];
  if (groups.length === 0 && namespace !== undefined && account !== undefined)
    return serviceAccountUser(namespace, account).groups;
  if (groups.includes(UNAUTHENTICATED)) return groups;
  if (name === ANONYMOUS) return [...groups, UNAUTHENTICATED];
  return groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED];
}

/** The error of impersonation headers without a user name; prints the user like Go. */
function withoutName({ uid, groups, extra }: Wanted): string {
  const list = (items: readonly string[]): string => `[]string{${items.map((item) => goQuoted(item)).join(', ')}}`;
  const entries = Object.entries(extra).map(([key, values]) => `${goQuoted(key)}:${list(values)}`);
  const shownGroups = groups.length === 0 ? '[]string(nil)' : list(groups);
  const shownExtra = `map[string][]string${entries.length === 0 ? '(nil)' : `{${entries.sort().join(', ')}}`}`;
  return `requested &user.DefaultInfo{Name:"", UID:${goQuoted(uid)}, Groups:${shownGroups}, Extra:${shownExtra}} without impersonating a user name`;
}
