import { resourceName, type KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import { WatchError } from './watch-error.js';

/**
 * Rejects anything but an object of the kind with name, uid and resourceVersion, such as a Table or a Status. For a part with
 * metadata only, the server sends PartialObjectMetadata.
 *
 * The message names no value of the object, which can be a Secret.
 *
 * @throws WatchError (malformed)
 */
export function assertObject(kind: KindRef, object: unknown, verb: 'list' | 'watch'): asserts object is KubeObject {
  const { metadata, kind: actual } = (object ?? {}) as { kind?: unknown; metadata?: KubeObject['metadata'] };
  if (actual !== undefined && !isExpectedKind(kind, actual)) {
    throw new WatchError(
      `unexpected kind ${typeof actual === 'string' ? actual.slice(0, 100) : typeof actual} in the ${verb} of ${resourceName(kind)}`,
      'malformed',
    );
  }
  const { name, uid, resourceVersion } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  if (!isFilledString(name) || !isFilledString(uid) || typeof resourceVersion !== 'string') {
    throw new WatchError(
      `object without name, uid or resourceVersion in the ${verb} of ${resourceName(kind)}`,
      'malformed',
    );
  }
}

/** Reports whether an object of the kind can have this value as its `kind`. */
export function isExpectedKind({ kind, part }: KindRef, actual: unknown): boolean {
  return actual === kind || (part?.isMetadataOnly === true && actual === 'PartialObjectMetadata');
}

/** Reports whether a value is a string with at least one character. */
export function isFilledString(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
