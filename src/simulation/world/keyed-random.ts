/**
 * Random values of a run. Each depends on the seed, on what it is for and on how often that was asked, but not on other
 * values: a run without one of its steps keeps the values of all others.
 */
export class KeyedRandom {
  private readonly counts = new Map<string, number>();

  constructor(private readonly seed: number) {}

  /** Returns a number from 0 to 1, excluding 1. */
  next(purpose: string): number {
    return this.bits(purpose) / 2 ** 53;
  }

  /** Returns a value for a key that is asked once. */
  of(key: string): number {
    return hash53(key, this.seed) / 2 ** 53;
  }

  /** Returns random bytes as hexadecimal digits. */
  hex(purpose: string, bytes: number): string {
    let text = '';
    while (text.length < bytes * 2) text += this.bits(purpose).toString(16).padStart(14, '0').slice(1);
    return text.slice(0, bytes * 2);
  }

  private bits(purpose: string): number {
    const count = this.counts.get(purpose) ?? 0;
    this.counts.set(purpose, count + 1);
    return hash53(`${purpose}#${count}`, this.seed);
  }
}

/** A hash of 53 bits: cyrb53, which is in the public domain. */
function hash53(text: string, seed: number): number {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
