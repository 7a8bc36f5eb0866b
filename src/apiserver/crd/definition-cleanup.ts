import { whenAnswered } from '../remote/remote-calls.js';
import type { Cancel } from '../../base/clock.js';
import { deepEqual } from '../../base/deep-equal.js';
import { CLEANUP, terminating } from '../builtin/crd-strategy.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Registry } from '../registry/registry.js';
import type { Remover } from '../registry/remover.js';
import type { Resource } from '../resources/resource.js';
import type { Collection } from '../storage/collection.js';

const STORAGE = 'customresourcedefinitions.apiextensions.k8s.io';
const IN_PROGRESS = { reason: 'InstanceDeletionInProgress', message: 'CustomResource deletion is in progress' };
const RETRY_MS = 1000;

export interface CleanupOptions {
  readonly registry: Registry;
  readonly remover: Remover;
  /** Returns the storage version of a definition's resource; undefined when it was never served. */
  readonly storedVersion: (name: string) => Resource | undefined;
  readonly writeStatus: (old: ApiObject, next: ApiObject) => void;
  /** Reconciles the definition again. */
  readonly again: (name: string) => void;
}

/**
 * Deletes the objects of terminating definitions, and then the definitions: crd_finalizer.go of
 * apiextensions-apiserver.
 */
export class DefinitionCleanup {
  /** Definitions with a deletion in progress or a scheduled retry. */
  private readonly busy = new Set<string>();
  private readonly retries = new Set<Cancel>();

  constructor(private readonly options: CleanupOptions) {}

  stop(): void {
    for (const cancel of this.retries) cancel();
  }

  /** Deletes the objects; completes when those with finalizers are deleted too. Never rejects. */
  async cleanUp(definition: ApiObject): Promise<void> {
    const { name, finalizers = [] } = definition.metadata;
    if (!finalizers.includes(CLEANUP) || this.busy.has(name)) return;
    const next = terminating(definition, this.options.registry.now(), IN_PROGRESS);
    if (!deepEqual(next.status, definition.status)) {
      this.options.writeStatus(definition, next); // the write triggers this method again
      return;
    }
    const resource = this.options.storedVersion(name);
    const collection = resource && this.options.registry.store.collection(resource.storage);
    if (collection) {
      this.busy.add(name);
      try {
        await this.deleteAll(resource, collection);
      } catch (error) {
        this.fail(name, error as Error);
        return;
      }
      this.busy.delete(name);
    }
    this.finishWhenEmpty(name, collection);
  }

  /** Deletes the objects in their stored version, which needs no webhook, and without admission. */
  private async deleteAll(resource: Resource, collection: Collection): Promise<void> {
    const all = [...collection.range('')];
    await resource.codec.prepare?.(all.map(({ object }) => object));
    for (const { key, object } of all) {
      const { name, namespace } = object.metadata;
      await whenAnswered(() => {
        const isGoing = collection.objects.get(key)?.object.metadata.deletionTimestamp !== undefined;
        if (collection.objects.has(key) && !isGoing) this.options.remover.removeAdmitted(resource, name, namespace, {});
      });
    }
  }

  private fail(name: string, { message }: Error): void {
    const { registry, writeStatus, again } = this.options;
    const old = registry.store.get(STORAGE, name)?.object;
    const how = { reason: 'InstanceDeletionFailed', message: `could not list instances: ${message}` };
    if (old) writeStatus(old, terminating(old, registry.now(), how));
    const cancel = registry.clock.schedule(RETRY_MS, () => {
      this.retries.delete(cancel);
      this.busy.delete(name);
      again(name);
    });
    this.retries.add(cancel);
  }

  private finishWhenEmpty(name: string, collection: Collection | undefined): void {
    if (!collection || collection.objects.size === 0) {
      this.finish(name);
      return;
    }
    const stop = collection.subscribe(() => {
      if (collection.objects.size > 0) return;
      stop();
      setImmediate(() => this.finish(name));
    });
  }

  private finish(name: string): void {
    const { store } = this.options.registry;
    const stored = store.get(STORAGE, name);
    if (!stored) return;
    const finalizers = (stored.object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP);
    const next = { ...stored.object, metadata: { ...stored.object.metadata, finalizers } };
    if (finalizers.length === 0) store.removeAs(STORAGE, name, next);
    else store.put(STORAGE, name, next);
  }
}
