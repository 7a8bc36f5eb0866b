import type { Chooser } from './chooser.js';
import type { RandomKind } from './random-kind.js';

/** Where limits are made, which no other kind is to come under. */
export const LIMITED = 'limited';

const AMOUNTS = ['1', '2', '500m', '1Gi', '0', '-1', '1.5'];

function amounts(choose: Chooser, names: readonly string[]): object {
  return choose.maybe(0.9, {
    [choose.pick(names)]: choose.pick(AMOUNTS),
    ...choose.maybe(0.5, { [choose.pick(names)]: choose.pick(AMOUNTS) }),
  });
}

const QUOTA_NAMES = [
  ...['cpu', 'memory', 'pods', 'requests.cpu', 'limits.cpu', 'limits.memory', 'requests.storage', 'services'],
  ...['count/jobs.batch', 'requests.example.com/gpu', 'example.com/gpu', 'hugepages-2Mi', 'storage', 'odd', 'bad name'],
];
const SCOPES = ['BestEffort', 'NotBestEffort', 'Terminating', 'PriorityClass', 'VolumeAttributesClass', 'Odd'];

function scopeExpression(choose: Chooser): object {
  return {
    ...choose.maybe(0.97, { scopeName: choose.pick(SCOPES) }),
    ...choose.maybe(0.97, { operator: choose.pick(['In', 'Exists', 'NotIn', 'Odd']) }),
    ...choose.maybe(0.5, { values: choose.pick([['a'], ['a', 'b'], []]) }),
  };
}

const quota: RandomKind = {
  title: 'ResourceQuota',
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespace: LIMITED,
  subresources: ['status'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.9, { hard: amounts(choose, QUOTA_NAMES) }),
      ...choose.maybe(0.3, { scopes: choose.pick([[choose.pick(SCOPES)], ['BestEffort', 'NotBestEffort'], []]) }),
      ...choose.maybe(0.3, { scopeSelector: { matchExpressions: [scopeExpression(choose)] } }),
    },
  }),
  change: (choose) => ({
    spec: choose.pick([{ hard: { pods: choose.pick(['3', null, '-1']) } }, { scopes: ['Terminating'] }]),
  }),
  operations: (choose) => [{ op: 'add', path: '/spec/hard', value: { cpu: choose.pick(['1', 'x', 2]) } }],
  status: (choose) => ({ hard: amounts(choose, QUOTA_NAMES), used: amounts(choose, QUOTA_NAMES) }),
};

const LIMIT_NAMES = ['cpu', 'memory', 'storage', 'example.com/gpu', 'hugepages-2Mi', 'odd'];

const limitRange: RandomKind = {
  title: 'LimitRange',
  apiVersion: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  namesItself: true,
  namespace: LIMITED,
  body: (choose) => {
    const limit = {
      ...choose.maybe(0.97, {
        type: choose.pick(['Container', 'Pod', 'PersistentVolumeClaim', 'example.com/own', 'Odd']),
      }),
      ...choose.maybe(0.5, { max: amounts(choose, LIMIT_NAMES) }),
      ...choose.maybe(0.5, { min: amounts(choose, LIMIT_NAMES) }),
      ...choose.maybe(0.3, { default: amounts(choose, LIMIT_NAMES) }),
      ...choose.maybe(0.3, { defaultRequest: amounts(choose, LIMIT_NAMES) }),
      ...choose.maybe(0.3, { maxLimitRequestRatio: amounts(choose, ['cpu', 'memory']) }),
    };
    return { spec: { limits: choose.pick([[limit], [limit], [limit, limit], []]) } };
  },
  change: (choose) => ({
    spec: { limits: choose.pick([[{ type: 'Pod', max: { cpu: choose.pick(['1', '2']) } }], null]) },
  }),
  operations: () => [{ op: 'remove', path: '/spec/limits/0' }],
};

export const LIMIT_KINDS: readonly RandomKind[] = [quota, limitRange];
