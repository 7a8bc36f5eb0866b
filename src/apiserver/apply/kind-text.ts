/** Formats a group, version and kind like Go's schema.GroupVersionKind. */
export function kindText(apiVersion: string, kind: string): string {
  const parts = apiVersion.split('/');
  const [version = '', group = ''] = parts.reverse();
  return parts.length > 2 ? '/, Kind=' : `${group}/${version}, Kind=${kind}`;
}
