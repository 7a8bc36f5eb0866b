/** A number literal long enough to lose digits as a double. */
const LONG_INTEGER = /[:[,\s]-?\d{16,}/;

declare global {
  interface JSON {
    /** TC39 JSON.parse source text access, in Node since 21. */
    rawJSON(text: string): unknown;
  }
}

/**
 * JSON.parse that keeps every integer exact: one that a double cannot hold becomes a bigint.
 *
 * Costs one scan of the text over JSON.parse itself; the slow way is taken only where a long integer stands.
 */
export function parseJson(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    if (typeof value !== 'number' || source === undefined || source === String(value)) return value;
    return /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}

/** JSON.stringify that writes a bigint as the integer it is. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError && error.message.includes('BigInt'))) throw error;
    return JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'bigint' ? JSON.rawJSON(member.toString()) : member,
    );
  }
}
