/** metav1.Time as JSON has it: RFC 3339 in UTC, whole seconds. */
export function formatTime(epochMs: number = Date.now()): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds since the epoch of a time in RFC 3339, or as HTTP writes it; undefined when it is none. */
export function parseTime(text: string): number | undefined {
  if (!/^(?:\d{4}-\d{2}-\d{2}T|[A-Z][a-z]{2,8}, \d)/.test(text)) return undefined; // Date.parse takes "-3" for a date
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}

/** metav1.MicroTime as JSON has it: RFC 3339 in UTC with six digits, as Leases need. */
export function formatMicroTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}000Z`;
}
