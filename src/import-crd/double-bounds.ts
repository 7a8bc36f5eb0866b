import { setMember } from '../base/set-member.js';

/** Keywords whose values are data. */
const DATA = ['default', 'enum', 'example'];
/** Keywords that hold schemas by names of others. */
const BY_NAME = ['properties'];

/** A definition whose numbers are doubles, as they are to the API server, but for those in data, which are exact. */
export function withDoubleBounds<T>(definition: T): T {
  return doubled(definition, false) as T;
}

function doubled(value: unknown, isByName: boolean): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map((item) => doubled(item, false));
  if (typeof value !== 'object' || value === null) return value;
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const isData = !isByName && DATA.includes(key);
    setMember(members, key, isData ? member : doubled(member, !isByName && BY_NAME.includes(key)));
  }
  return members;
}
