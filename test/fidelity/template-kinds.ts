import type { RandomKind } from './random-kind.js';
import { podSpec } from './workload-kinds.js';

const controller: RandomKind = {
  title: 'ReplicationController',
  apiVersion: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  subresources: ['status', 'scale'],
  fieldSelectors: ['status.replicas=0', 'status.replicas=1'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.5, { replicas: choose.pick([0, 2, -1]) }),
      ...choose.maybe(0.5, { selector: choose.pick([{ app: 'a' }, {}, { app: 'bad value' }]) }),
      ...choose.maybe(0.2, { minReadySeconds: choose.pick([3, -1]) }),
      ...choose.maybe(0.95, {
        template: { ...choose.maybe(0.9, { metadata: { labels: { app: 'a' } } }), spec: podSpec(choose) },
      }),
    },
  }),
  change: (choose) =>
    choose.pick([
      { spec: { replicas: choose.pick([3, -1, null]) } },
      { spec: { selector: { app: 'z' } } },
      { spec: { template: { spec: { containers: [{ name: 'c', image: 'new:1' }] } } } },
    ]),
  operations: (choose) => [{ op: 'replace', path: '/spec/replicas', value: choose.pick([1, -1, 'x']) }],
  status: (choose) => ({
    replicas: choose.pick([1, -1]),
    ...choose.maybe(0.5, { readyReplicas: choose.pick([1, 5]) }),
  }),
};

const podTemplate: RandomKind = {
  title: 'PodTemplate',
  apiVersion: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  body: (choose) => ({
    ...choose.maybe(0.95, {
      template: { ...choose.maybe(0.5, { metadata: { labels: { app: 'a' } } }), spec: podSpec(choose) },
    }),
  }),
  change: (choose) => ({ template: { spec: choose.pick([{ restartPolicy: 'Never' }, { hostname: 'Bad_Name' }]) } }),
  operations: (choose) => [{ op: 'add', path: '/template/spec/hostNetwork', value: choose.pick([true, 'x']) }],
};

const revision: RandomKind = {
  title: 'ControllerRevision',
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  body: (choose) => ({
    ...choose.maybe(0.9, { data: choose.pick([{ a: 1 }, { spec: { b: [] } }, {}, [1], 'text', null]) }),
    ...choose.maybe(0.9, { revision: choose.pick([1, 2, -1]) }),
  }),
  change: (choose) => choose.pick([{ revision: choose.pick([3, -1]) }, { data: { a: 2 } }]),
  operations: (choose) => [{ op: 'replace', path: '/revision', value: choose.pick([4, 'x']) }],
};

export const TEMPLATE_KINDS: readonly RandomKind[] = [controller, podTemplate, revision];
