import type { WebhookClient } from '../remote/webhook-client.js';
import { deepEqual } from '../../base/deep-equal.js';
import { type ApiObject, eachObject, objectAt, stringAt } from '../objects/api-object.js';
import type { CustomGroup } from '../discovery/discovery.js';
import type { PublishedVersion } from '../discovery/published-version.js';
import type { Registry } from '../registry/registry.js';
import { resourceFieldManager } from '../registry/resource-field-manager.js';
import type { Remover } from '../registry/remover.js';
import type { Resource } from '../resources/resource.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { StoreEvent } from '../storage/stored-object.js';
import { acceptedOf } from './accepted-names.js';
import { customResource } from './custom-resource.js';
import { DefinitionCleanup } from './definition-cleanup.js';
import { definitionStatus, isEstablished } from './definition-status.js';
import { compareVersions } from './version-priority.js';
import { publishedVersion } from './crd-openapi.js';

const STORAGE = 'customresourcedefinitions.apiextensions.k8s.io';

interface Served {
  readonly spec: unknown;
  readonly resources: readonly Resource[];
  /** The resource in the storage version, served or not. */
  readonly storedVersion: Resource | undefined;
  readonly published: readonly PublishedVersion[];
}

/** Serves the resources that CustomResourceDefinitions define, and follows their changes. */
export class CustomResources {
  private readonly served = new Map<string, Served>();
  private published: readonly PublishedVersion[] | undefined;
  private readonly cleanup: DefinitionCleanup;
  private readonly unsubscribe: () => void;

  constructor(
    private readonly registry: Registry,
    remover: Remover,
    private readonly resources: ResourceRegistry,
    private readonly webhooks: WebhookClient,
  ) {
    this.cleanup = new DefinitionCleanup({
      registry,
      remover,
      storedVersion: (name) => this.served.get(name)?.storedVersion,
      writeStatus: (old, next) => this.writeStatus(old, next),
      again: (name) => this.reconcileLater(name),
    });
    const definitions = registry.store.collection(STORAGE);
    for (const { object } of definitions.range('')) {
      if (isEstablished(object.status)) this.serve(object);
      this.reconcileLater(object.metadata.name); // may have been stored right before a crash
    }
    this.unsubscribe = definitions.subscribe((event) => this.onEvent(event));
  }

  stop(): void {
    this.cleanup.stop();
    this.unsubscribe();
  }

  hasGroup(group: string): boolean {
    return this.groups().some((served) => served.group === group);
  }

  /** The groups of custom resources, with versions in order of preference. */
  groups(): CustomGroup[] {
    const all = [...this.served.values()].flatMap(({ resources }) => resources);
    return [...Map.groupBy(all, ({ group }) => group)].map(([group, members]) => ({
      group,
      versions: [...new Set(members.map(({ version }) => version))].sort(compareVersions),
    }));
  }

  /** The served versions in the order of their definitions' names; the same list until a definition changes. */
  publishedVersions(): readonly PublishedVersion[] {
    const byName = [...this.served].sort(([a], [b]) => (a < b ? -1 : 1));
    return (this.published ??= byName.flatMap(([, { published }]) => published));
  }

  private onEvent({ type, current }: StoreEvent): void {
    const { name } = current.object.metadata;
    if (type !== 'DELETED') {
      this.reconcileLater(name);
      return;
    }
    this.drop(name);
    // Its names are now free for other definitions of the group.
    for (const { metadata, status } of this.definitions())
      if (!isEstablished(status)) this.reconcileLater(metadata.name);
  }

  /** Reconciles after the response to the writer, like a controller. */
  private reconcileLater(name: string): void {
    setImmediate(() => {
      const stored = this.registry.store.get(STORAGE, name);
      if (stored) this.reconcile(stored.object);
    });
  }

  private definitions(): ApiObject[] {
    return [...this.registry.store.collection(STORAGE).range('')].map(({ object }) => object);
  }

  private reconcile(definition: ApiObject): void {
    if (definition.metadata.deletionTimestamp !== undefined) {
      void this.cleanup.cleanUp(definition);
      return;
    }
    const status = definitionStatus(definition, this.definitions(), this.registry.now());
    if (isEstablished(status)) this.serve({ ...definition, status });
    if (!deepEqual(status, definition.status)) this.writeStatus(definition, { ...definition, status });
  }

  /** Writes the status as the server's own user. */
  private writeStatus(old: ApiObject, next: ApiObject): void {
    const resource = this.resources.find('apiextensions.k8s.io/v1', 'customresourcedefinitions');
    if (!resource) return;
    const manager = resourceFieldManager(resource, { subresource: 'status' }, this.registry.now());
    this.registry.store.put(STORAGE, next.metadata.name, manager.update(old, next, 'kube-apiserver'));
  }

  private serve(given: ApiObject): void {
    const { name } = given.metadata;
    const spec = { ...objectAt(given, 'spec'), names: acceptedOf(given) };
    const definition: ApiObject = { ...given, spec };
    const present = this.served.get(name);
    if (present && deepEqual(present.spec, definition.spec)) return;
    this.drop(name);
    const versions = eachObject(objectAt(definition, 'spec').versions);
    const options = { webhooks: this.webhooks, inherited: this.objectsOf(definition) };
    const needed = versions.filter(({ served, storage }) => served === true || storage === true);
    const all = needed.map((version) => customResource(definition, version, options));
    const resources = all.filter((_resource, index) => needed[index]?.served === true);
    const storedVersion = all.find(({ version, storageVersion }) => version === storageVersion);
    for (const resource of resources) this.resources.add(resource);
    const published = versions
      .filter(({ served }) => served === true)
      .map((version) => publishedVersion(definition, version));
    this.served.set(name, { spec: definition.spec, resources, storedVersion, published });
  }

  private objectsOf({ spec }: ApiObject): WeakSet<ApiObject> {
    const storage = `${stringAt(objectAt(objectAt({ spec }, 'spec'), 'names'), 'plural')}.${stringAt(spec, 'group')}`;
    return new WeakSet([...this.registry.store.collection(storage).range('')].map(({ object }) => object));
  }

  private drop(name: string): void {
    for (const resource of this.served.get(name)?.resources ?? []) this.resources.remove(resource);
    this.served.delete(name);
    this.published = undefined;
  }
}
