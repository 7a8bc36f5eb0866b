import { setMember } from '../base/set-member.js';

/** Keywords with data as value. */
const DATA = ['default', 'enum', 'example'];
/** Keywords with schemas by name as value. */
const BY_NAME = ['properties'];

/**
 * Returns a definition as the API server decodes it: numbers are doubles and null members are removed, except in data.
 */
export function normalizeCrd<T>(definition: T): T {
  return decoded(definition, false) as T;
}

function decoded(value: unknown, isByName: boolean): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map((item) => decoded(item, false));
  return typeof value === 'object' && value !== null ? decodedMembers(value, isByName) : value;
}

function decodedMembers(value: object, isByName: boolean): object {
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (!isByName && DATA.includes(key)) setMember(members, key, member);
    else if (member !== null) setMember(members, key, decoded(member, !isByName && BY_NAME.includes(key)));
  }
  return members;
}
