import { eachObject } from '../../objects/api-object.js';
import { isJsonObject, numberAt, objectAt, stringAt, type JsonObject } from '../../objects/api-object.js';
import type { Evaluator } from './evaluator.js';
import { NO_SCOPE } from './quota-scopes.js';
import { add, countOf, max, type ResourceList } from '../../objects/resource-list.js';

const COUNT = 'count/resourceclaims.resource.k8s.io';
const BY_CLASS = '.deviceclass.resource.k8s.io/devices';
/** As many devices as a claim may get. */
const ALL = 32;

/** Measures ResourceClaims: by number, and by the devices of each class they may get. */
export const deviceClaimEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => subresource === '' && operation !== 'DELETE',
  matching: (names) => [...names].filter((name) => name === COUNT || name.endsWith(BY_CLASS)),
  matchesScope: NO_SCOPE,
  usage({ spec }) {
    const { requests } = objectAt(objectAt({ spec }, 'spec'), 'devices');
    return eachObject(requests)
      .map(requestedDevices)
      .reduce(add, new Map([[COUNT, countOf(1)]]));
  },
};

/** Of alternatives the largest of each class. */
function requestedDevices({ exactly, firstAvailable }: JsonObject): ResourceList {
  const alternatives = eachObject(firstAvailable);
  if (alternatives.length > 0) return alternatives.map(devices).reduce(max, new Map());
  return isJsonObject(exactly) ? devices(exactly) : new Map();
}

function devices(request: JsonObject): ResourceList {
  const mode = stringAt(request, 'allocationMode');
  const number = mode === 'ExactCount' ? (numberAt(request, 'count') ?? 0) : mode === 'All' ? ALL : 0;
  return new Map([[stringAt(request, 'deviceClassName') + BY_CLASS, countOf(number)]]);
}
