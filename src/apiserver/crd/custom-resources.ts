import type { WebhookClient } from '../admission/webhook/webhook-client.js';
import { setCondition, type ConditionLike } from '../../api/condition.js';
import { deepEqual } from '../../base/deep-equal.js';
import { arrayAt, isJsonObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../object.js';
import { eachObject } from '../builtin/set-default.js';
import type { CustomGroup } from '../discovery/discovery.js';
import type { Registry } from '../registry/registry.js';
import type { Remover } from '../registry/remover.js';
import type { Resource } from '../resources/resource.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { Collection } from '../storage/collection.js';
import type { StoreEvent } from '../storage/stored-object.js';
import { acceptNames } from './accepted-names.js';
import { customResource } from './custom-resource.js';
import { compareVersions } from './version-priority.js';
import { openApiDocument } from './crd-openapi.js';

const STORAGE = 'customresourcedefinitions.apiextensions.k8s.io';
const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

/** Serves the resources that CustomResourceDefinitions define, as they come, change and go. */
export class CustomResources {
  private readonly served = new Map<string, { spec: unknown; resources: Resource[] }>();
  private readonly unsubscribe: () => void;

  constructor(
    private readonly registry: Registry,
    private readonly remover: Remover,
    private readonly resources: ResourceRegistry,
    private readonly webhooks: WebhookClient,
  ) {
    const definitions = registry.store.collection(STORAGE);
    for (const { object } of definitions.range('')) {
      if (isEstablished(object.status)) this.serve(object);
      this.reconcileSoon(object.metadata.name); // it may have been stored just before the last server died
    }
    this.unsubscribe = definitions.subscribe((event) => this.onEvent(event));
  }

  stop(): void {
    this.unsubscribe();
  }

  hasGroup(group: string): boolean {
    return this.groups().some((served) => served.group === group);
  }

  /** The groups of custom resources, versions in order of preference. */
  groups(): CustomGroup[] {
    const all = [...this.served.values()].flatMap(({ resources }) => resources);
    return [...Map.groupBy(all, ({ group }) => group)].map(([group, members]) => ({
      group,
      versions: [...new Set(members.map(({ version }) => version))].sort(compareVersions),
    }));
  }

  openApi(): ReadonlyMap<string, JsonObject> {
    const documents = new Map<string, JsonObject>();
    for (const { object } of this.registry.store.collection(STORAGE).range('')) {
      for (const version of eachObject(objectAt(object, 'spec').versions)) {
        if (version.served !== true || !this.served.has(object.metadata.name)) continue;
        const path = `apis/${stringAt(object.spec, 'group')}/${stringAt(version, 'name')}`;
        documents.set(path, openApiDocument(object, version, documents.get(path)));
      }
    }
    return documents;
  }

  private onEvent({ type, current }: StoreEvent): void {
    const { name } = current.object.metadata;
    if (type === 'DELETED') {
      this.drop(name);
      const group = stringAt(current.object.spec, 'group');
      for (const other of this.definitionsOf(group)) this.reconcileSoon(other.metadata.name); // a name may be free now
      return;
    }
    this.reconcileSoon(name);
  }

  private definitionsOf(group: string): ApiObject[] {
    const all = [...this.registry.store.collection(STORAGE).range('')].map(({ object }) => object);
    return all.filter(({ spec }) => stringAt(spec, 'group') === group);
  }

  /** After the writer has its answer, as a controller would. */
  private reconcileSoon(name: string): void {
    setImmediate(() => {
      const stored = this.registry.store.get(STORAGE, name);
      if (stored) this.reconcile(stored.object);
    });
  }

  private reconcile(definition: ApiObject): void {
    const resource = this.resources.find('apiextensions.k8s.io/v1', 'customresourcedefinitions');
    if (!resource) return;
    if (definition.metadata.deletionTimestamp !== undefined) {
      this.cleanUp(resource, definition);
      return;
    }
    const status = this.statusOf(definition);
    const finalizers = [...new Set([...(definition.metadata.finalizers ?? []), CLEANUP])];
    if (isEstablished(status)) this.serve(definition);
    const isSame = deepEqual(status, definition.status) && finalizers.length === definition.metadata.finalizers?.length;
    if (isSame) return;
    const metadata = { ...definition.metadata, finalizers };
    this.registry.store.put(STORAGE, definition.metadata.name, { ...definition, metadata, status });
  }

  /** Deletes the definition's objects first; what has finalizers keeps the definition waiting. */
  private cleanUp(resource: Resource, definition: ApiObject): void {
    const { name, finalizers = [] } = definition.metadata;
    if (!finalizers.includes(CLEANUP)) return;
    const [custom] = this.served.get(name)?.resources ?? [];
    const collection = custom && this.deleteAll(custom);
    if (!collection || collection.objects.size === 0) {
      this.finish(resource, name);
      return;
    }
    const stop = collection.subscribe(() => {
      if (collection.objects.size > 0) return;
      stop();
      setImmediate(() => this.finish(resource, name));
    });
  }

  private deleteAll(custom: Resource): Collection {
    const collection = this.registry.store.collection(custom.storage);
    for (const { object } of [...collection.range('')]) {
      const { name, namespace, deletionTimestamp } = object.metadata;
      if (deletionTimestamp === undefined) this.remover.remove(custom, name, namespace, {});
    }
    return collection;
  }

  private finish(resource: Resource, name: string): void {
    const stored = this.registry.store.get(resource.storage, name);
    if (!stored) return;
    const finalizers = (stored.object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP);
    const next = { ...stored.object, metadata: { ...stored.object.metadata, finalizers } };
    if (finalizers.length === 0) this.registry.store.removeAs(STORAGE, name, next);
    else this.registry.store.put(STORAGE, name, next);
  }

  private serve(definition: ApiObject): void {
    const { name } = definition.metadata;
    const present = this.served.get(name);
    if (present && deepEqual(present.spec, definition.spec)) return;
    this.drop(name);
    const versions = eachObject(objectAt(definition, 'spec').versions).filter(({ served }) => served === true);
    const resources = versions.map((version) => customResource(definition, version, this.webhooks));
    for (const resource of resources) this.resources.add(resource);
    this.served.set(name, { spec: definition.spec, resources });
  }

  private drop(name: string): void {
    for (const resource of this.served.get(name)?.resources ?? []) this.resources.remove(resource);
    this.served.delete(name);
  }

  private statusOf(definition: ApiObject): JsonObject {
    const spec = objectAt(definition, 'spec');
    const now = this.registry.now();
    const former = isJsonObject(definition.status) ? definition.status : {};
    let conditions = arrayAt(former, 'conditions') as ConditionLike[];
    const others = this.definitionsOf(stringAt(spec, 'group')).filter(
      ({ metadata }) => metadata.name !== definition.metadata.name,
    );
    const granted = others.map(({ status }) => objectAt(objectAt({ status }, 'status'), 'acceptedNames'));
    const { names, condition } = acceptNames(objectAt(spec, 'names'), objectAt(former, 'acceptedNames'), granted);
    conditions = setCondition(conditions, { type: 'NamesAccepted', ...condition }, now);
    // Once established, it stays so.
    const established = condition.status === 'True' || isEstablished(former) ? ESTABLISHED : NOT_ESTABLISHED;
    conditions = setCondition(conditions, { type: 'Established', ...established }, now);
    const storage = eachObject(spec.versions).find((version) => version.storage === true);
    const storedVersions = [
      ...new Set([...(arrayAt(former, 'storedVersions') as string[]), stringAt(storage, 'name')]),
    ];
    return { conditions, acceptedNames: names, storedVersions };
  }
}

const ESTABLISHED = {
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
} as const;
const NOT_ESTABLISHED = { status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' } as const;

function isEstablished(status: unknown): boolean {
  return eachObject(objectAt({ status }, 'status').conditions).some(
    (condition) => condition.type === 'Established' && condition.status === 'True',
  );
}
