import { eachObject } from '../../objects/api-object.js';
import { objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';

export type AffinityKind = 'podAffinity' | 'podAntiAffinity';

/** The terms by which a pod has to be, or must not be, near others. */
export function requiredTerms({ spec }: ApiObject, kind: AffinityKind): JsonObject[] {
  return eachObject(objectAt(objectAt(spec, 'affinity'), kind).requiredDuringSchedulingIgnoredDuringExecution);
}
