import type { WebhookModel } from '../../resource/webhooks/webhook-model.js';

/** The label with the name of each namespace, which the API server sets. */
const NAME = 'kubernetes.io/metadata.name';
/** Namespaces in which objects of kinds that are defined elsewhere are not reviewed, so that the cluster can start. */
const SYSTEM_NAMESPACES: readonly string[] = ['kube-system', 'kube-node-lease'];

/** The namespaces in which objects of a kind that is defined elsewhere are not reviewed. */
export function excludedNamespaces(ownNamespace: string | undefined): readonly string[] {
  return ownNamespace === undefined ? SYSTEM_NAMESPACES : [...SYSTEM_NAMESPACES, ownNamespace];
}

/**
 * The selector of a webhook or policy, restricted to the given namespaces and without the excluded ones. It applies to namespaced
 * kinds, and to Namespace by its own labels.
 */
export function namespaceSelector(
  { namespaceSelector: own, rules }: Pick<WebhookModel, 'namespaceSelector' | 'rules'>,
  namespaces: readonly string[],
  excluded: readonly string[],
) {
  const isNamespaced = rules.some(({ scope }) => scope === 'Namespaced');
  const isSelectable = isNamespaced || rules.some(({ resources }) => resources.includes('namespaces'));
  const restrictions = [
    ...(isNamespaced && namespaces.length > 0 ? [{ key: NAME, operator: 'In', values: [...namespaces] }] : []),
    ...(isSelectable && excluded.length > 0 ? [{ key: NAME, operator: 'NotIn', values: [...excluded] }] : []),
  ];
  if (restrictions.length === 0) return own && { namespaceSelector: own };
  return { namespaceSelector: { ...own, matchExpressions: [...(own?.matchExpressions ?? []), ...restrictions] } };
}
