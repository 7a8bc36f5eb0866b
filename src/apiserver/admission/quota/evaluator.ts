import type { ApiObject } from '../../objects/api-object.js';
import type { AdmissionAttributes } from '../../registry/admission.js';
import type { MatchesScope } from './quota-scopes.js';
import type { ResourceList } from '../../objects/resource-list.js';

/** Measures the quota usage of objects of one collection: Evaluator of apiserver/pkg/quota/v1. */
export interface Evaluator {
  /** Returns whether a request can change the usage. */
  handles(request: AdmissionAttributes): boolean;
  /** Returns the resource names of a quota that this evaluator measures. */
  matching(names: Iterable<string>): string[];
  readonly matchesScope: MatchesScope;
  /** Returns which fields required by the names the object lacks; undefined if none. */
  constraints?(names: readonly string[], object: ApiObject): string | undefined;
  usage(object: ApiObject, nowMs: number): ResourceList;
}
