import { ownMember } from '../../base/own-member.js';
import { pathSegmentErrors } from '../../api/objects/names.js';
import { formatTime } from '../../base/timestamp.js';
import { PathSet } from '../apply/path-set.js';
import { isJsonObject, objectAt } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';
import { validateApiService, validateApiServiceUpdate } from '../validation/api-service-validation.js';

const RESET: Readonly<Record<string, PathSet>> = {
  '': PathSet.fromFieldsV1({ 'f:status': {} }),
  status: PathSet.fromFieldsV1({ 'f:spec': {}, 'f:metadata': {} }),
};

const KEPT_IN_STATUS = ['deletionTimestamp', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** The condition of an APIService that is served by this server. */
export const locallyAvailable = (now: string): object => ({
  type: 'Available',
  status: 'True',
  lastTransitionTime: now,
  reason: 'Local',
  message: 'Local APIServices are always available',
});

/** The strategy of APIServices; those without a service are available immediately. */
export const apiServiceStrategy: Strategy = {
  allowsUnconditionalUpdate: false,
  allowsAnyFinalizer: true,
  validateName: pathSegmentErrors,
  prepareForCreate(next) {
    const isLocal = !isJsonObject(objectAt(next, 'spec').service);
    next.status = isLocal ? { conditions: [locallyAvailable(formatTime())] } : {};
  },
  prepareForUpdate(next, old, subresource) {
    if (subresource !== 'status') return;
    for (const field of KEPT_IN_STATUS)
      if (old.metadata[field] === undefined) Reflect.deleteProperty(next.metadata, field);
      else Object.assign(next.metadata, { [field]: old.metadata[field] });
  },
  resetFields: (subresource) => ownMember(RESET, subresource),
  validate: validateApiService,
  validateUpdate: validateApiServiceUpdate,
};
