import type { Context } from '../../resource/context.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { Client } from '../../client/client.js';
import type { Clusters } from '../../client/clusters.js';
import type { ActingAccounts } from './acting-accounts.js';
import type { Applier } from '../write/applier.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import type { ChildCreator } from '../write/child-creator.js';
import type { ObjectUpdater } from '../write/object-updater.js';
import type { ObjectWriter } from '../write/object-writer.js';
import type { ReconcileClient } from '../run/reconcile-client.js';
import type { UnwatchedKinds } from '../read/unwatched-kinds.js';

/** Takes an event about an object; never waits and never fails. */
export type RecordEvent = (about: ReadonlyDeep<KubeObject>, ...event: Parameters<Context['event']>) => void;

/** The services that all contexts of a controller share. */
export interface ContextServices {
  readonly client: ReconcileClient;
  readonly accounts: ActingAccounts;
  readonly caches: CachedKinds;
  /** The other clusters. */
  readonly clusters: Clusters;
  /** Set if the objects are in another cluster than the operator. */
  readonly member?: ClusterMember | undefined;
  readonly writer: ObjectWriter;
  readonly applier: Applier;
  readonly creator: ChildCreator;
  readonly updater: ObjectUpdater;
  readonly unwatched: UnwatchedKinds;
  readonly record: RecordEvent;
}

/** The cluster of a controller's objects, if it is another than the operator's own. */
export interface ClusterMember {
  readonly name: string;
  /** The client of the operator's own cluster. */
  readonly home: Client;
}
