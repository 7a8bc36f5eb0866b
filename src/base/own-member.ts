/** Returns an own member of an object; inherited members, such as `toString`, are not data. */
export function ownMember(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
