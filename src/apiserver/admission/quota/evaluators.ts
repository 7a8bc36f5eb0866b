import type { AdmissionRequest } from '../../registry/admission.js';
import { claimEvaluator } from './claim-evaluator.js';
import { deviceClaimEvaluator } from './device-claim-evaluator.js';
import type { Evaluator } from './evaluator.js';
import { podEvaluator } from './pod-evaluator.js';
import { NO_SCOPE } from './quota-scopes.js';
import { countOf } from '../../objects/resource-list.js';
import { serviceEvaluator } from './service-evaluator.js';

const LEGACY = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);
const IGNORED = new Set(['bindings', 'events', 'events.events.k8s.io']);

function isCreation({ operation, subresource }: AdmissionRequest): boolean {
  return operation === 'CREATE' && subresource === '';
}

/** Counts objects, under their name and for some under a shorter one. */
function countEvaluator(storage: string): Evaluator {
  const names = [`count/${storage}`, ...(LEGACY.has(storage) ? [storage] : [])];
  return {
    handles: isCreation,
    matching: (given) => only(given, names),
    matchesScope: NO_SCOPE,
    usage: () => new Map(names.map((name) => [name, countOf(1)])),
  };
}

function only(names: Iterable<string>, known: readonly string[]): string[] {
  return [...names].filter((name) => known.includes(name));
}

const SPECIAL: Readonly<Partial<Record<string, Evaluator>>> = {
  pods: podEvaluator,
  services: serviceEvaluator,
  persistentvolumeclaims: claimEvaluator,
  'resourceclaims.resource.k8s.io': deviceClaimEvaluator,
};

/** What measures the objects of a collection; undefined for what quotas never count. */
export function evaluatorOf(storage: string): Evaluator | undefined {
  if (IGNORED.has(storage)) return undefined;
  return SPECIAL[storage] ?? countEvaluator(storage);
}

/** The collections of which a quota with these names counts objects. */
export function collectionsOf(names: readonly string[]): string[] {
  const special = Object.keys(SPECIAL).filter((storage) => (evaluatorOf(storage)?.matching(names).length ?? 0) > 0);
  const counted = names.filter((name) => name.startsWith('count/')).map((name) => name.slice('count/'.length));
  const legacy = names.filter((name) => LEGACY.has(name));
  return [...new Set([...special, ...counted, ...legacy])].filter((storage) => !IGNORED.has(storage));
}
