import {
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { podResources } from '../pods/pod-resources.js';
import type { Evaluator } from './evaluator.js';
import { isTerminating, matchesPodScope } from './quota-scopes.js';
import { add, countOf, resourceList, type ResourceList } from '../../objects/resource-list.js';

const STANDARD = ['cpu', 'memory', 'ephemeral-storage'];
const NAMES = new Set([
  'count/pods',
  'pods',
  ...STANDARD,
  ...STANDARD.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
]);
/** Quotas of these resources require a value in every container. */
const REQUIRED = new Set(['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]));

/** Measures pods: kubernetes/pkg/quota/v1/evaluator/core/pods.go. */
export const podEvaluator: Evaluator = {
  handles({ operation, subresource, object, old }) {
    if (subresource === 'resize') return operation === 'UPDATE';
    if (subresource !== '') return false;
    return operation === 'CREATE' || (operation === 'UPDATE' && !!old && isTerminating(old) !== isTerminating(object));
  },
  matching: (names) =>
    [...names].filter((name) => NAMES.has(name) || /^(requests\.)?hugepages-/.test(name) || isExtended(name)),
  matchesScope: matchesPodScope,
  constraints: missingAmounts,
  usage(pod, nowMs) {
    const counted: ResourceList = new Map([['count/pods', countOf(1)]]);
    if (isOver(pod, nowMs)) return counted;
    const overhead = resourceList(objectAt(pod, 'spec').overhead);
    const limits = podResources(pod, 'limits');
    const limited = new Map([...overhead].filter(([name]) => limits.has(name)));
    return add(counted, usageOf(add(podResources(pod, 'requests'), overhead), add(limits, limited)));
  },
};

/** Returns whether a name is `requests.` followed by an extended resource (a name with a domain). */
function isExtended(name: string): boolean {
  const own = name.startsWith('requests.') ? name.slice('requests.'.length) : '';
  return own.includes('/') && !/(^|\.)kubernetes\.io\//.test(own);
}

function usageOf(requests: ResourceList, limits: ResourceList): ResourceList {
  const usage = new Map([['pods', countOf(1)]]);
  for (const [name, amount] of requests) {
    const isPrefixed = name.startsWith('hugepages-') || name.includes('/');
    if (STANDARD.includes(name) || name.startsWith('hugepages-')) usage.set(name, amount);
    if (STANDARD.includes(name) || isPrefixed) usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (STANDARD.includes(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

/** Returns whether a pod has ended or exceeded its grace period and therefore uses no quota. */
function isOver({ metadata, status }: ApiObject, nowMs: number): boolean {
  const phase = stringAt(status, 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return true;
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = metadata;
  return deletionTimestamp !== undefined && grace !== undefined && nowMs > Date.parse(deletionTimestamp) + grace * 1000;
}

function missingAmounts(names: readonly string[], { spec }: ApiObject): string | undefined {
  const { containers, initContainers, resources } = objectAt({ spec }, 'spec');
  if (isJsonObject(resources) && Object.keys(resources).length > 0) return undefined;
  const required = names.filter((name) => REQUIRED.has(name)).sort();
  const all = [...eachObject(containers), ...eachObject(initContainers)];
  const missing = required.flatMap((name) => {
    const lacking = all.filter((container) => !containerUsage(container).has(name));
    return lacking.length === 0
      ? []
      : [
          `${name} for: ${lacking
            .map((each) => stringAt(each, 'name'))
            .sort()
            .join(',')}`,
        ];
  });
  return missing.length === 0 ? undefined : `must specify ${missing.join('; ')}`;
}

function containerUsage(container: JsonObject): ResourceList {
  const { requests, limits } = objectAt(container, 'resources');
  return usageOf(resourceList(requests), resourceList(limits));
}
