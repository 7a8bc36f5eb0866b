import type { Chooser } from './chooser.js';
import type { RandomAction, RandomKind } from './random-kind.js';

function container(choose: Chooser, name: string): object {
  return {
    ...choose.maybe(0.97, { name }),
    ...choose.maybe(0.97, { image: choose.pick(['busybox', 'busybox:1', 'a/b@sha256:0']) }),
    ...choose.maybe(0.2, { command: ['sleep', '1'] }),
    ...choose.maybe(0.3, {
      ports: [{ containerPort: choose.pick([80, 81, 0]), ...choose.maybe(0.5, { name: 'http' }) }],
    }),
    ...choose.maybe(0.3, { env: [{ name: choose.pick(['A', 'B', 'b-ad=']), value: choose.pick(['1', '$(A)']) }] }),
    ...choose.maybe(0.3, { resources: resources(choose) }),
    ...choose.maybe(0.1, { imagePullPolicy: choose.pick(['Always', 'Odd']) }),
    ...choose.maybe(0.1, { livenessProbe: choose.pick([{ httpGet: { port: 80 } }, { exec: { command: ['a'] } }, {}]) }),
    ...choose.maybe(0.1, { volumeMounts: [{ name: choose.pick(['v', 'w']), mountPath: '/v' }] }),
    ...choose.maybe(0.1, { securityContext: { runAsUser: choose.pick([0, 1000, -1]) } }),
  };
}

function resources(choose: Chooser): object {
  return {
    ...choose.maybe(0.7, { limits: { cpu: choose.pick(['1', '500m', '0.5']), memory: '64Mi' } }),
    ...choose.maybe(0.5, { requests: { cpu: choose.pick(['100m', '2', 'lots']) } }),
  };
}

export function podSpec(choose: Chooser): object {
  return {
    containers: choose.pick([
      [container(choose, 'c')],
      [container(choose, 'c')],
      [container(choose, 'c'), container(choose, choose.pick(['d', 'c']))],
      [],
    ]),
    ...choose.maybe(0.1, { initContainers: [container(choose, 'i')] }),
    ...choose.maybe(0.15, { restartPolicy: choose.pick(['Always', 'Never', 'Odd']) }),
    ...choose.maybe(0.1, { terminationGracePeriodSeconds: choose.pick([0, 5, -1]) }),
    ...choose.maybe(0.2, {
      volumes: [{ name: 'v', ...choose.pick([{ emptyDir: {} }, { configMap: { name: 'c' } }, {}]) }],
    }),
    ...choose.maybe(0.1, { nodeSelector: { x: 'y' } }),
    ...choose.maybe(0.1, { tolerations: [{ key: 'k', operator: choose.pick(['Exists', 'Equal', 'Odd']) }] }),
    ...choose.maybe(0.05, { dnsPolicy: choose.pick(['Default', 'Odd']) }),
  };
}

const eviction: RandomAction = {
  name: 'eviction',
  body: (choose, name) => ({
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...choose.maybe(0.3, { deleteOptions: choose.pick([{ dryRun: ['All'] }, { gracePeriodSeconds: 0 }]) }),
  }),
};

const binding: RandomAction = {
  name: 'binding',
  body: (choose, name) => ({
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name },
    target: { kind: 'Node', name: choose.pick(['one', 'two']) },
  }),
};

const ephemeralContainers: RandomAction = {
  name: 'ephemeralcontainers',
  method: 'PATCH',
  contentType: 'application/strategic-merge-patch+json',
  body: (choose) => ({
    spec: { ephemeralContainers: [{ name: choose.pick(['e', 'f']), image: choose.pick(['busybox', 'busybox', '']) }] },
  }),
};

