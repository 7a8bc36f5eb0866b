/** metav1.Time as JSON has it: RFC 3339 in UTC, whole seconds. */
export function formatTime(epochMs: number = Date.now()): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** metav1.MicroTime as JSON has it: RFC 3339 in UTC with six digits, as Leases need. */
export function formatMicroTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}000Z`;
}
