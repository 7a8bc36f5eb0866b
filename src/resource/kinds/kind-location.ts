import type { Location } from '../location.js';

/** The `@Kind` decorator of a class, as the subject of a diagnostic. */
export function kindLocation(target: Location['target']): Location {
  return { target, decorator: { target, name: 'Kind', index: 0 } };
}
