import { setMember } from '../base/set-member.js';

/** Keywords whose values are data. */
const DATA = ['default', 'enum', 'example'];
/** Keywords that hold schemas by names of others. */
const BY_NAME = ['properties'];

/**
 * A definition as the API server decodes it: numbers are doubles, and what is null is not there. Data stays as it is.
 */
export function asDecoded<T>(definition: T): T {
  return decoded(definition, false) as T;
}

function decoded(value: unknown, isByName: boolean): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map((item) => decoded(item, false));
  if (typeof value !== 'object' || value === null) return value;
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const isData = !isByName && DATA.includes(key);
    if (isData || member !== null)
      setMember(members, key, isData ? member : decoded(member, !isByName && BY_NAME.includes(key)));
  }
  return members;
}
