import { laterTurn } from '../base/turns.js';
import { randomNumber } from '../base/random.js';
import { resourceName, type KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject, ObjectMeta, ReadonlyDeep } from '../api/objects/kube-object.js';
import { keyOf, objectKey, type ObjectKey } from '../api/objects/object-key.js';
import { partOf } from '../api/selection/part-of.js';
import { elapsed, sleep, type Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { Informer } from './informer.js';
import type { ListWatcher } from './list-watcher.js';

export interface WatchAuditOptions {
  readonly client: Pick<ListWatcher, 'list'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The shortest time between two comparisons; the longest is twice that, so that those of all kinds spread. */
  readonly intervalMs: number;
  /** Called with the number of objects that differ from the server. */
  readonly onMissed: (informer: Informer, objects: number) => void;
  /** Returns a number from 0 to 1, excluding 1. */
  readonly random?: () => number;
}

/** The time in which a slow watch delivers a change, and in which LivenessProbe finds a dead one. */
const DELIVERY_MS = 60_000;

/** The time after a watch that ended early until the cache is compared: etcd may have been restored meanwhile. */
const AFTER_OUTAGE_MS = 30_000;

/** Objects that are looked up in one turn of the event loop, which takes about 5 ms. */
const SLICE = 5000;

/** The shortest time between two comparisons: a load balancer may end each watch after a minute. */
const SHORTEST_INTERVAL_MS = 300_000;

/**
 * The version of an object on the server, and in the cache, with uid and generation: after a restore of etcd, another object
 * can have the version. Undefined where it does not exist.
 */
interface Difference {
  readonly onServer: string | undefined;
  readonly inCache: string | undefined;
}

/**
 * Compares a cache with the server from time to time, and after a watch that failed or ended early, by the versions of the
 * objects only. Client-go has no such check: a change that a watch does not deliver stays unseen until the next one.
 *
 * A difference counts if it is the same in a second list, a minute later. It means that the watch has missed an event,
 * for example because etcd was restored from a backup; then all objects are listed again.
 *
 * The list contains metadata only, in pages of 500 objects, and has the selectors of the cache.
 */
export class WatchAudit {
  constructor(private readonly options: WatchAuditOptions) {}

  /** Audits an informer until the signal is aborted; never rejects. */
  async run(informer: Informer, signal: AbortSignal): Promise<void> {
    const { clock, intervalMs, random = () => randomNumber('time of an audit') } = this.options;
    const outage = { isPending: false, reported: new AbortController() };
    const unsubscribe = informer.onInterrupted(() => {
      if (outage.isPending) return;
      outage.isPending = true;
      outage.reported.abort();
    });
    let earliestMs = 0;
    while (!signal.aborted) {
      const afterOutageMs = Math.max(AFTER_OUTAGE_MS, earliestMs - clock.monotonic());
      const waitMs = outage.isPending ? afterOutageMs : intervalMs * (1 + random());
      if (!(await elapsed(clock, waitMs, AbortSignal.any([signal, outage.reported.signal])))) {
        outage.reported = new AbortController();
        continue;
      }
      const { isPending } = outage;
      outage.isPending = false; // set again by an outage during the comparison
      if (await this.isAudited(informer, signal)) earliestMs = clock.monotonic() + SHORTEST_INTERVAL_MS;
      else outage.isPending ||= isPending;
    }
    unsubscribe();
  }

  /** Returns false if the informer or the server cannot be compared now. */
  private async isAudited(informer: Informer, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.audit(informer, signal);
    } catch (err) {
      this.options.logger.debug('Watch audit ended', { resource: resourceName(informer.kind), err });
      return false;
    }
  }

  private async audit(informer: Informer, signal: AbortSignal): Promise<boolean> {
    if (!isConnected(informer)) return false;
    const suspects = await this.differences(informer, signal);
    if (suspects.size === 0) return true;
    await sleep(this.options.clock, DELIVERY_MS, signal);
    if (!isConnected(informer)) return false;
    const missed = confirmed(suspects, await this.differences(informer, signal));
    if (missed.length > 0) this.correct(informer, missed);
    return true;
  }

  private correct(informer: Informer, missed: readonly ObjectKey[]): void {
    const { logger, onMissed } = this.options;
    logger.error('The watch has missed events; all objects are listed again', {
      resource: resourceName(informer.kind),
      objects: missed.length,
      first: missed[0],
    });
    onMissed(informer, missed.length);
    informer.relist();
  }

  private async differences(informer: Informer, signal: AbortSignal): Promise<Map<ObjectKey, Difference>> {
    const { kind, namespace } = informer;
    const scope = namespace === undefined ? {} : { namespace };
    const request = { ...scope, keepManagedFields: false, retries: 0, signal };
    const { items } = await this.options.client.list(versionsOf(kind), request);
    const found = new Map<ObjectKey, Difference>();
    let cached = 0;
    for (const [index, { metadata }] of items.entries()) {
      if (index % SLICE === SLICE - 1) await laterTurn();
      const inCache = informer.lister.get(metadata.name, metadata.namespace)?.metadata;
      if (inCache) cached++;
      if (!inCache || !isSameVersion(metadata, inCache)) {
        const key = keyOf(metadata.name, metadata.namespace);
        found.set(key, { onServer: versionText(metadata), inCache: inCache && versionText(inCache) });
      }
    }
    if (cached < informer.lister.size) await addDeleted(found, informer, items);
    return found;
  }
}

