import { formatTime } from '../../base/timestamp.js';
import { objectAt, stringAt } from '../objects/api-object.js';
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
    if (subresource !== 'status') return;
    const [status, { phase, lastPhaseTransitionTime: former }] = [objectAt(next, 'status'), objectAt(old, 'status')];
    const isKept = stringAt(status, 'phase') === stringAt({ phase }, 'phase');
    const given = status.lastPhaseTransitionTime;
    if (given !== undefined && (isKept || given !== former)) return;
    const time = isKept ? former : formatTime(Date.now());
    if (time !== undefined) next.status = { ...status, lastPhaseTransitionTime: time };
  },
};
