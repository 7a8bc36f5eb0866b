import { ownMember } from '../../../base/own-member.js';
import type { AdmissionAttributes } from '../../registry/admission.js';
import type { Evaluator } from './evaluator.js';
import { podEvaluator } from './pod-evaluator.js';
import { NO_SCOPE, matchesClaimScope } from './quota-scopes.js';
import { countOf, resourceList, add, max, type ResourceList } from '../../objects/resource-list.js';
import { objectAt, stringAt, eachObject, isJsonObject, numberAt, type JsonObject } from '../../objects/api-object.js';

const SERVICE_NAMES = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'];

/** Counts Services, their node ports and their load balancers. */
const serviceEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => subresource === '' && operation !== 'DELETE',
  matching: (names) => [...names].filter((name) => SERVICE_NAMES.includes(name)),
  matchesScope: NO_SCOPE,
  usage({ spec }) {
    const type = stringAt(spec, 'type');
    return new Map([
      ['count/services', countOf(1)],
      ['services', countOf(1)],
      ['services.nodeports', countOf(nodePorts(type, objectAt({ spec }, 'spec')))],
      ['services.loadbalancers', countOf(type === 'LoadBalancer' ? 1 : 0)],
    ]);
  },
};

function nodePorts(type: string, spec: JsonObject): number {
  const ports = eachObject(spec.ports);
  if (type === 'NodePort') return ports.length;
  if (type !== 'LoadBalancer') return 0;
  if (spec.allocateLoadBalancerNodePorts !== false) return ports.length;
  return ports.filter((port) => (numberAt(port, 'nodePort') ?? 0) !== 0).length;
}

const RESOURCE_CLAIMS = 'count/resourceclaims.resource.k8s.io';
const DEVICES_OF_CLASS = '.deviceclass.resource.k8s.io/devices';
/** The maximum number of devices that a claim can be allocated. */
const MAX_DEVICES = 32;

/** Counts ResourceClaims and the devices of each class that they may be allocated. */
const deviceClaimEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => subresource === '' && operation !== 'DELETE',
  matching: (names) => [...names].filter((name) => name === RESOURCE_CLAIMS || name.endsWith(DEVICES_OF_CLASS)),
  matchesScope: NO_SCOPE,
  usage({ spec }) {
    const { requests } = objectAt(objectAt({ spec }, 'spec'), 'devices');
    return eachObject(requests)
      .map(requestedDevices)
      .reduce(add, new Map([[RESOURCE_CLAIMS, countOf(1)]]));
  },
};

/** Returns the devices of a request; for alternatives, the maximum of each class. */
function requestedDevices({ exactly, firstAvailable }: JsonObject): ResourceList {
  const alternatives = eachObject(firstAvailable);
  if (alternatives.length > 0) return alternatives.map(devices).reduce(max, new Map());
  return isJsonObject(exactly) ? devices(exactly) : new Map();
}

function devices(request: JsonObject): ResourceList {
  const mode = stringAt(request, 'allocationMode');
  const number = mode === 'ExactCount' ? (numberAt(request, 'count') ?? 0) : mode === 'All' ? MAX_DEVICES : 0;
  return new Map([[stringAt(request, 'deviceClassName') + DEVICES_OF_CLASS, countOf(number)]]);
}

const VOLUME_CLAIMS = 'count/persistentvolumeclaims';
const VOLUME_CLAIM_NAMES = ['persistentvolumeclaims', 'requests.storage'];
const OF_STORAGE_CLASS = '.storageclass.storage.k8s.io/';

/** Counts PersistentVolumeClaims and the storage they request, in total and by storage class. */
const claimEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => subresource === '' && operation !== 'DELETE',
  matching: (names) =>
    [...names].filter(
      (name) =>
        name === VOLUME_CLAIMS ||
        VOLUME_CLAIM_NAMES.includes(name) ||
        VOLUME_CLAIM_NAMES.some((each) => name.endsWith(OF_STORAGE_CLASS + each)),
    ),
  matchesScope: matchesClaimScope,
  usage({ spec }) {
    const storage = resourceList(objectAt(objectAt({ spec }, 'spec').resources, 'requests')).get('storage');
    const storageClass = stringAt(spec, 'storageClassName');
    const usage = new Map([['persistentvolumeclaims', countOf(1)]]);
    if (storage) usage.set('requests.storage', storage);
    const byClass = [...usage].map(([name, amount]) => [storageClass + OF_STORAGE_CLASS + name, amount] as const);
    return new Map([...usage, [VOLUME_CLAIMS, countOf(1)], ...(storageClass === '' ? [] : byClass)]);
  },
};

const LEGACY = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);
const IGNORED = new Set(['bindings', 'events', 'events.events.k8s.io']);

function isCreation({ operation, subresource }: AdmissionAttributes): boolean {
  return operation === 'CREATE' && subresource === '';
}

/** Counts objects as `count/<resource>`, and some core resources also by their plain name. */
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

/** Returns the evaluator of a collection; undefined for resources that quotas never count. */
export function evaluatorOf(storage: string): Evaluator | undefined {
  if (IGNORED.has(storage)) return undefined;
  return ownMember(SPECIAL, storage) ?? countEvaluator(storage);
}

/** Returns the collections with objects that count towards a quota of these resource names. */
export function collectionsOf(names: readonly string[]): string[] {
  const special = Object.keys(SPECIAL).filter((storage) => (evaluatorOf(storage)?.matching(names).length ?? 0) > 0);
  const counted = names.filter((name) => name.startsWith('count/')).map((name) => name.slice('count/'.length));
  const legacy = names.filter((name) => LEGACY.has(name));
  return [...new Set([...special, ...counted, ...legacy])].filter((storage) => !IGNORED.has(storage));
}
