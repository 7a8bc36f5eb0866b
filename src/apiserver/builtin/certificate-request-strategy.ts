import { ownMember } from '../../base/own-member.js';
import { formatTime } from '../../base/timestamp.js';
import { PathSet } from '../apply/path-set.js';
import { type JsonObject, eachObject, objectAt, without } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';
import {
  validateCertificateRequest,
  validateCertificateRequestChange,
} from '../validation/certificate-request-validation.js';

const RESET: Readonly<Record<string, PathSet>> = {
  '': PathSet.fromFieldsV1({ 'f:spec': {}, 'f:status': {} }),
  approval: PathSet.fromFieldsV1({ 'f:spec': {}, 'f:status': { 'f:certificate': {} } }),
  status: PathSet.fromFieldsV1({ 'f:spec': {}, 'f:status': { 'f:conditions': {} } }),
};

/**
 * The strategy of CertificateSigningRequests: the user is set from the request, and the approval and status
 * subresources write different fields.
 */
export const certificateRequestStrategy: Strategy = {
  metadataChecks: 'own',
  validateName: () => [],
  prepareForCreate(next, { user }) {
    const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = objectAt(next, 'spec');
    const { name: username, uid, groups, extra } = user;
    next.spec = { ...spec, username, ...(uid !== undefined && { uid }), groups: [...groups], ...(extra && { extra }) };
    next.status = {};
  },
  prepareForUpdate(next, old, subresource) {
    next.spec = old.spec;
    const [given, present] = [objectAt(next, 'status'), objectAt(old, 'status')];
    if (subresource === '') next.status = present;
    else if (subresource === 'approval')
      next.status = { ...without(present, 'conditions'), ...withTimes(given, present) };
    else next.status = { ...without(given, 'conditions'), ...withTimes(withPresent(given, present), present) };
  },
  resetFields: (subresource) => ownMember(RESET, subresource),
  validate: validateCertificateRequest,
  validateUpdate: validateCertificateRequestChange,
};

/** Keeps the present approval conditions in a status update; validation rejects added or removed ones. */
function withPresent(given: JsonObject, { conditions: former }: JsonObject): JsonObject {
  let conditions = eachObject(given.conditions);
  for (const decision of ['Approved', 'Denied']) {
    const isDecision = ({ type }: JsonObject): boolean => type === decision;
    const kept = eachObject(former).filter(isDecision);
    if (kept.length !== conditions.filter(isDecision).length) continue;
    const rest = kept.values();
    conditions = conditions.map((each) => (isDecision(each) ? (rest.next().value ?? each) : each));
  }
  return { ...given, conditions };
}

/** Returns the conditions with missing times set. */
function withTimes(given: JsonObject, present: JsonObject): JsonObject {
  const now = formatTime();
  const former = eachObject(present.conditions);
  const conditions = eachObject(given.conditions).map((condition) => {
    const same = former.find(({ type, status }) => type === condition.type && status === condition.status);
    const { lastUpdateTime, lastTransitionTime } = condition;
    return {
      ...condition,
      lastUpdateTime: lastUpdateTime ?? now,
      lastTransitionTime: lastTransitionTime ?? same?.lastTransitionTime ?? now,
    };
  });
  return conditions.length === 0 ? {} : { conditions };
}
