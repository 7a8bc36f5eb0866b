/** The group of an apiVersion; of the core one, and of what names no group, the empty one. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
