import { resourceName, type KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import { WatchError } from './watch-error.js';

/**
 * Rejects anything but an object of the kind with name and resourceVersion, such as a Table or a Status. For a part with
 * metadata only, the server sends PartialObjectMetadata.
 *
 * The message names no value of the object, which can be a Secret.
 *
 * @throws WatchError (malformed)
 */
export function assertObject(kind: KindRef, object: unknown, verb: 'list' | 'watch'): asserts object is KubeObject {
  const { metadata, kind: actual } = (object ?? {}) as { kind?: unknown; metadata?: KubeObject['metadata'] };
  if (actual !== undefined && !isExpected(kind, actual)) {
    throw new WatchError(
      `unexpected kind ${typeof actual === 'string' ? actual.slice(0, 100) : typeof actual} in the ${verb} of ${resourceName(kind)}`,
      'malformed',
    );
  }
  if (!metadata?.name || typeof metadata.resourceVersion !== 'string') {
    throw new WatchError(`object without name or resourceVersion in the ${verb} of ${resourceName(kind)}`, 'malformed');
  }
}

function isExpected({ kind, part }: KindRef, actual: unknown): boolean {
  return actual === kind || (part?.isMetadataOnly === true && actual === 'PartialObjectMetadata');
}
