/** In a string read by code points, only half a pair is a surrogate. */
const HALF = /\p{Surrogate}/u;

/** Returns the paths of strings with an unpaired UTF-16 surrogate, which UTF-8 cannot encode. */
export function* illFormedStrings(value: unknown, path = ''): Generator<string> {
  if (typeof value === 'string' && HALF.test(value)) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (HALF.test(name)) yield path;
    yield* illFormedStrings(member, childPath(value, path, name));
  }
}

/** Field errors put indexes and the names of properties in brackets. */
function childPath(parent: object, path: string, name: string): string {
  if (path === '') return name;
  return Array.isArray(parent) || /[.\]]properties$/.test(path) ? `${path}[${name}]` : `${path}.${name}`;
}
