import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import type { LabelSelector } from '../../api/selection/label-selector.js';
import { objectFilter, toLabelSelector, type ListerOptions } from '../../api/selection/object-filter.js';
import { isObjectMissing } from '../../client/api-error.js';
import type { ApiClient } from '../../client/api-client.js';
import type { GetOptions } from '../../client/client-options.js';

/** Reads the object from the server, bypassing the cache. Returns undefined when it does not exist. */
export async function readLive<T extends KubeObject>(
  client: Pick<ApiClient, 'get'>,
  kind: KindRef<T>,
  name: string,
  options: Pick<GetOptions, 'timeout' | 'retries'> & {
    readonly namespace: string | undefined;
    readonly signal?: AbortSignal;
  },
): Promise<KubeObject | undefined> {
  try {
    return await client.get(kind, name, options);
  } catch (error) {
    // The server also returns 404 for a kind that it does not serve. That is an error, not a missing object.
    if (isObjectMissing(error)) return undefined;
    throw error;
  }
}

/** Lists the objects that match all options from the server, past the cache. */
export async function listLive(
  client: Pick<ApiClient, 'list'>,
  kind: KindRef,
  { namespace, labels, labelSelector: given, ...rest }: ListerOptions,
  signal?: AbortSignal,
): Promise<readonly KubeObject[]> {
  const labelSelector = combine(labels, given === undefined ? undefined : toLabelSelector(given));
  // The API server selects by few fields of each kind and by no owner.
  const filter = objectFilter(kind, rest);
  const { items } = await client.list(kind, { namespace, labelSelector, signal });
  return items.filter(filter);
}

function combine(labels: ListerOptions['labels'], selector: LabelSelector | undefined): LabelSelector | undefined {
  if (!labels || !selector) return labels ? { matchLabels: labels } : selector;
  const required = Object.entries(labels).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }));
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...required] };
}
