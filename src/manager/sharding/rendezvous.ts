import type { ObjectKey } from '../../api/objects/object-key.js';

/** Returns the slot of an object: the same in every process. */
export function slotOf(key: ObjectKey, slots: number): number {
  return hash(key) % slots;
}

/**
 * Returns the member for each slot by rendezvous hashing: the one with the highest hash of member and slot.
 *
 * Depends on the set of members alone. A member that is added takes slots from the others, one that is removed gives its
 * slots to the others, and no other slot moves.
 */
export function memberOfSlots(members: readonly string[], slots: number): (string | undefined)[] {
  const ordered = [...members].sort();
  return Array.from({ length: slots }, (_, slot) => {
    let best: string | undefined;
    let highest = -1;
    for (const member of ordered) {
      const weight = hash(`${member} ${slot}`);
      if (weight <= highest) continue;
      best = member;
      highest = weight;
    }
    return best;
  });
}

/** FNV-1a, and the last step of MurmurHash3, which spreads similar texts over all 32 bits. */
function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
