import { isJsonObject } from '../../src/base/json-object.js';

/** A place where two JSON values differ. */
export interface Difference {
  /** The members on the way, from the root. */
  readonly path: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** Yields each place where two JSON values differ, regardless of the order of members. */
export function* differingPlaces(theirs: unknown, ours: unknown, path = ''): Generator<Difference> {
  if (isJsonObject(theirs) && isJsonObject(ours)) {
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)]))
      yield* differingPlaces(memberOf(theirs, key), memberOf(ours, key), `${path}/${key}`);
  } else if (Array.isArray(theirs) && Array.isArray(ours) && theirs.length === ours.length) {
    for (const [index, value] of theirs.entries()) yield* differingPlaces(value, ours[index], `${path}/${index}`);
  } else if (theirs !== ours) yield { path, theirs, ours };
}

function memberOf(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
