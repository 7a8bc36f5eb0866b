import { eachObject, objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';

export type AffinityKind = 'podAffinity' | 'podAntiAffinity';

/** Returns the required affinity or anti-affinity terms of a pod. */
export function requiredTerms({ spec }: ApiObject, kind: AffinityKind): JsonObject[] {
  return eachObject(objectAt(objectAt(spec, 'affinity'), kind).requiredDuringSchedulingIgnoredDuringExecution);
}
