import type { Chooser } from './chooser.js';
import type { RandomKind } from './random-kind.js';
import { ACCESS_KINDS } from './access-kinds.js';
import { ADMISSION_KINDS } from './admission-kinds.js';
import { DEFINITION_KINDS } from './definition-kinds.js';
import { BATCH_KINDS } from './batch-kinds.js';
import { NETWORK_KINDS } from './network-kinds.js';
import { CLUSTER_KINDS } from './cluster-kinds.js';
import { CSI_KINDS } from './csi-kinds.js';
import { DETAILED_KINDS } from './detailed-kinds.js';
import { EVENT_KINDS } from './event-kinds.js';
import { FLOW_KINDS } from './flow-kinds.js';
import { DEVICE_KINDS } from './device-kinds.js';
import { RANGE_KINDS } from './range-kinds.js';
import { LIMIT_KINDS } from './limit-kinds.js';
import { STORAGE_KINDS } from './storage-kinds.js';
import { TEMPLATE_KINDS } from './template-kinds.js';
import { WORKLOAD_KINDS } from './workload-kinds.js';

const KEYS = ['x', 'y', 'z'];
const TEXTS = ['1', '2', '3'];

function data(choose: Chooser, values: readonly unknown[]): object {
  return {
    ...choose.maybe(0.7, { [choose.pick(KEYS)]: choose.pick(values) }),
    ...choose.maybe(0.5, { [choose.pick(KEYS)]: choose.pick(values) }),
    ...choose.maybe(0.04, { 'a b': choose.pick(values) }),
  };
}

const configMap: RandomKind = {
  title: 'ConfigMap',
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  body: (choose) => ({
    ...choose.maybe(0.9, { data: data(choose, TEXTS) }),
    ...choose.maybe(0.1, { binaryData: data(choose, ['AQID', '']) }),
    ...choose.maybe(0.05, { immutable: choose.pick([true, false]) }),
  }),
  change: (choose) => ({ data: { [choose.pick(KEYS)]: choose.pick(['4', null]) } }),
  operations: (choose) => [
    { op: choose.pick(['add', 'remove', 'replace', 'test']), path: `/data/${choose.pick(KEYS)}`, value: '1' },
  ],
};

const secret: RandomKind = {
  title: 'Secret',
  apiVersion: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  fieldSelectors: ['type=Opaque', 'type!=Opaque'],
  body: (choose) => ({
    ...choose.maybe(0.8, { data: data(choose, ['AQID', '', 'YQ==', 'no base64']) }),
    ...choose.maybe(0.3, { stringData: data(choose, TEXTS) }),
    ...choose.maybe(0.2, {
      type: choose.pick(['Opaque', 'kubernetes.io/tls', 'example.com/own', 'kubernetes.io/basic-auth']),
    }),
  }),
  change: (choose) => choose.pick([{ data: { x: choose.pick(['YQ==', null]) } }, { stringData: { y: 'plain' } }]),
  operations: (choose) => [{ op: choose.pick(['add', 'remove', 'test']), path: '/data/x', value: 'YQ==' }],
};

const service: RandomKind = {
  title: 'Service',
  apiVersion: 'v1',
  kind: 'Service',
  plural: 'services',
  subresources: ['status'],
  fieldSelectors: ['spec.type=ClusterIP', 'spec.clusterIP=None'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.9, { selector: { app: choose.pick(['a', 'b']) } }),
      ...choose.maybe(0.95, { ports: servicePorts(choose) }),
      ...choose.maybe(0.2, { type: choose.pick(['ClusterIP', 'LoadBalancer', 'ExternalName', 'Odd']) }),
      ...choose.maybe(0.2, { clusterIP: choose.pick(['None', 'None', 'nonsense']) }),
      ...choose.maybe(0.1, { externalName: 'example.com' }),
      ...choose.maybe(0.1, { sessionAffinity: choose.pick(['None', 'ClientIP', 'Odd']) }),
    },
  }),
  change: (choose) =>
    choose.pick([
      { spec: { selector: { app: choose.pick(['c', null]) } } },
      { spec: { ports: [{ port: choose.pick([80, 81, 0]), name: 'one' }] } },
      { spec: { sessionAffinity: 'ClientIP' } },
    ]),
  operations: (choose) => [{ op: 'replace', path: '/spec/ports/0/port', value: choose.pick([80, 8080, -1, '80']) }],
  status: (choose) => ({ loadBalancer: choose.pick([{}, { ingress: [{ ip: '1.2.3.4' }] }]) }),
};

function servicePorts(choose: Chooser): object[] {
  const port = (name: string) => ({
    ...choose.maybe(0.85, { name }),
    port: choose.pick([80, 81, 8080, 0, 70000]),
    ...choose.maybe(0.3, { targetPort: choose.pick([80, 'http', 'no_good', 0]) }),
    ...choose.maybe(0.2, { protocol: choose.pick(['TCP', 'UDP', 'XXX']) }),
  });
  return choose.pick([[port('one')], [port('one')], [port('one'), port('two')], []]);
}

