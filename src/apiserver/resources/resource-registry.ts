import type { Resource } from './resource.js';

/** The resources of one version of a group. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: ReadonlyMap<string, Resource>;
}

/** Called when a resource starts or stops being served. */
export type ResourceListener = (change: 'ADDED' | 'REMOVED', resource: Resource) => void;

/** The resources that the server serves. */
export class ResourceRegistry {
  private readonly versions = new Map<string, Map<string, Resource>>();
  private readonly byKind = new Map<string, Resource>();
  private readonly listeners: ResourceListener[] = [];
  /** Incremented by each change, so that derived values can be cached. */
  changes = 0;

  /** Calls a listener after each change, for the lifetime of the registry. */
  subscribe(listener: ResourceListener): void {
    this.listeners.push(listener);
  }

  add(resource: Resource): void {
    const { apiVersion, plural, kind } = resource;
    let resources = this.versions.get(apiVersion);
    if (!resources) this.versions.set(apiVersion, (resources = new Map<string, Resource>()));
    resources.set(plural, resource);
    this.byKind.set(`${apiVersion}/${kind}`, resource);
    this.changed('ADDED', resource);
  }

  remove(resource: Resource): void {
    const { apiVersion, plural, kind } = resource;
    const resources = this.versions.get(apiVersion);
    if (resources?.get(plural) === resource) resources.delete(plural);
    if (resources?.size === 0) this.versions.delete(apiVersion);
    if (this.byKind.get(`${apiVersion}/${kind}`) === resource) this.byKind.delete(`${apiVersion}/${kind}`);
    this.changed('REMOVED', resource);
  }

  private changed(change: 'ADDED' | 'REMOVED', resource: Resource): void {
    this.changes++;
    for (const listener of this.listeners) listener(change, resource);
  }

  find(apiVersion: string, plural: string): Resource | undefined {
    return this.versions.get(apiVersion)?.get(plural);
  }

  /** Returns the resource of a kind in a version. */
  ofKind(apiVersion: string, kind: string): Resource | undefined {
    return this.byKind.get(`${apiVersion}/${kind}`);
  }

  /** Returns the resource in all its versions. */
  versionsOf({ storage, plural }: Resource): Resource[] {
    const found = [...this.versions.values()].map((resources) => resources.get(plural));
    return found.filter((resource) => resource?.storage === storage) as Resource[];
  }

  hasVersion(apiVersion: string): boolean {
    return this.versions.has(apiVersion);
  }

  /** Reports whether a group is built in. */
  isInstalled(group: string): boolean {
    return [...this.versions.values()].some((resources) => {
      const [first] = resources.values();
      return first?.group === group && !first.isCustom;
    });
  }

  resourcesOf(apiVersion: string): Iterable<Resource> {
    return this.versions.get(apiVersion)?.values() ?? [];
  }

  /** Yields one resource per collection, to visit all objects once. */
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
