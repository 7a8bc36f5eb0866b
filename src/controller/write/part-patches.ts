import { pathSegments } from '../../api/selection/field-values.js';
import { kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { isJsonObject } from '../../base/json-object.js';
import type { Logger } from '../../base/logger.js';
import { ownMember } from '../../base/own-member.js';
import { ForbiddenError } from '../../client/api-error.js';
import { createMergePatch } from './create-merge-patch.js';

/** The members of metadata that each part holds and that a write can change. */
const METADATA_PATHS = [
  ['metadata', 'labels'],
  ['metadata', 'ownerReferences'],
  ['metadata', 'finalizers'],
];
const ANNOTATIONS_PATH = ['metadata', 'annotations'];

type Path = readonly string[];

/**
 * Turns changes of objects that were read as a part into merge patches, so that the whole object is not read before.
 *
 * Guarantees: a patch changes fields of the part only; it has the uid and the resourceVersion of the part, so that the server
 * rejects it with a conflict if the object has changed, as it rejects a PUT.
 */
export class PartPatches {
  /** The kinds that the roles of the operator do not allow to patch. */
  private readonly forbidden = new Set<string>();

  /**
   * Returns undefined if the change must be made to the whole object: a transform has changed the part, the change
   * affects fields outside of the part or items that the part holds with some of their fields, or it sets null, which means
   * removal in a merge patch.
   */
  create(kind: KindRef, before: ReadonlyDeep<KubeObject>, after: ReadonlyDeep<KubeObject>): object | undefined {
    const { part } = kind;
    const { uid, resourceVersion } = before.metadata;
    if (!part?.fields || part.transform || this.forbidden.has(kindKey(kind))) return undefined;
    if (uid === undefined || resourceVersion === undefined) return undefined;
    const change = createMergePatch(before, after);
    if (!isJsonObject(change) || !isWithin(change, after, heldPaths(part.fields), [])) return undefined;
    const metadata = ownMember(change, 'metadata');
    return { ...change, metadata: { ...(isJsonObject(metadata) && metadata), uid, resourceVersion } };
  }

  /**
   * Returns whether the roles of the operator do not allow a patch. Then objects of the kind are replaced from now on, until
   * the roles do not allow that either: a permission that was missing for a moment must not decide for ever.
   */
  isForbidden(kind: KindRef, error: unknown, log: Logger): boolean {
    if (!(error instanceof ForbiddenError)) return false;
    if (error.message.includes('cannot update resource')) this.forbidden.delete(kindKey(kind));
    if (!error.message.includes('cannot patch resource')) return false;
    this.forbidden.add(kindKey(kind));
    log.warn(
      `The roles of the operator do not allow to patch ${kind.kind} objects: each update reads and replaces one`,
      {
        hint: `add @Rbac(${kind.kind}, 'patch') to the class, then run generate-manifests and apply the generated roles`,
      },
    );
    return true;
  }
}

function heldPaths(fields: readonly string[]): Path[] {
  const paths = fields.map(pathSegments).filter(([head]) => head !== 'metadata');
  const hasAnnotations = fields.some((field) => field === 'metadata' || field === ANNOTATIONS_PATH.join('.'));
  return [...METADATA_PATHS, ...(hasAnnotations ? [ANNOTATIONS_PATH] : []), ...paths];
}

/** Returns whether a change at a path affects nothing but fields that are held. */
function isWithin(change: unknown, after: unknown, held: readonly Path[], path: Path): boolean {
  if (held.some((field) => isPrefix(field, path))) return !setsNull(change, after);
  if (!isJsonObject(change) || !isJsonObject(after) || !held.some((field) => isPrefix(path, field))) return false;
  return Object.keys(change).every((key) =>
    isWithin(ownMember(change, key), ownMember(after, key), held, [...path, key]),
  );
}

function setsNull(change: unknown, after: unknown): boolean {
  if (change === null) return after === null;
  if (!isJsonObject(change) || !isJsonObject(after)) return false;
  return Object.keys(after).some((key) => {
    const value = ownMember(after, key);
    return value === null || setsNull(ownMember(change, key), value);
  });
}

function isPrefix(prefix: Path, path: Path): boolean {
  return prefix.length <= path.length && prefix.every((segment, index) => segment === path[index]);
}
