/** A member that an object has itself; what each inherits, such as `toString`, is no data. */
export function ownMember(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
