import { createHash } from 'node:crypto';
import type { Logger } from '../base/logger.js';

/** Enough that the names of two operators in a namespace do not collide. */
const HASH_LENGTH = 8;

/**
 * Returns a name for what replicas share: the same in all with the same controllers, in any order. A name that is cut to
 * the maximum length contains a hash of all controllers.
 */
export function defaultName(controllerNames: readonly string[], suffix: string, maxLength: number): string {
  const joined = [...controllerNames].sort().join('-');
  const available = maxLength - suffix.length;
  if (joined.length <= available) return `${joined}${suffix}`;
  const hash = createHash('sha256').update(joined).digest('hex').slice(0, HASH_LENGTH);
  return `${joined.slice(0, available - HASH_LENGTH - 1)}-${hash}${suffix}`;
}

/** Warns that a new version with other controllers has another default name; `hint` is the way to set it. */
export function warnAboutDefaultName(logger: Logger, name: string, hint: string): void {
  logger.warn(
    `The Lease ${name} is named after the controllers. While an update adds or removes one, old and new replicas work on the same objects`,
    { hint },
  );
}
