/** Returns the group of an apiVersion; empty for the core group and for an invalid apiVersion. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
