import type { ApiObject } from '../../objects/api-object.js';
import type { AdmissionAttributes } from '../../registry/admission.js';
import type { MatchesScope } from './quota-scopes.js';
import type { ResourceList } from '../../objects/resource-list.js';

/** Measures what objects of one collection use of quotas: apiserver/pkg/quota/v1 Evaluator. */
export interface Evaluator {
  /** Whether a request can change what is used. */
  handles(request: AdmissionAttributes): boolean;
  /** Those of a quota's names that it measures. */
  matching(names: Iterable<string>): string[];
  readonly matchesScope: MatchesScope;
  /** What an object lacks that the names require. */
  constraints?(names: readonly string[], object: ApiObject): string | undefined;
  usage(object: ApiObject, nowMs: number): ResourceList;
}
