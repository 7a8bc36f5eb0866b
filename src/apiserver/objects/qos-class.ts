import { parseQuantity } from '../../api/schema/quantity.js';
import { type JsonObject, eachObject, isJsonObject, objectAt } from './api-object.js';

/** Returns Guaranteed, Burstable or BestEffort, by the CPU and memory of the pod or else of all its containers. */
export function qosClass(spec: JsonObject): string {
  const containers = ownersOf(spec);
  let [hasAny, isGuaranteed] = [false, containers.length > 0];
  for (const container of containers) {
    const resources = objectAt(container, 'resources');
    const [limits, requests] = [objectAt(resources, 'limits'), objectAt(resources, 'requests')];
    for (const name of ['cpu', 'memory']) {
      const [limit, request] = [amount(limits[name]), amount(requests[name])];
      if (limit !== undefined || request !== undefined) hasAny = true;
      if (limit === undefined || request !== limit) isGuaranteed = false;
    }
  }
  if (!hasAny) return 'BestEffort';
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function ownersOf(spec: JsonObject): JsonObject[] {
  if (isJsonObject(spec.resources)) return [spec];
  return [...eachObject(spec.containers), ...eachObject(spec.initContainers)];
}

/** Compared by value: the text of equal quantities may differ. */
function amount(value: unknown): bigint | undefined {
  const isQuantity = ['string', 'number', 'bigint'].includes(typeof value);
  const nano = isQuantity ? parseQuantity(String(value))?.nano : undefined;
  return nano === 0n ? undefined : nano;
}
