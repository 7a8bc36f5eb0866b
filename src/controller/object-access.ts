import { cacheKey } from '../api/kinds/kind-ref.js';
import { deepEqual } from '../base/deep-equal.js';
import { kindsOf } from '../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../resource/model.js';
import type { KindControllerOptions } from './kind-controller-options.js';
import { CachedKinds } from './read/cached-kinds.js';
import type { OnDemandWatches } from './watches/on-demand-watches.js';
import { Applier } from './write/applier.js';
import { ChildCreator } from './write/child-creator.js';
import { ReconcileClient } from './run/reconcile-client.js';
import { ObjectUpdater } from './write/object-updater.js';
import { ObjectWriter } from './write/object-writer.js';
import { OwnerCheck } from './write/owner-check.js';

/** The parts of a controller that read and write objects. Versions of a class that watch the same kinds share them. */
export interface ObjectAccess {
  readonly client: ReconcileClient;
  readonly caches: CachedKinds;
  readonly writer: ObjectWriter;
  readonly ownerCheck: OwnerCheck;
  readonly applier: Applier;
  readonly creator: ChildCreator;
  readonly updater: ObjectUpdater;
  /** Uses the informers of the present namespaces. */
  readonly renew: () => void;
  /** Must be called when no version of the class uses it any more; informers that nothing else uses are stopped. */
  readonly release: () => Promise<void>;
}

export function createObjectAccess(
  model: ResourceModel,
  options: Pick<KindControllerOptions, 'informers' | 'client' | 'fence' | 'clock'>,
  watches: OnDemandWatches,
): ObjectAccess {
  const { informers, fence, clock } = options;
  const { kind, className, owns, controller } = model;
  const scope = informers.scope();
  const caches = new CachedKinds(scope, kindsOf(model), className, watches, model.indexes);
  const recordOwnFields = (): void => {
    for (const owned of owns)
      for (const informer of caches.informersFor(owned.kind)) informer.listedFields.addManager(controller.fieldManager);
  };
  recordOwnFields();
  const client = new ReconcileClient(options.client, controller.fieldManager);
  const writer = new ObjectWriter(client, caches, fence);
  const ownerCheck = new OwnerCheck(kind, client, caches);
  const applier = new Applier(kind, client, caches, writer, ownerCheck, {
    clock,
    formerFieldManagers: controller.formerFieldManagers,
  });
  const creator = new ChildCreator(kind, client, caches, writer, ownerCheck);
  const updater = new ObjectUpdater(caches, writer);
  const disconnect = watches.onDelete((watched, object) => {
    applier.forget(watched, object.metadata.name, object.metadata.namespace);
    ownerCheck.childDeleted(object);
  });
  const renew = (): void => {
    caches.renew();
    recordOwnFields();
    ownerCheck.renew();
  };
  const release = async (): Promise<void> => {
    disconnect();
    ownerCheck.close();
    await scope.release();
  };
  return { client, caches, writer, ownerCheck, applier, creator, updater, renew, release };
}

/** Returns whether two versions of a class can use the same access. */
export function hasSameAccess(model: ResourceModel, other: ResourceModel): boolean {
  return deepEqual(accessOf(model), accessOf(other));
}

function accessOf(model: ResourceModel): object {
  const { kind, owns, controller } = model;
  const owned = owns.map((each) => cacheKey(each.kind));
  return {
    kind: cacheKey(kind),
    owned,
    kinds: kindsOf(model).map(cacheKey),
    manager: controller.fieldManager,
    former: controller.formerFieldManagers,
  };
}
