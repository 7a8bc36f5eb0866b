import {
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';

/** Returns whether an object matches a scope; only pods and claims have scopes. */
export type MatchesScope = (scope: JsonObject, object: ApiObject) => boolean;

/** Returns the scopes of a quota as selectors. */
export function scopesOf({ spec }: ApiObject): JsonObject[] {
  const plain = arrayAt(spec, 'scopes').map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...plain, ...eachObject(objectAt(objectAt({ spec }, 'spec'), 'scopeSelector').matchExpressions)];
}

export const NO_SCOPE: MatchesScope = () => false;

export const matchesPodScope: MatchesScope = (scope, pod) => {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return matchesClass(scope, stringAt(pod.spec, 'priorityClassName'));
    case 'CrossNamespacePodAffinity':
      return hasForeignAffinity(objectAt(objectAt(pod, 'spec'), 'affinity'));
    default:
      return false;
  }
};

/** Matches the requested class of a claim, its current class and the one it is changing to. */
export const matchesClaimScope: MatchesScope = (scope, { spec, status }) => {
  if (scope.scopeName !== 'VolumeAttributesClass') return false;
  const names = [
    stringAt(spec, 'volumeAttributesClassName'),
    stringAt(status, 'currentVolumeAttributesClassName'),
    stringAt(objectAt({ status }, 'status').modifyVolumeStatus, 'targetVolumeAttributesClassName'),
  ].filter((name) => name !== '');
  return (names.length === 0 ? [''] : names).some((name) => matchesClass(scope, name));
};

export function isTerminating({ spec }: ApiObject): boolean {
  return (numberAt(spec, 'activeDeadlineSeconds') ?? -1) >= 0;
}

/** Returns whether no container has CPU or memory requests or limits. */
function isBestEffort({ spec }: ApiObject): boolean {
  const { containers, initContainers } = objectAt({ spec }, 'spec');
  return [...eachObject(containers), ...eachObject(initContainers)].every(({ resources }) =>
    ['requests', 'limits'].every((member) => {
      const { cpu, memory } = objectAt(resources, member);
      return cpu === undefined && memory === undefined;
    }),
  );
}

function matchesClass(scope: JsonObject, name: string): boolean {
  const values = arrayAt(scope, 'values');
  switch (scope.operator) {
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    case 'In':
      return name !== '' && values.includes(name);
    default:
      return name === '' || !values.includes(name);
  }
}

function hasForeignAffinity(affinity: JsonObject): boolean {
  const isForeign = (term: JsonObject): boolean =>
    arrayAt(term, 'namespaces').length > 0 || isJsonObject(term.namespaceSelector);
  return ['podAffinity', 'podAntiAffinity'].some((member) => {
    const terms = objectAt(affinity, member);
    return (
      eachObject(terms.requiredDuringSchedulingIgnoredDuringExecution).some(isForeign) ||
      eachObject(terms.preferredDuringSchedulingIgnoredDuringExecution).some((term) =>
        isForeign(objectAt(term, 'podAffinityTerm')),
      )
    );
  });
}
