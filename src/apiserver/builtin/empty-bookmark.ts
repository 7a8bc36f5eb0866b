import type { JsonObject } from '../objects/api-object.js';
import { TEMPLATE_GENERATION } from '../objects/template-generation.js';

const WITH_REPLICAS = new Set(['apps/v1.Deployment', 'apps/v1.ReplicaSet', 'apps/v1.StatefulSet']);

/** What conversion from Kubernetes' own form sets of an object that has nothing, as bookmarks show. */
export function emptyBookmark(struct: string, empty: JsonObject): JsonObject {
  if (struct === 'apps/v1.DaemonSet') return { ...empty, metadata: { annotations: { [TEMPLATE_GENERATION]: '0' } } };
  return WITH_REPLICAS.has(struct) ? { ...empty, spec: { replicas: 0, ...(empty.spec as JsonObject) } } : empty;
}
