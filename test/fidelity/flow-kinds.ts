import type { Chooser } from './chooser.js';
import { NAMES } from './random-calls.js';
import type { RandomKind } from './random-kind.js';

const VERSION = 'flowcontrol.apiserver.k8s.io/v1';

function subject(choose: Chooser): object {
  return {
    ...choose.maybe(0.97, { kind: choose.pick(['User', 'Group', 'ServiceAccount', 'Odd']) }),
    ...choose.maybe(0.5, { user: { name: choose.pick(['u', '']) } }),
    ...choose.maybe(0.5, { group: { name: choose.pick(['g', '']) } }),
    ...choose.maybe(0.5, {
      serviceAccount: { name: choose.pick(['*', 'a', 'Bad_', '']), namespace: choose.pick(['n', 'Bad_', '']) },
    }),
  };
}

function verbs(choose: Chooser): readonly string[] {
  return choose.pick([['*'], ['get', 'list'], ['*', 'get'], ['odd'], []]);
}

function resourceRule(choose: Chooser): object {
  return {
    verbs: verbs(choose),
    ...choose.maybe(0.95, { apiGroups: choose.pick([['*'], [''], ['*', 'apps'], []]) }),
    ...choose.maybe(0.95, { resources: choose.pick([['*'], ['pods'], ['*', 'pods'], []]) }),
    ...choose.maybe(0.5, { clusterScope: choose.pick([true, false]) }),
    ...choose.maybe(0.6, { namespaces: choose.pick([['*'], ['default'], ['*', 'default'], ['Bad_'], []]) }),
  };
}

function urlRule(choose: Chooser): object {
  return {
    verbs: verbs(choose),
    nonResourceURLs: choose.pick([
      ['*'],
      ['/a', '/b/*'],
      ['*', '/a'],
      ['a', '', '/', '/a b', '/a//b', '/*a', '/a*'],
      [],
    ]),
  };
}

function rule(choose: Chooser): object {
  return {
    ...choose.maybe(0.95, { subjects: choose.pick([[subject(choose)], [subject(choose), subject(choose)], []]) }),
    ...choose.maybe(0.7, { resourceRules: choose.pick([[resourceRule(choose)], [resourceRule(choose)], []]) }),
    ...choose.maybe(0.5, { nonResourceRules: [urlRule(choose)] }),
  };
}

function conditions(choose: Chooser): object {
  const condition = {
    ...choose.maybe(0.95, { type: choose.pick(['Odd', 'Other', '']) }),
    status: choose.pick(['True', 'False', 'odd']),
    ...choose.maybe(0.5, { reason: 'r', message: 'm', lastTransitionTime: '2026-01-01T00:00:00Z' }),
  };
  return { conditions: choose.pick([[condition], [condition, { type: 'Odd', status: 'True' }], []]) };
}

const schema: RandomKind = {
  title: 'FlowSchema',
  apiVersion: VERSION,
  kind: 'FlowSchema',
  plural: 'flowschemas',
  isClusterScoped: true,
  // The real server finds the status of new ones in its own time.
  isTried: true,
  subresources: ['status'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.97, {
        priorityLevelConfiguration: { name: choose.pick(['exempt', 'workload-low', 'absent', 'Bad_', '']) },
      }),
      ...choose.maybe(0.5, { matchingPrecedence: choose.pick([0, 1, 2, 500, 10_000, 10_001, -1]) }),
      ...choose.maybe(0.4, { distinguisherMethod: { type: choose.pick(['ByUser', 'ByNamespace', 'Odd', '']) } }),
      ...choose.maybe(0.8, { rules: choose.pick([[rule(choose)], [rule(choose)], [rule(choose), rule(choose)], []]) }),
    },
  }),
  change: (choose) =>
    choose.pick<object>([
      { spec: { matchingPrecedence: choose.pick([7, 1, null]) } },
      { spec: { distinguisherMethod: choose.pick([null, { type: 'ByUser' }]) } },
      { spec: { rules: [rule(choose)] } },
      { status: conditions(choose) },
    ]),
  operations: (choose) => [
    { op: choose.pick(['add', 'remove']), path: '/spec/matchingPrecedence', value: choose.pick([8, 'x', 1.5]) },
  ],
  status: conditions,
};

function queuing(choose: Chooser): object {
  return {
    ...choose.maybe(0.6, { queues: choose.pick([0, 1, 64, -1, 10_000_001]) }),
    ...choose.maybe(0.6, { handSize: choose.pick([0, 1, 8, 65, -1]) }),
    ...choose.maybe(0.4, { queueLengthLimit: choose.pick([0, 10, -1]) }),
  };
}

function shares(choose: Chooser): object {
  return {
    ...choose.maybe(0.5, { nominalConcurrencyShares: choose.pick([0, 10, -1]) }),
    ...choose.maybe(0.4, { lendablePercent: choose.pick([0, 50, 100, 101, -1]) }),
  };
}

function limited(choose: Chooser): object {
  return {
    ...shares(choose),
    ...choose.maybe(0.3, { borrowingLimitPercent: choose.pick([0, 10, -1]) }),
    ...choose.maybe(0.95, {
      limitResponse: {
        ...choose.maybe(0.97, { type: choose.pick(['Queue', 'Queue', 'Reject', 'Odd', '']) }),
        ...choose.maybe(0.6, { queuing: queuing(choose) }),
      },
    }),
  };
}

const level: RandomKind = {
  title: 'PriorityLevelConfiguration',
  apiVersion: VERSION,
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  isClusterScoped: true,
  subresources: ['status'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.97, { type: choose.pick(['Limited', 'Limited', 'Limited', 'Exempt', 'Odd', '']) }),
      ...choose.maybe(0.9, { limited: limited(choose) }),
      ...choose.maybe(0.1, { exempt: shares(choose) }),
    },
  }),
  change: (choose) =>
    choose.pick<object>([
      { spec: { limited: limited(choose) } },
      { spec: { type: 'Exempt', limited: null, exempt: shares(choose) } },
      { status: conditions(choose) },
    ]),
  operations: (choose) => [
    { op: choose.pick(['add', 'remove']), path: '/spec/limited/lendablePercent', value: choose.pick([8, 'x', 200]) },
  ],
  status: conditions,
};

const TRIED = {
  exempt: { priorityLevelConfiguration: { name: 'exempt' } },
  lone: {
    priorityLevelConfiguration: { name: 'absent' },
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'u' } }],
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }],
      },
    ],
  },
};

const collection = `/apis/${VERSION}/flowschemas`;

/** The existing objects, each with its collection. */
export const triedSchemas = (names: readonly string[]): readonly (readonly [string, object])[] =>
  names.map((name, index) => {
    const spec = index === 0 ? TRIED.exempt : TRIED.lone;
    return [collection, { apiVersion: VERSION, kind: 'FlowSchema', metadata: { name }, spec }];
  });

/** Where what they find is. */
export const triedSchemaPaths: readonly string[] = NAMES.map((name) => `${collection}/${name}`);

export const FLOW_KINDS: readonly RandomKind[] = [schema, level];
