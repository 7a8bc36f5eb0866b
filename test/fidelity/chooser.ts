/** Random choices from a seed: the same seed, the same choices (mulberry32). */
export class Chooser {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** Returns a random integer from 0 to count - 1. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** The members with the given chance, otherwise none. */
  maybe(share: number, members: object): object {
    return this.chance(share) ? members : {};
  }

  private next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
