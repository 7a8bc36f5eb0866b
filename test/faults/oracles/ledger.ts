import { createHash } from 'node:crypto';
import { isWrite, type ProxiedCall } from '../proxy/proxied-call.js';

/** Writes that carry times or counts, or store nothing. */
const UNCOUNTED = new Set(['events', 'leases', 'selfsubjectaccessreviews', 'tokenreviews', 'subjectaccessreviews']);

/** Fields whose values differ between two runs that do the same. */
export const VOLATILE: ReadonlySet<string> = new Set([
  'resourceVersion',
  'uid',
  'managedFields',
  'lastTransitionTime',
  'creationTimestamp',
  'deletionTimestamp',
  'observedGeneration',
]);

/** The suffixes that a ReplicaSet and its pods get. */
const GENERATED_SUFFIX = /-[a-z0-9]{8,10}-[a-z0-9]{5}\b/g;

export function isCounted(call: ProxiedCall): boolean {
  return isWrite(call) && !UNCOUNTED.has(call.resource);
}

/** One write in a form that is the same in each run: verb, object, and a digest of the body without volatile fields. */
export function ledgerEntry({ verb, resource, subresource, namespace, name, body }: ProxiedCall): string {
  const where = [resource, subresource, namespace, name].filter((part) => part !== '').join('/');
  return `${verb} ${where} ${digest(body)}`;
}

function digest(body: Buffer): string {
  if (body.length === 0) return '-';
  let text = body.toString();
  try {
    text = JSON.stringify(JSON.parse(text), (key, value: unknown) => (VOLATILE.has(key) ? undefined : value));
  } catch {
    // not JSON: counts as it is
  }
  return createHash('sha256').update(text.replace(GENERATED_SUFFIX, '-*')).digest('hex').slice(0, 12);
}
