import type { Chooser } from './chooser.js';

type Part = (choose: Chooser) => object;

const selector = (choose: Chooser): object =>
  choose.pick<object>([
    {},
    { labelSelector: { matchLabels: { x: choose.pick(['a', 'bad value']) } } },
    { labelSelector: { matchExpressions: [{ key: 'x', operator: choose.pick(['Exists', 'In', 'Odd']) }] } },
    { labelSelector: {}, matchLabelKeys: choose.pick([['x'], ['y', 'x'], ['bad key']]) },
    { labelSelector: { matchLabels: { x: 'a' } }, matchLabelKeys: ['x'] },
  ]);

function podTerm(choose: Chooser): object {
  return {
    ...choose.maybe(0.9, { topologyKey: choose.pick(['zone', 'kubernetes.io/hostname', 'bad key', '']) }),
    ...selector(choose),
    ...choose.maybe(0.2, { namespaces: choose.pick([['a'], ['Bad_Name']]) }),
    ...choose.maybe(0.2, { namespaceSelector: choose.pick([{}, { matchLabels: { 'a b': 'c' } }]) }),
    ...choose.maybe(0.15, { mismatchLabelKeys: ['x'] }),
  };
}

function nodeTerm(choose: Chooser): object {
  return choose.pick<object>([
    {
      matchExpressions: [
        {
          key: choose.pick(['x', 'x', 'bad key', '']),
          operator: choose.pick(['In', 'NotIn', 'Exists', 'Gt', 'Odd']),
          ...choose.maybe(0.7, { values: choose.pick([['1'], ['a', 'b'], ['bad value'], []]) }),
        },
      ],
    },
    {
      matchFields: [
        {
          key: choose.pick(['metadata.name', 'metadata.name', 'spec.odd']),
          operator: choose.pick(['In', 'In', 'Exists']),
          values: choose.pick([['node'], ['a', 'b'], ['Bad_Name']]),
        },
      ],
    },
    {},
  ]);
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Scheduling constraints of a pod. */
export const affinity: Part = (choose) => {
  const weight = choose.pick([1, 100, 0, 101]);
  return {
    affinity: choose.pick<object>([
      { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: choose.pick([[nodeTerm(choose)], []]) } } },
      { nodeAffinity: { [PREFERRED]: [{ weight, preference: nodeTerm(choose) }] } },
      { podAffinity: { [REQUIRED]: [podTerm(choose)] } },
      { podAntiAffinity: { [REQUIRED]: [podTerm(choose)], [PREFERRED]: [] } },
      { podAntiAffinity: { [PREFERRED]: [{ weight, podAffinityTerm: podTerm(choose) }] } },
      {},
    ]),
  };
};

/** How pods are spread. */
export const spread: Part = (choose) => {
  const one = {
    maxSkew: choose.pick([1, 2, 0]),
    topologyKey: choose.pick(['zone', 'zone', '']),
    whenUnsatisfiable: choose.pick(['DoNotSchedule', 'ScheduleAnyway', 'Odd']),
    ...selector(choose),
    ...choose.maybe(0.2, { minDomains: choose.pick([1, 0]) }),
    ...choose.maybe(0.2, { nodeAffinityPolicy: choose.pick(['Honor', 'Odd']) }),
    ...choose.maybe(0.2, { nodeTaintsPolicy: choose.pick(['Ignore', '']) }),
  };
  return { topologySpreadConstraints: choose.pick([[one], [one], [one, one]]) };
};
