import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { WebhookOptions } from '../decorators/webhook-method.js';
import type { MatchCondition, WebhookMethod, WebhookRule } from './webhook-model.js';

/** `object` is null for DELETE. */
const NOT_DELETING = 'request.operation == "DELETE" || !has(object.metadata.deletionTimestamp)';

/** The conditions of webhooks and policies: their own, and that the object is not being deleted. */
export function matchConditions({
  whileDeleting = false,
  match,
}: Pick<WebhookOptions, 'whileDeleting' | 'match'>): MatchCondition[] {
  return [
    ...(whileDeleting ? [] : [{ name: 'not-deleting', expression: NOT_DELETING }]),
    ...(match === undefined ? [] : [{ name: 'match', expression: match }]),
  ];
}

/** One rule for each resource, so that the API server sends only requests that a method reviews. */
export function requestRules(
  methods: readonly Pick<WebhookMethod, 'operations' | 'subresources'>[],
  { group, version, plural, scope }: KindRef,
): WebhookRule[] {
  const operations = new Map<string, Set<string>>();
  for (const method of methods) {
    for (const subresource of method.subresources ?? ['']) {
      const resource = subresource === '' ? plural : `${plural}/${subresource}`;
      operations.set(resource, (operations.get(resource) ?? new Set()).union(new Set(method.operations)));
    }
  }
  return [...operations].map(([resource, names]) => ({
    apiGroups: [group],
    apiVersions: [version],
    operations: ['CREATE', 'UPDATE', 'DELETE'].filter((name) => names.has(name)),
    resources: [resource],
    scope,
  }));
}
