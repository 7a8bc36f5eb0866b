/** Where the Go structs of a version are in the type table: `core/v1`. */
export function goPackage(apiVersion: string): string {
  if (!apiVersion.includes('/')) return `core/${apiVersion}`;
  const [group = '', version = ''] = apiVersion.split('/');
  return `${group.split('.')[0] ?? ''}/${version}`;
}
