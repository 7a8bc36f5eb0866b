import type { ApiCall } from './api-endpoint.js';
import { container, core, del, get, MERGE, patch, post, put, STRATEGIC, widget, widgets } from './scenario-calls.js';

const pod = (more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'debugged' },
  spec: { containers: [container], ...more },
});
const debug = (change: object, type = STRATEGIC): ApiCall =>
  patch(core('pods', 'debugged', '/ephemeralcontainers'), type, change);
const busybox = { name: 'e', image: 'busybox' };

const ephemeralContainers: readonly ApiCall[] = [
  post(core('pods'), pod({ ephemeralContainers: [busybox] })),
  post(core('pods'), pod({ nodeName: 'n', schedulingGates: [{ name: 'g' }] })),
  post(core('pods'), pod()),
  debug({ metadata: { labels: { a: 'b' } }, spec: { ephemeralContainers: [busybox], priority: 4 } }),
  debug({ spec: { ephemeralContainers: [{ name: 'e', image: '' }] } }),
  debug({
    spec: {
      ephemeralContainers: [
        {
          name: 'f',
          image: ' spaced ',
          targetContainerName: 'missing',
          ports: [{ containerPort: 80 }],
          resources: { limits: { cpu: 1 } },
          livenessProbe: { exec: { command: ['a'] } },
          restartPolicy: 'Always',
          volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'p' }],
        },
      ],
    },
  }),
  debug({ spec: { ephemeralContainers: null } }, MERGE),
  post(core('pods', 'debugged', '/binding'), {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'debugged' },
    target: { kind: 'Node', name: 'one' },
  }),
  ...[{}, { gracePeriodSeconds: 60 }, { gracePeriodSeconds: 5 }, { propagationPolicy: 'Orphan' }, {}].flatMap(
    (options) => [del(core('pods', 'debugged'), options), get(core('pods', 'debugged'))],
  ),
  del(core('pods', 'debugged'), { gracePeriodSeconds: 0 }),
];

const service = (spec: object) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'turned' }, spec });
const one = { name: 'one', port: 80 };
const services: readonly ApiCall[] = [
  post(core('services', '', '?dryRun=All'), { ...service({ ports: [one] }), metadata: null }),
  post(core('services'), { ...service({ ports: [one] }), metadata: null }),
  post(core('services'), service({ type: 'NodePort', ports: [{ ...one, nodePort: 30500 }] })),
  ...[
    { name: 'one', port: 81 },
    { name: 'BAD_', port: 81 },
    { name: 'two', port: 0 },
  ].map((two) =>
    patch(core('services', 'turned'), MERGE, {
      spec: { type: 'ClusterIP', ports: [{ ...one, nodePort: 30500 }, two] },
    }),
  ),
  patch(core('services', 'turned'), MERGE, { spec: { type: 'ClusterIP', ports: [{ ...one, nodePort: 30501 }] } }),
  patch(core('services', 'turned'), MERGE, {
    spec: {
      type: 'ClusterIP',
      ports: [
        { ...one, nodePort: 30500 },
        { name: 'two', port: 81 },
      ],
    },
  }),
  patch(core('services', 'turned', '?dryRun=All'), MERGE, { spec: { type: 'ExternalName', externalName: 'a.b' } }),
  patch(core('services', 'turned'), STRATEGIC, {
    spec: { ports: [{ port: 82, name: 'three', odd: null, targetPort: null }] },
  }),
  del(core('services', 'turned')),
];

const scaled: readonly ApiCall[] = [
  post(widgets(), widget('scaled', { size: 1 })),
  ...[1, 'x', [], { selector: 1, replicas: 'x' }, { selector: {}, replicas: {} }, { replicas: -1 }].map((status) =>
    patch(widgets('scaled', '/status'), MERGE, { status }),
  ),
  put(widgets('scaled', '/status'), widget('scaled', { size: 1 }, { status: { selector: 'a=b' } })),
  get(widgets('scaled', '/scale')),
  del(widgets('scaled')),
  post('/apis/fidelity.example.com/v1/namespaces/fidelity/defaulteds?dryRun=All', {
    apiVersion: 'fidelity.example.com/v1',
    kind: 'Defaulted',
    metadata: { name: 'part' },
    spec: { size: 0.5 },
  }),
  post('/apis/policy/v1/namespaces/fidelity/poddisruptionbudgets?dryRun=All', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'both' },
    spec: { minAvailable: 1, maxUnavailable: 1, selector: { matchLabels: {} } },
  }),
];

const held: readonly ApiCall[] = [
  post(core('pods'), { ...pod(), metadata: { name: 'debugged', finalizers: ['foregroundDeletion'] } }),
  del(core('pods', 'debugged'), { propagationPolicy: 'Background' }),
];

/** Debugged pods, Services that change their type, and scales that cannot be read; in order. */
export const mixedScenario: readonly ApiCall[] = [...ephemeralContainers, ...held, ...services, ...scaled];
