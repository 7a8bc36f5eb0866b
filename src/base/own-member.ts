/** Returns an own member of an object or table; inherited members, such as `toString`, are not data. */
export function ownMember<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
