/** Formats a metav1.Time for JSON: RFC 3339 in UTC, whole seconds. */
export function formatTime(epochMs: number = Date.now()): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** Parses an RFC 3339 or HTTP date and returns milliseconds since the epoch; undefined when the text is invalid. */
export function parseTime(text: string): number | undefined {
  if (!/^(?:\d{4}-\d{2}-\d{2}T|[A-Z][a-z]{2,8}, \d)/.test(text)) return undefined; // Date.parse accepts "-3" as a date
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}

/** Formats a metav1.MicroTime for JSON: RFC 3339 in UTC with six fraction digits, as Leases require. */
export function formatMicroTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}000Z`;
}

export function isDateObject(value: unknown): value is Date {
  return value instanceof Date;
}

export function copyDate(date: Date): Date {
  return new Date(date);
}
