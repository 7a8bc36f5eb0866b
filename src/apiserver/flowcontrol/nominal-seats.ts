import { numberAt, objectAt, type ApiObject } from '../objects/api-object.js';
import type { ObjectStore } from '../storage/object-store.js';

/** Requests a kube-apiserver serves at once by default, those that read and those that write. */
const SEATS = 600;
const LEVELS = 'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io';

/** How many requests at once each priority level would be given of those of a real server, by its shares. */
export function nominalSeats(store: ObjectStore): ReadonlyMap<string, number> {
  const levels = [...store.collection(LEVELS).range('')].map(({ object }) => object);
  const total = levels.reduce((sum, level) => sum + sharesOf(level), 0);
  return new Map(levels.map((level) => [level.metadata.name, Math.ceil((SEATS * sharesOf(level)) / total)]));
}

function sharesOf({ spec }: ApiObject): number {
  const { limited, exempt } = objectAt({ spec }, 'spec');
  return numberAt(limited ?? exempt, 'nominalConcurrencyShares') ?? 0;
}
