import { sortedMembers } from '../../../base/sorted-members.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { numberAt, objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import { controlledBy, type ClusterClient } from '../cluster-client.js';
import { templateHash } from './template-hash.js';

const DEFAULT_HISTORY = 10;

/** Stores the pod templates of a StatefulSet or DaemonSet as ControllerRevisions. */
export class ControllerRevisions {
  readonly resource: Resource;

  constructor(
    private readonly client: ClusterClient,
    private readonly owner: Resource,
    /** Label with the hash of the template. */
    private readonly hashLabel: string,
  ) {
    this.resource = client.resource('apps/v1', 'controllerrevisions');
  }

  /** The revisions of an owner, oldest first. */
  list(owner: ApiObject): ApiObject[] {
    return this.client.ownedBy(this.resource, owner).sort((a, b) => revisionOf(a) - revisionOf(b));
  }

  /**
   * Returns the revision of the present template; creates it if missing, and makes it the newest if it is an old one.
   */
  current(owner: ApiObject): ApiObject {
    const present = this.list(owner);
    const data = revisionData(owner);
    const same = present.find((revision) => deepEqual(revision.data, data));
    const next = revisionOf(present.at(-1)) + 1;
    if (!same) return this.create(owner, data, next);
    if (same !== present.at(-1)) this.client.update(this.resource, same, (old) => ({ ...old, revision: next }));
    return same;
  }

  /** Deletes the oldest revisions beyond the history limit, except those in use. */
  prune(owner: ApiObject, inUse: ReadonlySet<string>): void {
    const limit = numberAt(owner.spec, 'revisionHistoryLimit') ?? DEFAULT_HISTORY;
    const unused = this.list(owner).filter((revision) => !inUse.has(revision.metadata.name));
    for (const revision of unused.slice(0, Math.max(0, unused.length - limit)))
      this.client.remove(this.resource, revision);
  }

  hashOf({ metadata }: ApiObject): string {
    return metadata.labels?.[this.hashLabel] ?? '';
  }

  private create(owner: ApiObject, data: JsonObject, revision: number): ApiObject {
    const hash = templateHash(JSON.stringify(data));
    const { labels } = objectAt(objectAt(objectAt(owner, 'spec'), 'template'), 'metadata');
    const { name, namespace, annotations } = owner.metadata;
    return this.client.create(this.resource, {
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels: { ...(labels as object | undefined), [this.hashLabel]: hash },
        ...(annotations && { annotations }),
        ownerReferences: [controlledBy(this.owner, owner)],
      },
      data,
      revision,
    });
  }
}

function revisionData(owner: ApiObject): JsonObject {
  const template = sortedMembers({ $patch: 'replace', ...objectAt(objectAt(owner, 'spec'), 'template') });
  return { spec: { template } };
}

function revisionOf(revision: ApiObject | undefined): number {
  return numberAt(revision, 'revision') ?? 0;
}
