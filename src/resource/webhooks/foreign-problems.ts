import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { LabelSelector } from '../../api/selection/label-selector.js';
import type { WebhookMethodEntry } from '../decorators/webhook-method.js';
import { isDns1123Label } from '../kinds/names.js';
import type { Problem } from '../model-error.js';
import { isSelectedByNamespace } from './selector-problems.js';

/** The cluster, and with it the operator, depends on writes of these kinds. */
const VITAL: readonly string[] = [
  ...['pods', 'nodes', 'namespaces', 'events', 'endpoints', 'serviceaccounts'],
  ...['leases', 'endpointslices', 'replicasets', 'tokenrequests'],
];

/** A subresource of a kind that is defined elsewhere. `*` would include those that the cluster needs. */
export function* foreignSubresourceProblem(name: string): Generator<Problem> {
  if (!isDns1123Label(name))
    yield [`subresources: "${name}" is not the name of a subresource`, `subresources: ['status']`];
}

/**
 * Options with which an operator that does not answer would stop the cluster: writes of a kind that keeps it alive, or
 * writes of a cluster-scoped kind, which no namespace selector excludes.
 *
 * @param isAllowed - true if `allow: 'cluster-wide'` is set
 */
export function* outageProblems(
  { options }: WebhookMethodEntry,
  kindRef: KindRef,
  isAllowed: boolean,
): Generator<Problem> {
  const { failurePolicy, match, namespaceSelector, objectSelector } = options;
  const { kind, plural, scope } = kindRef;
  const selectors = [objectSelector, isSelectedByNamespace(kindRef) ? namespaceSelector : undefined];
  if (failurePolicy !== 'Fail' || isAllowed) return;
  if (VITAL.includes(plural) && !selectors.some((selector) => isOptIn(selector)))
    yield [
      `with failurePolicy Fail, no ${kind} could be written anywhere while the operator does not answer`,
      `failurePolicy: 'Ignore', namespaceSelector: { matchLabels: { … } }, or @Admission(${kind}, { allow: 'cluster-wide' })`,
    ];
  else if (scope === 'Cluster' && match === undefined && !selectors.some(Boolean))
    yield [
      `with failurePolicy Fail, no ${kind} could be written while the operator does not answer`,
      `match: '…' for the objects to review, or failurePolicy: 'Ignore'`,
    ];
}

/** Returns true for a selector that selects only objects with a label, so that all others stay unaffected. */
function isOptIn({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): boolean {
  const requires = matchExpressions.some(({ operator }) => operator === 'In' || operator === 'Exists');
  return requires || Object.keys(matchLabels).length > 0;
}
