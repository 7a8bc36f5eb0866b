import { formatTime } from '../../base/timestamp.js';
import { objectAt, stringAt } from '../object.js';
import type { Strategy } from '../resources/resource.js';

/** Claims are born Pending. */
export const claimStrategy: Strategy = {
  metadataChecks: 'whole',
  prepareForCreate(next) {
    next.status = { phase: 'Pending' };
  },
};

/** Volumes are born Pending. */
export const volumeStrategy: Strategy = {
  prepareForCreate(next) {
    next.status = { phase: 'Pending', lastPhaseTransitionTime: next.metadata.creationTimestamp };
  },
  prepareForUpdate(next, old, subresource) {
    if (subresource !== 'status' || stringAt(next.status, 'phase') === stringAt(old.status, 'phase')) return;
    next.status = { ...objectAt(next, 'status'), lastPhaseTransitionTime: formatTime(Date.now()) };
  },
};
