import type { Logger } from '../../base/logger.js';
import type { ResourceModel } from '../../resource/model.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import { enqueueMapped, enqueueOwner } from './event-handler.js';
import type { OwnerVersion } from '../write/owner-version.js';
import type { Source } from './source.js';
import { UnmatchedNames } from './unmatched-names.js';

/** The sources of the kinds that a class owns and watches. */
export function relatedSources(
  { kind, className, owns, watches }: ResourceModel,
  caches: CachedKinds,
  ownerVersion: Pick<OwnerVersion, 'addOutdated'>,
  log: Logger,
): Source[] {
  const scopes = caches.informersFor(kind).map(({ namespace }) => namespace ?? '');
  const namespaces = scopes.includes('') ? undefined : new Set(scopes);
  return [
    ...owns.map((owned) => ({
      name: `@${owned.isImplied ? 'Dependent' : 'Owns'}(${owned.kind.kind})`,
      className,
      informers: caches.informersFor(owned.kind),
      predicate: owned.predicate ?? everything,
      handler: enqueueOwner(kind, owned.anyOwner, (child, uid) => {
        ownerVersion.addOutdated(owned.kind, child, uid);
      }),
    })),
    ...watches.map((watched) => {
      const name = `@Watches(${watched.kind.kind})`;
      const unmatched = new UnmatchedNames(`${name} of ${className}`, kind, namespaces, log);
      return {
        ...{ name, className },
        informers: caches.informersFor(watched.kind),
        predicate: watched.predicate ?? everything,
        handler: enqueueMapped(watched.mapper, caches, kind, unmatched),
      };
    }),
  ];
}

const everything = (): boolean => true;
