import { detailedPodSpec, podAnnotations } from './pod-details.js';
import type { RandomAction, RandomKind } from './random-kind.js';

/** Where pods are made that have more than most. */
export const DETAILED = 'fidelity-detailed';

const resize: RandomAction = {
  name: 'resize',
  method: 'PATCH',
  contentType: 'application/strategic-merge-patch+json',
  body: (choose) => ({
    spec: choose.pick<object>([
      {
        containers: [{ name: choose.pick(['c', 'c', 'd']), resources: { requests: { cpu: choose.pick(['1', '2']) } } }],
      },
      { containers: [{ name: 'c', resources: { limits: { memory: '1Gi' } }, ...choose.maybe(0.2, { image: 'new' }) }] },
      {
        containers: [
          { name: 'c', resources: choose.pick([null, { limits: null }, { requests: { 'example.com/gpu': '1' } }]) },
        ],
      },
      { containers: [{ name: 'c', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }] },
      { resources: choose.pick([{ limits: { cpu: '2' } }, null]) },
      { nodeSelector: { a: 'b' } },
    ]),
  }),
};

const pod: RandomKind = {
  title: 'Pod in detail',
  apiVersion: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespace: DETAILED,
  subresources: ['status'],
  actions: [resize],
  body: (choose) => ({ spec: detailedPodSpec(choose) }),
  change: (choose) =>
    choose.pick<object>([
      { spec: detailedPodSpec(choose) },
      { spec: { schedulingGates: choose.pick([null, [{ name: 'new' }]]) } },
      { spec: { nodeSelector: { z: 'z' } } },
    ]),
  operations: (choose) => [
    { op: 'add', path: '/spec/containers/0/imagePullPolicy', value: choose.pick(['Always', 'Odd']) },
  ],
  status: (choose) => ({
    ...choose.maybe(0.5, { podIP: choose.pick(['1.2.3.4', '01.2.3.4', 'x']) }),
    ...choose.maybe(0.3, { hostIP: choose.pick(['1.2.3.4', 'x']) }),
    ...choose.maybe(0.3, {
      podIPs: choose.pick([
        [{ ip: '1.2.3.4' }, { ip: '::1' }],
        [{ ip: '1.2.3.4' }, { ip: '1.2.3.5' }],
      ]),
    }),
    ...choose.maybe(0.3, {
      conditions: [
        { type: choose.pick(['Ready', 'a b']), status: 'True', observedGeneration: choose.pick([0, 1, -1]) },
      ],
    }),
    ...choose.maybe(0.3, {
      containerStatuses: [
        {
          name: 'c',
          image: 'a',
          imageID: 'b',
          ready: true,
          restartCount: 0,
          state: choose.pick<object>([{ running: {} }, { terminated: { exitCode: 1 } }, {}]),
        },
      ],
    }),
  }),
};

const template: RandomKind = {
  title: 'PodTemplate in detail',
  apiVersion: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespace: DETAILED,
  body: (choose) => ({
    template: {
      ...choose.maybe(0.3, { metadata: { annotations: podAnnotations(choose) } }),
      spec: detailedPodSpec(choose),
    },
  }),
  change: (choose) => ({ template: { spec: detailedPodSpec(choose) } }),
  operations: (choose) => [{ op: 'add', path: '/template/spec/hostNetwork', value: choose.pick([true, 'x']) }],
};

export const DETAILED_KINDS: readonly RandomKind[] = [pod, template];
