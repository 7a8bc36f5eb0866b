import type { KindId } from '../wire.js';

/** The kind and place of an object, as far as permissions depend on them. */
export interface ObjectPlace {
  readonly kind: KindId;
  /** Missing or empty for objects of cluster scope. */
  readonly namespace?: string | undefined;
  /** Missing for the operator's own cluster. */
  readonly cluster?: string | undefined;
}

/** Decides which objects a user of the console sees, with their runs, log lines and findings. */
export interface Visibility {
  /** True if the user sees everything, also records without an object. */
  readonly isComplete: boolean;
  sees(place: ObjectPlace): boolean;
  /** Returns whether the objects of a kind are visible in all namespaces. */
  seesAll(kind: KindId): boolean;
  /** Returns whether the objects of a kind are visible in at least one namespace. */
  seesAny(kind: KindId): boolean;
}

/** The visibility of the developer that runs the operator. */
export const EVERYTHING: Visibility = {
  isComplete: true,
  sees: () => true,
  seesAll: () => true,
  seesAny: () => true,
};
