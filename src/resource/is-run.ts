import { SPOKES } from './decorators/converts-to.js';
import { ownMetadata } from './metadata.js';
import type { ResourceModel } from './model.js';

/**
 * Returns true for a class that an operator runs: it reconciles, reviews writes of its kind, or is the version to which
 * the others are converted. All other classes only define their kinds.
 */
export function isRun({ isReconciled, webhooks, target }: ResourceModel): boolean {
  return isReconciled || webhooks.length > 0 || ownMetadata(SPOKES, target).length > 0;
}
