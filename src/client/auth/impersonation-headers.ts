import { escaped } from '../invalid-request.js';
import type { Impersonation } from '../config/auth-config.js';

/** Returns the header lines of an impersonation. */
export function impersonationHeaders({ user, uid, groups, extra }: Impersonation): string[] {
  const headers = [`Impersonate-User: ${user}`];
  if (uid !== undefined) headers.push(`Impersonate-Uid: ${uid}`);
  for (const group of groups) headers.push(`Impersonate-Group: ${group}`);
  for (const [key, values] of extra) {
    for (const value of values) headers.push(`Impersonate-Extra-${escaped(key)}: ${value}`);
  }
  return headers;
}
