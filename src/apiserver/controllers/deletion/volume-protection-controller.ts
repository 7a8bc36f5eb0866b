import { keyOf } from '../../../api/objects/object-key.js';
import { stringAt, type ApiObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import type { ClusterClient } from '../cluster-client.js';
import { follow } from '../follow.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { claimsOfPod } from '../storage/claims-of-pod.js';
import { releaseUnused } from './release-unused.js';

const CLAIM = 'kubernetes.io/pvc-protection';
const VOLUME = 'kubernetes.io/pv-protection';

/** Removes the finalizers of deleted claims and volumes that are not in use. */
export class VolumeProtectionController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly claims: Resource;
  private readonly volumes: Resource;
  private readonly pods: Resource;

  constructor(private readonly client: ClusterClient) {
    this.claims = client.resource('v1', 'persistentvolumeclaims');
    this.volumes = client.resource('v1', 'persistentvolumes');
    this.pods = client.resource('v1', 'pods');
    this.queue = new ReconcileQueue('volume-protection', client.clock, client.logger, (key) => this.reconcile(key));
    const { store } = client;
    this.unsubscribe = [
      follow(store, this.claims.storage, ({ current }) => this.queue.add(current.key)),
      follow(store, this.volumes.storage, ({ current }) => this.queue.add(current.key)),
      store.collection(this.pods.storage).subscribe(({ current: { object } }) => {
        for (const name of claimsOfPod(object)) this.queue.add(keyOf(name, object.metadata.namespace));
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  /** Reconciles a claim or a volume: only keys of claims have a namespace. */
  private reconcile(key: string): void {
    if (key.includes('/'))
      releaseUnused(this.client, this.claims, { finalizer: CLAIM, key }, (claim) => this.isMounted(claim));
    else
      releaseUnused(
        this.client,
        this.volumes,
        { finalizer: VOLUME, key },
        ({ status }) => stringAt(status, 'phase') === 'Bound',
      );
  }

  private isMounted({ metadata }: ApiObject): boolean {
    for (const pod of this.client.list(this.pods, metadata.namespace)) {
      const phase = stringAt(pod.status, 'phase');
      const isOver = phase === 'Succeeded' || phase === 'Failed';
      if (!isOver && stringAt(pod.spec, 'nodeName') !== '' && claimsOfPod(pod).includes(metadata.name)) return true;
    }
    return false;
  }
}
