/** A metav1.Status: the body of an error response. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  status?: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  code?: number;
  details?: StatusDetails;
}

/** metav1.StatusDetails. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: { reason?: string; message?: string; field?: string }[];
  retryAfterSeconds?: number;
}

export function isStatus(value: unknown): value is Status {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, apiVersion } = value as Record<string, unknown>;
  return kind === 'Status' && apiVersion === 'v1';
}