const pod: RandomKind = {
  title: 'Pod',
  apiVersion: 'v1',
  kind: 'Pod',
  plural: 'pods',
  actions: [eviction, binding, ephemeralContainers],
  subresources: ['status'],
  fieldSelectors: ['status.phase=Pending', 'spec.nodeName=', 'spec.restartPolicy=Never'],
  body: (choose) => ({ spec: podSpec(choose) }),
  change: (choose) =>
    choose.pick([
      { spec: { containers: [{ name: 'c', image: choose.pick(['new:1', '']) }] } },
      { spec: { activeDeadlineSeconds: choose.pick([5, 10]) } },
      { spec: { nodeSelector: { z: 'z' } } },
      { spec: { tolerations: null } },
    ]),
  operations: (choose) => [
    { op: 'replace', path: '/spec/containers/0/image', value: choose.pick(['new:2', 'busybox']) },
  ],
  status: (choose) => ({
    phase: choose.pick(['Pending', 'Running']),
    ...choose.maybe(0.5, { conditions: [{ type: 'Ready', status: choose.pick(['True', 'False']) }] }),
    ...choose.maybe(0.3, { podIP: '1.2.3.4' }),
  }),
};

export function workload(choose: Chooser): object {
  const labels = choose.pick([{ app: 'a' }, { app: 'a' }, { app: 'a' }, { app: 'b' }]);
  return {
    ...choose.maybe(0.6, { replicas: choose.pick([0, 1, 3, -1]) }),
    ...choose.maybe(0.97, {
      selector: choose.pick([{ matchLabels: { app: 'a' } }, { matchLabels: { app: 'a' } }, {}]),
    }),
    template: { ...choose.maybe(0.97, { metadata: { labels } }), spec: podSpec(choose) },
    ...choose.maybe(0.2, { minReadySeconds: choose.pick([0, 5, -1]) }),
  };
}

export const workloadChange = (choose: Chooser): object =>
  choose.pick([
    { spec: { replicas: choose.pick([2, 0, null, -1]) } },
    { spec: { template: { spec: { containers: [{ name: 'c', image: 'new:1' }] } } } },
    { spec: { template: { metadata: { annotations: { x: choose.pick(['1', null]) } } } } },
    { spec: { selector: { matchLabels: { app: 'z' } } } },
  ]);

export const workloadOperations = (choose: Chooser): readonly object[] => [
  { op: choose.pick(['replace', 'add', 'test']), path: '/spec/replicas', value: choose.pick([1, 2, -1, '3']) },
];

const deployment: RandomKind = {
  title: 'Deployment',
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  subresources: ['status', 'scale'],
  body: (choose) => ({
    spec: {
      ...workload(choose),
      ...choose.maybe(0.1, { paused: true }),
      ...choose.maybe(0.1, { revisionHistoryLimit: choose.pick([3, -1]) }),
      ...choose.maybe(0.2, {
        strategy: choose.pick([
          { type: 'Recreate' },
          {
            type: 'RollingUpdate',
            rollingUpdate: { maxSurge: choose.pick([1, '50%', 'x', 0]), maxUnavailable: choose.pick([0, 1]) },
          },
          { type: 'Odd' },
        ]),
      }),
    },
  }),
  change: workloadChange,
  operations: workloadOperations,
  status: (choose) => ({
    replicas: choose.pick([1, 2, -1]),
    ...choose.maybe(0.5, { conditions: [{ type: 'Available', status: 'True' }] }),
    ...choose.maybe(0.3, { observedGeneration: 1 }),
  }),
};

const replicaSet: RandomKind = {
  title: 'ReplicaSet',
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  subresources: ['status', 'scale'],
  fieldSelectors: ['status.replicas=0', 'status.replicas=2'],
  body: (choose) => ({ spec: workload(choose) }),
  change: workloadChange,
  operations: workloadOperations,
  status: (choose) => ({
    replicas: choose.pick([1, 2, -1]),
    ...choose.maybe(0.5, { readyReplicas: choose.pick([1, 5]) }),
  }),
};

export const WORKLOAD_KINDS: readonly RandomKind[] = [pod, deployment, replicaSet];
