import type { Location } from '../location.js';

/** The `@Kind` decorator of a class, or another one that names its kind, as the subject of a diagnostic. */
export function kindLocation(target: Location['target'], name: 'Kind' | 'Controller' = 'Kind'): Location {
  return { target, decorator: { target, name, index: 0 } };
}
