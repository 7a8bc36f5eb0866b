import { cacheKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { ListerOptions } from '../../api/selection/object-filter.js';
import type { InformerFactory } from '../../cache/informer-factory.js';
import type { Informer } from '../../cache/informer.js';
import { ForbiddenError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { listLive, readLive } from '../../controller/read/read-live.js';
import { kindsOf } from '../../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../../resource/model.js';
import type { ReviewReader } from '../../webhook/review-reader.js';

/**
 * Reads objects for webhooks: the kinds of the controllers from their caches, and other kinds from the server. Reads of a
 * cache wait until it has synced.
 */
export class CachedReader implements ReviewReader {
  private readonly cached: ReadonlySet<string>;

  constructor(
    models: readonly ResourceModel[],
    private readonly informers: InformerFactory,
    private readonly client: Client,
  ) {
    this.cached = new Set(models.flatMap(kindsOf).map(cacheKey));
  }

  async get(
    kind: KindRef,
    name: string,
    namespace: string | undefined,
    signal: AbortSignal,
  ): Promise<ReadonlyDeep<KubeObject> | undefined> {
    signal.throwIfAborted();
    const informers = this.covering(kind, namespace);
    if (informers.length === 0) return readLive(this.client, kind, name, { namespace, signal });
    await Promise.all(informers.map((informer) => informer.synced(signal)));
    return this.informers.lister(kind).get(name, namespace);
  }

  async list(kind: KindRef, options: ListerOptions, signal: AbortSignal): Promise<readonly ReadonlyDeep<KubeObject>[]> {
    signal.throwIfAborted();
    const { namespace } = options;
    const informers = this.covering(kind, namespace);
    if (informers.length === 0) return listLive(this.client, kind, options, signal);
    await Promise.all(informers.map((informer) => informer.synced(signal)));
    return this.informers.lister(kind).list(options);
  }

  /**
   * The informers that hold the kind in the namespace, or in all watched ones; none if it is not cached there, or if one
   * is not permitted to list it.
   */
  private covering(kind: KindRef, namespace: string | undefined): readonly Informer[] {
    if (!this.cached.has(cacheKey(kind))) return [];
    const informers = this.informers
      .informersFor(kind)
      .filter(({ namespace: scope }) => namespace === undefined || scope === undefined || scope === namespace);
    return informers.some(isRefused) ? [] : informers;
  }
}

function isRefused({ hasSynced, lastError }: Informer): boolean {
  return !hasSynced && lastError instanceof ForbiddenError;
}
