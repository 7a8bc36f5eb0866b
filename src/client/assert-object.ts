import { apiVersionOf, resourceName, type KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import { WatchError } from './watch-error.js';

/**
 * Rejects anything but an object of the kind with name, uid and resourceVersion, such as a Table or a Status. For a part with
 * metadata only, the server sends PartialObjectMetadata. With a namespace, rejects objects of other namespaces.
 *
 * The message names no value of the object, which can be a Secret.
 *
 * @throws WatchError (malformed)
 */
export function assertObject(
  kind: KindRef,
  object: unknown,
  verb: 'list' | 'watch',
  namespace?: string,
): asserts object is KubeObject {
  const problem = problemOf(kind, (object ?? {}) as Members, namespace);
  if (problem !== undefined) throw new WatchError(`${problem} in the ${verb} of ${resourceName(kind)}`, 'malformed');
}

type Members = Readonly<Record<string, unknown>>;

function problemOf(expected: KindRef, object: Members, inNamespace: string | undefined): string | undefined {
  const { kind, apiVersion, metadata } = object;
  if (kind !== undefined && !isExpectedKind(expected, kind)) return `unexpected kind ${shown(kind)}`;
  if (!isExpectedVersion(expected, kind, apiVersion)) return `unexpected apiVersion ${shown(apiVersion)}`;
  const { name, namespace, uid, resourceVersion } = (metadata ?? {}) as Members;
  if (!isFilledString(name) || !isFilledString(uid) || !isFilledString(resourceVersion)) {
    return 'object without name, uid or resourceVersion';
  }
  return inNamespace === undefined || namespace === inNamespace ? undefined : 'object of another namespace';
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 100) : typeof value;
}

/** Reports whether an object or a list of the kind can have this value as its `apiVersion`. */
export function isExpectedVersion(expected: KindRef, kind: unknown, apiVersion: unknown): boolean {
  if (apiVersion === undefined) return true;
  if (kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList') return apiVersion === 'meta.k8s.io/v1';
  return apiVersion === apiVersionOf(expected);
}

/** Reports whether an object of the kind can have this value as its `kind`. */
export function isExpectedKind({ kind, part }: KindRef, actual: unknown): boolean {
  return actual === kind || (part?.isMetadataOnly === true && actual === 'PartialObjectMetadata');
}

/** Reports whether a value is a string with at least one character. */
export function isFilledString(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