const namespace: RandomKind = {
  title: 'Namespace',
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isClusterScoped: true,
  subresources: ['status', 'finalize'],
  fieldSelectors: ['status.phase=Active', 'status.phase=Terminating'],
  body: (choose) => choose.maybe(0.5, { spec: choose.pick([{}, { finalizers: ['kubernetes'] }, { finalizers: [] }]) }),
  change: (choose) => ({ metadata: { annotations: { [choose.pick(KEYS)]: choose.pick(['4', null]) } } }),
  operations: (choose) => [{ op: choose.pick(['add', 'remove']), path: '/metadata/labels/x', value: 'v' }],
  status: (choose) => ({ phase: choose.pick(['Active', 'Terminating']) }),
};

const node: RandomKind = {
  title: 'Node',
  apiVersion: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isClusterScoped: true,
  subresources: ['status'],
  fieldSelectors: ['spec.unschedulable=true', 'spec.unschedulable=false'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.3, { unschedulable: choose.pick([true, false]) }),
      ...choose.maybe(0.3, {
        taints: [{ key: choose.pick(['k', 'bad key']), effect: choose.pick(['NoSchedule', 'Odd', '']) }],
      }),
      ...choose.maybe(0.1, { providerID: choose.pick(['a', 'b']) }),
      ...choose.maybe(0.1, { podCIDR: choose.pick(['10.1.0.0/24', 'odd']) }),
    },
    ...choose.maybe(0.2, { status: nodeStatus(choose) }),
  }),
  change: (choose) => ({ spec: choose.pick([{ unschedulable: true }, { unschedulable: null }, { taints: null }]) }),
  operations: (choose) => [{ op: choose.pick(['add', 'remove']), path: '/spec/unschedulable', value: true }],
  status: nodeStatus,
};

function nodeStatus(choose: Chooser): object {
  return {
    ...choose.maybe(0.7, {
      capacity: { cpu: choose.pick(['4', '0.5', '4000m']), memory: choose.pick(['1Gi', '1024Mi']) },
    }),
    ...choose.maybe(0.5, { conditions: [{ type: 'Ready', status: choose.pick(['True', 'False']) }] }),
    ...choose.maybe(0.3, { addresses: [{ type: 'InternalIP', address: '1.2.3.4' }] }),
  };
}

const lease: RandomKind = {
  title: 'Lease',
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  plural: 'leases',
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.7, { holderIdentity: choose.pick(['one', 'two', '']) }),
      ...choose.maybe(0.5, { leaseDurationSeconds: choose.pick([15, 0, -1]) }),
      ...choose.maybe(0.4, { renewTime: choose.pick(['2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00Z', 'now']) }),
      ...choose.maybe(0.3, { leaseTransitions: choose.pick([1, 2, -1]) }),
    },
  }),
  change: (choose) => ({ spec: { holderIdentity: choose.pick(['three', null]), leaseTransitions: 3 } }),
  operations: (choose) => [{ op: choose.pick(['add', 'test']), path: '/spec/holderIdentity', value: 'four' }],
};

const runtimeClass: RandomKind = {
  title: 'RuntimeClass',
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  isClusterScoped: true,
  body: (choose) => ({
    ...choose.maybe(0.95, { handler: choose.pick(['runc', 'runc', 'gvisor', 'Bad_One']) }),
    ...choose.maybe(0.2, { overhead: { podFixed: { cpu: choose.pick(['1', '250m', '0.1']) } } }),
    ...choose.maybe(0.2, { scheduling: { nodeSelector: { x: choose.pick(['y', 'bad value']) } } }),
  }),
  change: (choose) =>
    choose.pick([{ handler: 'other' }, { overhead: null }, { overhead: { podFixed: { memory: '1Mi' } } }]),
  operations: (choose) => [{ op: 'replace', path: '/handler', value: choose.pick(['runc', 'x']) }],
};

export const BUILT_IN_KINDS: readonly RandomKind[] = [
  configMap,
  secret,
  service,
  namespace,
  node,
  lease,
  runtimeClass,
  ...ACCESS_KINDS,
  ...WORKLOAD_KINDS,
  ...BATCH_KINDS,
  ...NETWORK_KINDS,
  ...STORAGE_KINDS,
  ...LIMIT_KINDS,
  ...TEMPLATE_KINDS,
  ...CSI_KINDS,
  ...DETAILED_KINDS,
  ...EVENT_KINDS,
  ...DEFINITION_KINDS,
  ...ADMISSION_KINDS,
  ...CLUSTER_KINDS,
  ...FLOW_KINDS,
  ...RANGE_KINDS,
  ...DEVICE_KINDS,
];
