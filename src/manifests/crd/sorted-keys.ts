/** A JSON value with the members of its objects sorted by name, without undefined ones. */
export function sortedKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => sortedKeys(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sortedKeys(member as unknown)])) as T;
}
