import type { ApiCall } from './api-endpoint.js';
import { core, del, MERGE, patch, post, STRATEGIC } from './scenario-calls.js';

const container = { name: 'c', image: 'busybox', resources: { requests: { cpu: '1' } } };
const pod = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [container], ...spec },
});
const required = (...values: readonly string[]) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: values.map((value) => ({ key: 'x', operator: 'In', values: [value] })) }],
    },
  },
});
const resize = (spec: object): ApiCall => patch(core('pods', 'sized', '/resize'), STRATEGIC, { spec });
const resources = (more: object) => ({ containers: [{ name: 'c', resources: more }] });

/** Until its scheduling gates are removed, a pod may add node constraints. */
const gated: readonly ApiCall[] = [
  post(
    core('pods'),
    pod('gated', { schedulingGates: [{ name: 'a' }], affinity: required('a'), nodeSelector: { y: '1' } }),
  ),
  patch(core('pods', 'gated'), MERGE, { spec: { affinity: required('a', 'b'), nodeSelector: { z: '1' } } }),
  patch(core('pods', 'gated'), MERGE, { spec: { affinity: required('b'), nodeSelector: { y: null } } }),
  patch(core('pods', 'gated'), MERGE, { spec: { schedulingGates: [{ name: 'b' }] } }),
  patch(core('pods', 'gated'), MERGE, { spec: { schedulingGates: null } }),
  patch(core('pods', 'gated'), MERGE, { spec: { nodeSelector: { more: '1' } } }),
  del(core('pods', 'gated')),
];

const resized: readonly ApiCall[] = [
  post(core('pods'), pod('sized', {})),
  resize(resources({ requests: { cpu: '2' } })),
  resize(resources({ requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '3' } })),
  resize(resources({ requests: { cpu: null } })),
  resize(resources({ limits: { 'example.com/gpu': '1' } })),
  resize({ containers: [{ name: 'd', image: 'busybox' }] }),
  resize({ nodeSelector: { a: 'b' }, resources: { limits: { memory: '2Gi' } } }),
  del(core('pods', 'sized')),
];

/** The parts of pods that the server adds. */
const completed: readonly ApiCall[] = [
  post(
    core('pods', '', '?dryRun=All'),
    pod(
      'spread',
      {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'z',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: {},
            matchLabelKeys: ['x'],
          },
        ],
        volumes: [{ name: 'v', image: { reference: 'a' } }],
        resources: { limits: { memory: '1Gi' } },
      },
      { labels: { x: 'a' } },
    ),
  ),
  post(core('pods', '', '?dryRun=All'), pod('classless', { runtimeClassName: '' })),
  post(core('pods', '', '?dryRun=All'), pod('warned', { volumes: [{ name: 'v', storageos: { volumeName: 'a' } }] })),
];

const addressed: readonly ApiCall[] = [
  post(core('pods'), pod('addressed', {})),
  ...[
    { podIP: '1.2.3.4', podIPs: [{ ip: '1.2.3.5' }] },
    { podIP: null, podIPs: [{ ip: '1.2.3.6' }, { ip: '::1' }] },
    { podIPs: [{ ip: '1.2.3.6' }, { ip: '1.2.3.7' }] },
    { hostIPs: [{ ip: '01.2.3.4' }], nominatedNodeName: 'A_b', observedGeneration: -1 },
    { conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }], observedGeneration: 1 },
    { conditions: [{ type: 'Ready', status: 'False' }], observedGeneration: 0 },
  ].map((status) => patch(core('pods', 'addressed', '/status'), MERGE, { status })),
  del(core('pods', 'addressed')),
];

const shared: readonly ApiCall[] = [
  post(core('services'), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'shared' },
    spec: { type: 'NodePort', ports: [{ name: 'one', port: 81 }] },
  }),
  patch(core('services', 'shared'), MERGE, {
    spec: {
      ports: [
        { name: 'one', port: 81 },
        { name: 'two', port: 81 },
      ],
    },
  }),
  del(core('services', 'shared')),
];

const fromFile = { name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'a', key: 'K' } } };
/** An empty hook is valid, and defaults of the server are immutable, too. */
const frozen: readonly ApiCall[] = [
  post(core('pods'), pod('frozen', { volumes: [{ name: 'v', emptyDir: {} }] })),
  patch(core('pods', 'frozen'), STRATEGIC, { spec: { containers: [{ name: 'c', lifecycle: { preStop: {} } }] } }),
  patch(core('pods', 'frozen'), STRATEGIC, { spec: { containers: [{ name: 'c', env: [fromFile] }] } }),
  del(core('pods', 'frozen')),
];

/** Pods that wait, are resized and use their own fields, and a Service with two ports of one number; in order. */
export const podScenario: readonly ApiCall[] = [...gated, ...resized, ...completed, ...addressed, ...frozen, ...shared];
