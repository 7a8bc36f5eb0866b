import { compareTexts, managerKey, type Managed } from './managed-fields.js';

const MAX_UPDATE_MANAGERS = 10;

/** Merges the oldest updaters into one entry per version when there are too many. */
export function capManagers({ managers, times }: Managed): Managed {
  const updaters = [...managers.keys()].filter((identity) => managers.get(identity)?.isApplied === false);
  let surplus = updaters.length - MAX_UPDATE_MANAGERS;
  if (surplus <= 0) return { managers, times };
  updaters.sort((a, b) => compareTexts(times.get(a), times.get(b)) || compareTexts(a, b));
  const first = new Map<string, string>();
  for (const identity of updaters) {
    const owned = managers.get(identity);
    if (surplus <= 0 || !owned) break;
    const { apiVersion } = owned;
    const bucket = managerKey({ manager: 'ancient-changes', operation: 'Update', subresource: '', apiVersion });
    const earlier = first.get(apiVersion);
    if (earlier === undefined) {
      first.set(apiVersion, identity);
      continue;
    }
    const base = managers.get(bucket) ?? managers.get(earlier);
    managers.delete(earlier);
    managers.delete(identity);
    managers.set(bucket, { ...owned, set: base ? base.set.union(owned.set) : owned.set });
    times.set(bucket, times.get(identity) ?? '');
    surplus--;
  }
  return { managers, times };
}
