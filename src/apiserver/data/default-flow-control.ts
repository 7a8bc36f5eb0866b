import type { JsonObject } from '../objects/api-object.js';

/** A default FlowSchema or PriorityLevelConfiguration. */
export interface FlowControlObject {
  readonly kind: 'FlowSchema' | 'PriorityLevelConfiguration';
  readonly name: string;
  readonly spec: JsonObject;
}

const group = (name: string): JsonObject => ({ kind: 'Group', group: { name } });
const user = (name: string): JsonObject => ({ kind: 'User', user: { name } });
const SYSTEM_ACCOUNTS = { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'kube-system' } };
const EVERYBODY = [group('system:unauthenticated'), group('system:authenticated')];
const ANY = ['*'];
const EVERYTHING = {
  nonResourceRules: [{ nonResourceURLs: ANY, verbs: ANY }],
  resourceRules: [{ apiGroups: ANY, clusterScope: true, namespaces: ANY, resources: ANY, verbs: ANY }],
};
const leases = (verbs: readonly string[]): JsonObject => ({
  apiGroups: ['coordination.k8s.io'],
  namespaces: ANY,
  resources: ['leases'],
  verbs,
});

type Method = 'ByUser' | 'ByNamespace' | '';
type Schema = readonly [
  name: string,
  level: string,
  precedence: number,
  method: Method,
  subjects: readonly JsonObject[],
  what: JsonObject,
];

/** The mandatory and suggested objects of apis/flowcontrol/bootstrap of k8s.io/apiserver. */
const SCHEMAS: readonly Schema[] = [
  ['catch-all', 'catch-all', 10_000, 'ByUser', EVERYBODY, EVERYTHING],
  ['exempt', 'exempt', 1, '', [group('system:masters')], EVERYTHING],
  ['global-default', 'global-default', 9900, 'ByUser', EVERYBODY, EVERYTHING],
  [
    'kube-controller-manager',
    'workload-high',
    800,
    'ByNamespace',
    [user('system:kube-controller-manager')],
    EVERYTHING,
  ],
  ['kube-scheduler', 'workload-high', 800, 'ByNamespace', [user('system:kube-scheduler')], EVERYTHING],
  ['kube-system-service-accounts', 'workload-high', 900, 'ByNamespace', [SYSTEM_ACCOUNTS], EVERYTHING],
  [
    'probes',
    'exempt',
    2,
    '',
    EVERYBODY,
    { nonResourceRules: [{ nonResourceURLs: ['/healthz', '/readyz', '/livez'], verbs: ['get'] }] },
  ],
  ['service-accounts', 'workload-low', 9000, 'ByUser', [group('system:serviceaccounts')], EVERYTHING],
  [
    'system-leader-election',
    'leader-election',
    100,
    'ByUser',
    [user('system:kube-controller-manager'), user('system:kube-scheduler'), SYSTEM_ACCOUNTS],
    { resourceRules: [leases(['get', 'create', 'update'])] },
  ],
  [
    'system-node-high',
    'node-high',
    400,
    'ByUser',
    [group('system:nodes')],
    {
      resourceRules: [
        { apiGroups: [''], clusterScope: true, namespaces: ANY, resources: ['nodes', 'nodes/status'], verbs: ANY },
        leases(ANY),
      ],
    },
  ],
  ['system-nodes', 'system', 500, 'ByUser', [group('system:nodes')], EVERYTHING],
];

/** Shares, lendable percentage, and the number of queues and the hand size. */
const LEVELS: readonly (readonly [name: string, shares: number, lendable: number, queues: number, hand: number])[] = [
  ['catch-all', 5, 0, 0, 0],
  ['global-default', 20, 50, 128, 6],
  ['leader-election', 10, 0, 16, 4],
  ['node-high', 40, 25, 64, 6],
  ['system', 30, 33, 64, 6],
  ['workload-high', 40, 50, 128, 6],
  ['workload-low', 100, 90, 128, 6],
];

/** Yields the default objects of API priority and fairness, which the embedded server stores but does not enforce. */
export function* defaultFlowControl(): Generator<FlowControlObject> {
  const exempt = { lendablePercent: 0, nominalConcurrencyShares: 0 };
  yield { kind: 'PriorityLevelConfiguration', name: 'exempt', spec: { exempt, type: 'Exempt' } };
  for (const [name, nominalConcurrencyShares, lendablePercent, queues, handSize] of LEVELS) {
    const queuing = { handSize, queueLengthLimit: 50, queues };
    const limitResponse = queues === 0 ? { type: 'Reject' } : { queuing, type: 'Queue' };
    const limited = { lendablePercent, limitResponse, nominalConcurrencyShares };
    yield { kind: 'PriorityLevelConfiguration', name, spec: { limited, type: 'Limited' } };
  }
  for (const [name, level, matchingPrecedence, type, subjects, what] of SCHEMAS)
    yield {
      kind: 'FlowSchema',
      name,
      spec: {
        ...(type !== '' && { distinguisherMethod: { type } }),
        matchingPrecedence,
        priorityLevelConfiguration: { name: level },
        rules: [{ ...what, subjects }],
      },
    };
}
