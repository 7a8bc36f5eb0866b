import type { ShardState } from '../../manager/sharding/owned-slots.js';
import type { WebhooksState } from '../../manager/webhooks/webhooks-state.js';
import type { Visibility } from '../access/visibility.js';
import { kindId } from '../kind-id.js';
import type { ShardsWire, WebhooksWire } from '../wire.js';

export function shardsWire({ self, members, ownSlots, slotCount }: ShardState): ShardsWire {
  return {
    self,
    members: members.map(({ name, slotCount: slots, isLeaving }) => ({
      ...{ name, slots },
      ...(isLeaving && { isLeaving: true as const }),
    })),
    slots: slotCount,
    ownCount: ownSlots.length,
    own: ranges(ownSlots),
  };
}

/** Describes the webhooks of the kinds that a user sees. */
export function webhooksWire({ port, expiresMs, webhooks }: WebhooksState, visibility: Visibility): WebhooksWire {
  const paths = webhooks.map(({ kinds, ...line }) => {
    return { ...line, kinds: kinds.map(kindId).filter((id) => visibility.seesAny(id)) };
  });
  return {
    ...(port !== undefined && { port }),
    ...(expiresMs !== undefined && { expiresAt: expiresMs }),
    paths: paths.filter(({ kinds }) => kinds.length > 0),
  };
}

/** Formats ascending numbers: `0-3, 7`. */
function ranges(numbers: readonly number[]): string {
  const found: [first: number, last: number][] = [];
  for (const number of numbers) {
    const current = found.at(-1);
    if (current?.[1] === number - 1) current[1] = number;
    else found.push([number, number]);
  }
  return found.map(([first, last]) => (first === last ? String(first) : `${String(first)}-${String(last)}`)).join(', ');
}
