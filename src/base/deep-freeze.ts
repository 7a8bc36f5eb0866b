/**
 * Freezes a JSON value of any depth and returns it. A frozen object is assumed to be frozen recursively.
 *
 * Without recursion: an overflow of the stack in the watch of a kind would affect all of its objects.
 */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const member of Object.values(next)) if (typeof member === 'object' && member !== null) pending.push(member);
  }
  return value;
}
