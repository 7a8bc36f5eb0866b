import { objectAt, stringAt } from '../../objects/api-object.js';
import type { Evaluator } from './evaluator.js';
import { matchesClaimScope } from './quota-scopes.js';
import { countOf, resourceList } from '../../objects/resource-list.js';

const COUNT = 'count/persistentvolumeclaims';
const NAMES = ['persistentvolumeclaims', 'requests.storage'];
const BY_CLASS = '.storageclass.storage.k8s.io/';

/** Measures claims: by number and size, of all and of each storage class. */
export const claimEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => subresource === '' && operation !== 'DELETE',
  matching: (names) =>
    [...names].filter(
      (name) => name === COUNT || NAMES.includes(name) || NAMES.some((each) => name.endsWith(BY_CLASS + each)),
    ),
  matchesScope: matchesClaimScope,
  usage({ spec }) {
    const storage = resourceList(objectAt(objectAt({ spec }, 'spec').resources, 'requests')).get('storage');
    const storageClass = stringAt(spec, 'storageClassName');
    const usage = new Map([['persistentvolumeclaims', countOf(1)]]);
    if (storage) usage.set('requests.storage', storage);
    const byClass = [...usage].map(([name, amount]) => [storageClass + BY_CLASS + name, amount] as const);
    return new Map([...usage, [COUNT, countOf(1)], ...(storageClass === '' ? [] : byClass)]);
  },
};
