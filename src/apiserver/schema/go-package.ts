/** Where the Go structs of a version are in the type table: `core/v1`. */
export function goPackage(apiVersion: string): string {
  if (!apiVersion.includes('/')) return `core/${apiVersion}`;
  const [group = '', version = ''] = apiVersion.split('/');
  return `${group.split('.')[0] ?? ''}/${version}`;
}

/** The Go package of the form that all versions are converted to. */
export function internalPackage(apiVersion: string): string {
  const [name = ''] = goPackage(apiVersion).split('/');
  return name === 'events' ? 'core' : name;
}
