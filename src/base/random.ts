import { randomBytes, randomUUID } from 'node:crypto';

/** A source of random values. They identify or spread; a secret must come from `node:crypto`. */
export interface Random {
  /** Returns a number from 0 to 1, excluding 1. */
  number(purpose: string): number;
  /** Returns random bytes as hexadecimal digits. */
  hex(purpose: string, bytes: number): string;
  /** Returns a UUID of version 4. */
  uuid(purpose: string): string;
}

const OF_NODE: Random = {
  number: () => Math.random(),
  hex: (_, bytes) => randomBytes(bytes).toString('hex'),
  uuid: () => randomUUID(),
};

let random = OF_NODE;

/**
 * Returns a number from 0 to 1, excluding 1.
 *
 * @param purpose what it is for: a simulation derives the value from this, so that the values of other purposes stay the same
 * when one is left out
 */
export function randomNumber(purpose: string): number {
  return random.number(purpose);
}

/** Returns random bytes as hexadecimal digits. See `randomNumber` for `purpose`. */
export function randomHex(purpose: string, bytes: number): string {
  return random.hex(purpose, bytes);
}

/** Returns a UUID of version 4. See `randomNumber` for `purpose`. */
export function randomId(purpose: string): string {
  return random.uuid(purpose);
}

/** Replaces the random values of this process; undefined restores those of Node. */
export function replaceRandom(replacement: Random | undefined): void {
  random = replacement ?? OF_NODE;
}
