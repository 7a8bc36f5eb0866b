import { isCacheIndex, type CacheIndex } from '../../api/selection/cache-index.js';
import { holdsField } from '../../api/selection/field-match.js';
import { kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import { INDEX } from '../decorators/index-decorator.js';
import type { Diagnostics } from '../diagnostics.js';
import { decoratorUse, inheritedMetadata } from '../metadata.js';
import type { Problem } from '../model-error.js';

type Target = abstract new (...args: never[]) => object;

/** The indexes of `@Index`, which a cache of each of their kinds can hold. `kinds` are the cached kinds of the class. */
export function cacheIndexesOf(target: Target, kinds: readonly KindRef[], diagnostics: Diagnostics): CacheIndex[] {
  const indexes = inheritedMetadata(INDEX, target);
  return indexes.filter((index, position) => {
    const found = problemOf(index, kinds) ?? (indexes.indexOf(index) < position ? DUPLICATE : undefined);
    if (!found) return true;
    const decorator = decoratorUse(INDEX, target, position);
    diagnostics.add({ target, decorator }, `@Index: ${found[0]}`, found[1]);
    return false;
  });
}

const DUPLICATE: Problem = ['the index is declared already', 'remove one'];

/** Returns whether the cache of a kind, or of a part of it, can hold an index. */
export function canHoldIndex(kind: KindRef, { kind: indexed, fields }: CacheIndex): boolean {
  return kindKey(kind) === kindKey(indexed) && fields.every((path) => holdsField(kind, path));
}

function problemOf(index: CacheIndex, kinds: readonly KindRef[]): Problem | undefined {
  if (!isCacheIndex(index)) return ['not an index', `@Index(indexBy(Pod, { reads: ['spec.nodeName'] }))`];
  const { kind, fields } = index;
  const cached = kinds.filter((candidate) => kindKey(candidate) === kindKey(kind));
  if (cached.length === 0)
    return [
      `${kind.kind} objects are not cached`,
      `@Watches(${kind.kind}, …) or @Owns(${kind.kind}), or an index of a kind that the class caches`,
    ];
  if (cached.some((candidate) => canHoldIndex(candidate, index))) return undefined;
  const missing = fields.filter((path) => !cached.some((candidate) => holdsField(candidate, path)));
  const names = (missing.length > 0 ? missing : fields).join(', ');
  return [
    `the cached part of ${kind.kind} does not have ${names}`,
    `add the fields to partOf(${kind.kind}, { fields: […] }), or remove them from the index`,
  ];
}
