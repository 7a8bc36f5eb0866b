import type { KubeObject, ReadonlyDeep } from './kube-object.js';
import { deepEqual } from '../../base/deep-equal.js';

/** Returns whether two states of an object differ at most in `status` and the server's bookkeeping. */
export function isSameApartFromStatus(a: ReadonlyDeep<KubeObject>, b: ReadonlyDeep<KubeObject>): boolean {
  return a === b || (isSameMetadata(a, b) && haveEqualMembers(a, b, METADATA_AND_STATUS));
}

/** Returns whether two states of an object differ at most in the server's bookkeeping. */
export function isSameObject(a: ReadonlyDeep<KubeObject>, b: ReadonlyDeep<KubeObject>): boolean {
  return a === b || (isSameMetadata(a, b) && haveEqualMembers(a, b, METADATA));
}

const METADATA: ReadonlySet<string> = new Set(['metadata']);
const METADATA_AND_STATUS: ReadonlySet<string> = new Set(['metadata', 'status']);
const BOOKKEEPING: ReadonlySet<string> = new Set(['resourceVersion', 'managedFields', 'generation']);

function isSameMetadata(a: ReadonlyDeep<KubeObject>, b: ReadonlyDeep<KubeObject>): boolean {
  return haveEqualMembers(a.metadata, b.metadata, BOOKKEEPING);
}

function haveEqualMembers(a: object, b: object, ignored: ReadonlySet<string>): boolean {
  const before = a as Readonly<Record<string, unknown>>;
  const after = b as Readonly<Record<string, unknown>>;
  const isEqual = (key: string): boolean => ignored.has(key) || deepEqual(before[key], after[key]);
  return Object.keys(before).every(isEqual) && Object.keys(after).every((key) => key in before || isEqual(key));
}
