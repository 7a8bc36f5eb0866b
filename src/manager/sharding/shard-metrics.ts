import type { Metrics } from '../../base/metrics.js';
import type { ShardMember } from './shard-member.js';

/** Metrics of a replica that shares objects. Returns the counter of slots that have moved. */
export function shardMetrics(
  metrics: Metrics,
  member: () => Pick<ShardMember, 'memberCount' | 'slotCount'>,
): (gained: number, lost: number) => void {
  const prefix = 'kindwright_shard';
  metrics.gauge(`${prefix}_members`, 'Replicas that share the objects, as known to this replica', [], (gauge) => {
    gauge.set(member().memberCount);
  });
  metrics.gauge(`${prefix}_slots`, 'Slots that this replica works on; each is a part of the objects', [], (gauge) => {
    gauge.set(member().slotCount);
  });
  const moves = metrics.counter(`${prefix}_moves_total`, 'Slots that have moved to this replica or from it', [
    'direction',
  ]);
  const gainedMoves = moves.labels('gained');
  const lostMoves = moves.labels('lost');
  gainedMoves.inc(0);
  lostMoves.inc(0);
  return (gained, lost) => {
    gainedMoves.inc(gained);
    lostMoves.inc(lost);
  };
}
