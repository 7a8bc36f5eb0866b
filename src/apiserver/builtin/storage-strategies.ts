import { objectAt, stringAt } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';
import {
  validateAttributesClass,
  validateAttributesClassChange,
  validateCapacity,
  validateCapacityChange,
  validateCsiNode,
  validateCsiNodeChange,
  validateDriver,
} from '../validation/csi-validation.js';
import { validateAttachment, validateAttachmentChange } from '../validation/attachment-validation.js';
import { validateStorageClass, validateStorageClassChange } from '../validation/storage-validation.js';
import { semanticEqual } from '../validation/fields/semantic-equal.js';
import { changeThenObject, objectAlone, objectEverywhere, objectThenChange } from '../validation/update-order.js';
import { statusStrategy } from './status-strategy.js';
import { formatTime } from '../../base/timestamp.js';

/** The strategy of PersistentVolumeClaims; they are created as Pending. */
export const claimStrategy: Strategy = {
  metadataChecks: 'whole',
  prepareForCreate(next) {
    next.status = { phase: 'Pending' };
  },
};

/** The strategy of PersistentVolumes; they are created as Pending. */
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

const own: Strategy = { metadataChecks: 'own' };

/** Strategies of the kinds of storage.k8s.io. */
export const storageStrategies: Readonly<Record<string, Strategy>> = {
  'storageclasses.storage.k8s.io': {
    ...own,
    validate: validateStorageClass,
    validateUpdate: objectThenChange(validateStorageClass, validateStorageClassChange),
  },
  'csidrivers.storage.k8s.io': {
    allowsUnconditionalUpdate: false,
    // New objects have no generation; it counts changes.
    prepareForUpdate(next, old) {
      const isSame = semanticEqual(objectAt(next, 'spec'), objectAt(old, 'spec'));
      if (!isSame) next.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate: validateDriver,
    validateUpdate: validateDriver,
  },
  'csinodes.storage.k8s.io': {
    ...own,
    allowsUnconditionalUpdate: false,
    validate: validateCsiNode,
    validateUpdate: objectAlone([validateCsiNode], validateCsiNodeChange),
  },
  'csistoragecapacities.storage.k8s.io': {
    ...own,
    allowsUnconditionalUpdate: false,
    validate: validateCapacity,
    validateUpdate: objectThenChange(validateCapacity, validateCapacityChange),
  },
  'volumeattributesclasses.storage.k8s.io': {
    ...own,
    validate: validateAttributesClass,
    validateUpdate: changeThenObject(validateAttributesClass, validateAttributesClassChange),
  },
  'volumeattachments.storage.k8s.io': {
    ...own,
    ...statusStrategy,
    allowsUnconditionalUpdate: false,
    validate: validateAttachment,
    validateUpdate: objectEverywhere(validateAttachment, validateAttachmentChange),
  },
};
