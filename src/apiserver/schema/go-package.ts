/** Returns the package of a version in the type table: `core/v1`. */
export function goPackage(apiVersion: string): string {
  if (!apiVersion.includes('/')) return `core/${apiVersion}`;
  const [group = '', version = ''] = apiVersion.split('/');
  return `${group.split('.')[0] ?? ''}/${version}`;
}

/** Returns the Go package of the internal version. */
export function internalPackage(apiVersion: string): string {
  const [name = ''] = goPackage(apiVersion).split('/');
  return name === 'events' ? 'core' : name;
}
