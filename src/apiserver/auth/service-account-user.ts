import type { UserInfo } from '../objects/user-info.js';

/** Returns the user of a service account. */
export function serviceAccountUser(namespace: string, name: string, uid?: string): UserInfo {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups, uid };
}