/** Adds the objects that only the cache has. */
async function addDeleted(
  found: Map<ObjectKey, Difference>,
  { lister }: Informer,
  onServer: readonly KubeObject[],
): Promise<void> {
  const keys = new Set<ObjectKey>();
  for (const [index, object] of onServer.entries()) {
    if (index % SLICE === SLICE - 1) await laterTurn();
    keys.add(objectKey(object));
  }
  let index = 0;
  for (const object of lister.values()) {
    if (++index % SLICE === 0) await laterTurn();
    const key = objectKey(object);
    if (!keys.has(key)) found.set(key, { onServer: undefined, inCache: versionText(object.metadata) });
  }
}

/** A transform of a part may have removed the uid and the generation. */
function isSameVersion(a: ReadonlyDeep<ObjectMeta>, b: ReadonlyDeep<ObjectMeta>): boolean {
  return a.resourceVersion === b.resourceVersion && !isOther(a.uid, b.uid) && !isOther(a.generation, b.generation);
}

function isOther(a: string | number | undefined, b: string | number | undefined): boolean {
  return a !== b && a !== undefined && b !== undefined;
}

function versionText({ uid, resourceVersion, generation }: ReadonlyDeep<ObjectMeta>): string {
  return [uid, resourceVersion, generation].join(' ');
}

/** A lost connection is reported already, and ends with a resumed watch or a list. */
function isConnected({ hasSynced, lastError }: Informer): boolean {
  return hasSynced && lastError === undefined;
}

/** Returns the part of the kind with the same objects, but their versions only. */
function versionsOf({ part, ...kind }: KindRef): KindRef {
  const { labelSelector, fieldSelector } = part ?? {};
  return partOf(kind, {
    metadataOnly: true,
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
    transform: versionOnly,
  });
}

/** Keeps the memory of a list of many objects small. */
function versionOnly({ metadata, ...type }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, generation } = metadata;
  return { ...type, metadata: { name, namespace, uid, resourceVersion, generation } } as KubeObject;
}

/** Returns the keys with the same versions in two comparisons, on the server and in the cache. */
function confirmed(before: ReadonlyMap<ObjectKey, Difference>, after: ReadonlyMap<ObjectKey, Difference>): ObjectKey[] {
  return [...after].flatMap(([key, { onServer, inCache }]) => {
    const first = before.get(key);
    return first && first.onServer === onServer && first.inCache === inCache ? [key] : [];
  });
}
