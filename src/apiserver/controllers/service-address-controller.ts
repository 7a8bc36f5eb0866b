import { deepEqual } from '../../base/deep-equal.js';
import { clusterIpsOf } from '../objects/service-type.js';
import { objectAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { familyOf } from '../validation/fields/ip-address.js';
import type { ClusterClient } from './cluster-client.js';
import { follow } from './follow.js';
import { ReconcileQueue } from './reconcile-queue.js';

/** Label of addresses allocated for Services. */
export const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
export const ALLOCATOR = 'ipallocator.k8s.io';
const FAMILY = 'ipaddress.kubernetes.io/ip-family';
/** Time for which an address is kept without the Service that it references. */
const GRACE_MS = 60_000;

/**
 * Maintains an IPAddress for each cluster IP of a Service. It combines the allocator of kube-apiserver and its repair
 * loop, and therefore also runs without other controllers.
 */
export class ServiceAddressController {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly services;
  private readonly addresses;
  /** Keys of Services by address. */
  private readonly holders = new Map<string, string>();
  /** Addresses that a Service has released. */
  private readonly released = new Set<string>();

  constructor(private readonly client: ClusterClient) {
    this.services = client.resource('v1', 'services');
    this.addresses = client.resource('networking.k8s.io/v1', 'ipaddresses');
    this.queue = new ReconcileQueue('ipaddresses', client.clock, client.logger, (address) => this.reconcile(address));
    this.unsubscribe = [
      follow(client.store, this.services.storage, ({ type, current, previous }) => {
        for (const address of previous ? addressesOf(previous.object) : []) this.release(address);
        for (const address of addressesOf(current.object))
          if (type === 'DELETED') this.release(address);
          else this.hold(address, current.key);
      }),
      follow(client.store, this.addresses.storage, ({ type, current }) => {
        if (type !== 'DELETED') this.queue.add(current.key);
      }),
    ];
  }

  stop(): void {
    this.queue.shutDown();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private hold(address: string, service: string): void {
    this.holders.set(address, service);
    this.queue.add(address);
  }

  private release(address: string): void {
    this.holders.delete(address);
    this.released.add(address);
    this.queue.add(address);
  }

  private reconcile(address: string): void {
    const isReleased = this.released.delete(address);
    const present = this.client.get(this.addresses, address);
    const service = this.client.get(this.services, this.holders.get(address) ?? '');
    if (service) this.keep(address, present, service);
    else if (present?.metadata.labels?.[MANAGED_BY] === ALLOCATOR) this.collect(address, present, isReleased);
  }

  private keep(address: string, present: ApiObject | undefined, { metadata }: ApiObject): void {
    const { name, namespace } = metadata;
    const labels = { [FAMILY]: familyOf(address) ?? 'IPv4', [MANAGED_BY]: ALLOCATOR };
    const parentRef = { resource: 'services', namespace, name };
    if (present && isExpected(present, labels, parentRef)) return;
    if (present) this.client.remove(this.addresses, present);
    this.client.create(this.addresses, { metadata: { name: address, labels }, spec: { parentRef } });
  }

  private collect(address: string, present: ApiObject, isReleased: boolean): void {
    const left = Date.parse(present.metadata.creationTimestamp ?? '') + GRACE_MS - this.client.clock.now();
    const { group = '', resource } = objectAt(objectAt(present, 'spec'), 'parentRef');
    const isAwaited = !isReleased && group === '' && resource === 'services' && left > 0;
    if (isAwaited) this.queue.addAfter(address, left);
    else this.client.remove(this.addresses, present);
  }
}

function isExpected(
  { metadata, spec }: ApiObject,
  labels: Readonly<Record<string, string>>,
  parentRef: JsonObject,
): boolean {
  const hasLabels = Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);
  return hasLabels && deepEqual(objectAt({ spec }, 'spec').parentRef, parentRef);
}

function addressesOf({ spec }: ApiObject): string[] {
  return clusterIpsOf(objectAt({ spec }, 'spec')).filter((address) => address !== '' && address !== 'None');
}
