import type { Resource } from './resource.js';

/** A version of a group, with its resources. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: ReadonlyMap<string, Resource>;
}

/** Every resource the server serves now. */
export class ResourceRegistry {
  private readonly versions = new Map<string, Map<string, Resource>>();
  private readonly byKind = new Map<string, Resource>();
  /** Moves whenever a resource comes or goes, for whoever caches what is derived. */
  changes = 0;
  /** Told when there is a resource more. */
  onAdded: () => void = () => undefined;
  /** Told of each resource that is not served any more. */
  onRemoved: (resource: Resource) => void = () => undefined;

  add(resource: Resource): void {
    const { apiVersion, plural, kind } = resource;
    let resources = this.versions.get(apiVersion);
    if (!resources) this.versions.set(apiVersion, (resources = new Map<string, Resource>()));
    resources.set(plural, resource);
    this.byKind.set(`${apiVersion}/${kind}`, resource);
    this.changes++;
    this.onAdded();
  }

  remove(resource: Resource): void {
    const { apiVersion, plural, kind } = resource;
    const resources = this.versions.get(apiVersion);
    if (resources?.get(plural) === resource) resources.delete(plural);
    if (resources?.size === 0) this.versions.delete(apiVersion);
    if (this.byKind.get(`${apiVersion}/${kind}`) === resource) this.byKind.delete(`${apiVersion}/${kind}`);
    this.changes++;
    this.onRemoved(resource);
  }

  find(apiVersion: string, plural: string): Resource | undefined {
    return this.versions.get(apiVersion)?.get(plural);
  }

  /** The resource of a kind; any version of its group will do when `apiVersion` is not served. */
  ofKind(apiVersion: string, kind: string): Resource | undefined {
    return this.byKind.get(`${apiVersion}/${kind}`);
  }

  /** The resource in all its versions. */
  versionsOf({ storage, plural }: Resource): Resource[] {
    const found = [...this.versions.values()].map((resources) => resources.get(plural));
    return found.filter((resource) => resource?.storage === storage) as Resource[];
  }

  hasVersion(apiVersion: string): boolean {
    return this.versions.has(apiVersion);
  }

  /** Whether a group is built in, and so has routes of its own. */
  isInstalled(group: string): boolean {
    return [...this.versions.values()].some((resources) => {
      const [first] = resources.values();
      return first?.group === group && !first.isCustom;
    });
  }

  resourcesOf(apiVersion: string): Iterable<Resource> {
    return this.versions.get(apiVersion)?.values() ?? [];
  }

  /** One resource per collection: what a walk over all objects needs. */
  *distinct(): Generator<Resource> {
    const seen = new Set<string>();
    for (const resources of this.versions.values()) {
      for (const resource of resources.values()) {
        if (seen.has(resource.storage) || !resource.verbs.has('list')) continue;
        seen.add(resource.storage);
        yield resource;
      }
    }
  }
}
