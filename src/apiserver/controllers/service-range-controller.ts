import { setCondition, type ConditionLike } from '../../api/objects/condition.js';
import { arrayAt, objectAt, type ApiObject } from '../objects/api-object.js';
import { isInNetwork } from '../validation/fields/ip-address.js';
import type { ClusterClient } from './cluster-client.js';
import { follow } from './follow.js';
import { ReconcileQueue } from './reconcile-queue.js';
import { ALLOCATOR, MANAGED_BY } from './service-address-controller.js';

const FINALIZER = 'networking.k8s.io/service-cidr-finalizer';
const READY = { type: 'Ready', status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
const IN_USE = {
  type: 'Ready',
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
};

/** Keeps each ServiceCIDR while addresses are in use that are in no other one. */
export class ServiceRangeController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly ranges;
  private readonly addresses;

  constructor(private readonly client: ClusterClient) {
    this.ranges = client.resource('networking.k8s.io/v1', 'servicecidrs');
    this.addresses = client.resource('networking.k8s.io/v1', 'ipaddresses');
    this.queue = new ReconcileQueue('servicecidrs', client.clock, client.logger, (name) => this.reconcile(name));
    this.unsubscribe = [
      follow(client.store, this.ranges.storage, ({ type, current }) => {
        if (type === 'DELETED') this.queueTerminating();
        else this.queue.add(current.key);
      }),
      client.store.collection(this.addresses.storage).subscribe(({ type }) => {
        if (type === 'DELETED') this.queueTerminating();
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private queueTerminating(): void {
    for (const { metadata } of this.client.list(this.ranges))
      if (metadata.deletionTimestamp !== undefined) this.queue.add(metadata.name);
  }

  private reconcile(name: string): void {
    const range = this.client.get(this.ranges, name);
    if (!range) return;
    const isTerminating = range.metadata.deletionTimestamp !== undefined;
    if (isTerminating && !this.isNeeded(range)) {
      this.setFinalizers(range, false);
      return;
    }
    if (!isTerminating) this.setFinalizers(range, true);
    const present = this.client.get(this.ranges, name) ?? range;
    const conditions = arrayAt(present.status, 'conditions') as ConditionLike[];
    const next = setCondition(conditions, isTerminating ? IN_USE : READY, this.client.now);
    this.client.updateStatus(this.ranges, present, { ...objectAt(present, 'status'), conditions: next });
  }

  private setFinalizers(range: ApiObject, isKept: boolean): void {
    const { finalizers = [] } = range.metadata;
    if (finalizers.includes(FINALIZER) === isKept) return;
    const next = isKept ? [...finalizers, FINALIZER] : finalizers.filter((finalizer) => finalizer !== FINALIZER);
    this.client.update(this.ranges, range, (old) => ({ ...old, metadata: { ...old.metadata, finalizers: next } }));
  }

  /** Returns whether an address is in use that is only in this range. */
  private isNeeded(range: ApiObject): boolean {
    const isOther = ({ metadata }: ApiObject): boolean =>
      metadata.name !== range.metadata.name && metadata.deletionTimestamp === undefined;
    const others = networksOf([...this.client.list(this.ranges)].filter(isOther));
    const has = (networks: readonly string[], address: string): boolean =>
      networks.some((network) => isInNetwork(address, network));
    return [...this.client.list(this.addresses)]
      .filter(({ metadata }) => metadata.labels?.[MANAGED_BY] === ALLOCATOR)
      .some(({ metadata }) => has(networksOf([range]), metadata.name) && !has(others, metadata.name));
  }
}

function networksOf(ranges: readonly ApiObject[]): string[] {
  return ranges.flatMap(({ spec }) => arrayAt(spec, 'cidrs').map(String));
}
