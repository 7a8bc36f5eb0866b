const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
/** The alphabet of rand.SafeEncodeString in apimachinery: no vowels, and no digits that look like letters. */
const SAFE_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * Returns the hash of a pod template or revision as in the labels pod-template-hash and controller-revision-hash: FNV-1a
 * of 32 bits in Kubernetes' alphabet, up to ten characters. Tools recognize names of ReplicaSets and pods by it. The
 * value differs from Kubernetes', which hashes Go's representation of the template.
 */
export function templateHash(seed: string): string {
  let hash = OFFSET_BASIS;
  for (const byte of Buffer.from(seed)) hash = Math.imul(hash ^ byte, PRIME);
  return Array.from(String(hash >>> 0), (digit) =>
    SAFE_ALPHABET.charAt(digit.charCodeAt(0) % SAFE_ALPHABET.length),
  ).join('');
}
