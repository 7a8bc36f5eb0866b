import { arrayAt, stringAt } from '../../objects/api-object.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { isInNetwork } from '../../validation/fields/ip-address.js';

/** The network of Services' cluster IPs. */
export const SERVICE_RANGE = '10.0.0.0/16';
const [FIRST, LAST] = [1, 0xfffe];

/** The available cluster IPs: addresses of ServiceCIDRs that no Service and no IPAddress uses. */
export class ServiceAddressPool {
  constructor(private readonly store: ObjectStore) {}

  next(): string {
    const taken = this.taken();
    for (let number = FIRST; number <= LAST; number++) {
      const address = `10.0.${number >>> 8}.${number & 0xff}`;
      if (!taken.has(address)) return address;
    }
    throw new Error(`range is full: ${SERVICE_RANGE}`);
  }

  /** Returns why an address cannot be allocated to a Service; a dry run checks the first range only. */
  problemOf(address: string, isDryRun: boolean): string | undefined {
    if (isDryRun)
      return isInNetwork(address, SERVICE_RANGE)
        ? undefined
        : `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${SERVICE_RANGE}`;
    if (!this.networks().some((network) => isInNetwork(address, network)))
      return 'the provided network does not match the current range';
    return this.taken().has(address) ? 'provided IP is already allocated' : undefined;
  }

  private taken(): Set<string> {
    const taken = new Set<string>();
    for (const { object } of this.store.collection('services').range('')) taken.add(stringAt(object.spec, 'clusterIP'));
    for (const { key } of this.store.collection('ipaddresses.networking.k8s.io').range('')) taken.add(key);
    return taken;
  }

  private networks(): string[] {
    return [...this.store.collection('servicecidrs.networking.k8s.io').range('')]
      .filter(({ object }) => object.metadata.deletionTimestamp === undefined)
      .flatMap(({ object }) => arrayAt(object.spec, 'cidrs').map(String));
  }
}
