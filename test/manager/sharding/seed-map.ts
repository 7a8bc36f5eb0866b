import { Lease } from '../../../src/api/kinds/kinds.js';
import { formatShardMap } from '../../../src/manager/sharding/shard-map.js';
import type { MemoryLeases } from './memory-leases.js';
import { GROUP } from './replica.js';

/** Stores a map without members, as replicas leave it that have stopped. Few slots keep tests fast. */
export async function seedMap(server: MemoryLeases, slots: number): Promise<void> {
  const owners = Array.from({ length: slots }, () => undefined);
  const annotations = { 'kindwright.dev/shards': formatShardMap({ members: [], leaving: [], owners, isNew: false }) };
  await server.client().create(Lease, { metadata: { name: GROUP, namespace: 'default', annotations } });
}
