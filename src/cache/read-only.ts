import { laterTurn } from '../base/turns.js';
import type { ReadonlyDeep } from '../api/objects/kube-object.js';
import { deepFreeze } from '../base/deep-freeze.js';

/** Freezing as many Pods of 4 KB takes about 4 ms. */
const SLICE = 200;

/**
 * Freezes what a read returns. Readers share the objects of the cache: freezing one costs less than a copy, and nothing
 * when it is read again.
 */
export function readOnly<T>(object: T): ReadonlyDeep<T> {
  return deepFreeze(object) as ReadonlyDeep<T>;
}

/** Freezes many objects, with turns of the event loop between them. */
export async function allReadOnly<T>(objects: readonly T[]): Promise<ReadonlyDeep<T>[]> {
  const frozen: ReadonlyDeep<T>[] = [];
  for (const object of objects) {
    if (frozen.length % SLICE === SLICE - 1) await laterTurn();
    frozen.push(readOnly(object));
  }
  return frozen;
}
