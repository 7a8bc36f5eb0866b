import type { Chooser } from './chooser.js';
import type { RandomKind } from './random-kind.js';

const VERSION = 'resource.k8s.io/v1';
function opaque(choose: Chooser): object {
  return {
    ...choose.maybe(0.95, {
      opaque: {
        ...choose.maybe(0.95, { driver: choose.pick(['d.example.com', 'd.example.com', 'Bad_', '']) }),
        ...choose.maybe(0.95, { parameters: choose.pick<unknown>([{ a: 1 }, { a: { b: [1] } }, 1, 'x', [1], null]) }),
      },
    }),
  };
}

/** Without selectors: that their expressions compile is not checked. */
const deviceClass: RandomKind = {
  title: 'DeviceClass',
  apiVersion: VERSION,
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  isClusterScoped: true,
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.5, { config: choose.pick([[opaque(choose)], [opaque(choose), opaque(choose)], []]) }),
      ...choose.maybe(0.3, {
        extendedResourceName: choose.pick(['example.com/gpu', 'cpu', 'kubernetes.io/gpu', '', 'Bad_/x y']),
      }),
    },
  }),
  change: (choose) => choose.pick<object>([{ spec: { config: [opaque(choose)] } }, { spec: { config: null } }]),
  operations: (choose) => [
    { op: choose.pick(['add', 'remove']), path: '/spec/config', value: choose.pick<unknown>([[opaque(choose)], 'x']) },
  ],
};

function wanted(choose: Chooser): object {
  return {
    ...choose.maybe(0.95, { deviceClassName: choose.pick(['c', 'c', 'Bad_', '']) }),
    ...choose.maybe(0.4, { allocationMode: choose.pick(['All', 'ExactCount', 'Odd', '']) }),
    ...choose.maybe(0.3, { count: choose.pick([1, 2, 0, -1]) }),
    ...choose.maybe(0.2, { tolerations: [toleration(choose)] }),
  };
}

function toleration(choose: Chooser): object {
  return {
    ...choose.maybe(0.7, { key: choose.pick(['a', 'example.com/a', 'bad key', '']) }),
    ...choose.maybe(0.7, { operator: choose.pick(['Exists', 'Equal', 'Odd', '']) }),
    ...choose.maybe(0.5, { value: choose.pick(['v', 'bad value', '']) }),
    ...choose.maybe(0.5, { effect: choose.pick(['NoSchedule', 'NoExecute', 'None', 'Odd', '']) }),
  };
}

function request(choose: Chooser): object {
  return {
    ...choose.maybe(0.97, { name: choose.pick(['a', 'b', 'Bad_', '']) }),
    ...choose.maybe(0.8, { exactly: wanted(choose) }),
    ...choose.maybe(0.2, {
      firstAvailable: choose.pick([
        [{ name: 'x', ...wanted(choose) }],
        [
          { name: 'x', ...wanted(choose) },
          { name: choose.pick(['x', 'y', 'Bad_']), ...wanted(choose) },
        ],
        [],
      ]),
    }),
  };
}

const REFERENCES = [['a'], ['a', 'b'], ['a', 'a'], ['a/x'], ['a/x/y'], ['Bad_'], [], ['/']];

function devices(choose: Chooser): object {
  return {
    ...choose.maybe(0.9, { requests: choose.pick([[request(choose)], [request(choose), request(choose)], []]) }),
    ...choose.maybe(0.3, {
      constraints: [
        {
          ...choose.maybe(0.6, { requests: choose.pick(REFERENCES) }),
          ...choose.maybe(0.7, {
            matchAttribute: choose.pick(['example.com/model', 'model', 'a/b/c', '/', 'Bad_/x y']),
          }),
          ...choose.maybe(0.2, { distinctAttribute: choose.pick(['example.com/model', 'model']) }),
        },
      ],
    }),
    ...choose.maybe(0.3, {
      config: [{ ...choose.maybe(0.6, { requests: choose.pick(REFERENCES) }), ...opaque(choose) }],
    }),
  };
}

const claim: RandomKind = {
  title: 'ResourceClaim',
  apiVersion: VERSION,
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  body: (choose) => ({ spec: choose.maybe(0.97, { devices: devices(choose) }) }),
  change: (choose) => ({ spec: { devices: devices(choose) } }),
  operations: (choose) => [{ op: 'add', path: '/spec/devices/requests', value: choose.pick<unknown>([[], 'x']) }],
};

const template: RandomKind = {
  title: 'ResourceClaimTemplate',
  apiVersion: VERSION,
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.3, {
        metadata: choose.pick<object>([
          { labels: { a: 'b' } },
          { labels: { a: 'b c' } },
          { name: 'x' },
          { annotations: {} },
        ]),
      }),
      ...choose.maybe(0.97, { spec: choose.maybe(0.97, { devices: devices(choose) }) }),
    },
  }),
  change: (choose) => ({ spec: { spec: { devices: devices(choose) } } }),
  operations: (choose) => [{ op: 'add', path: '/spec/spec/devices/requests', value: choose.pick<unknown>([[], 'x']) }],
};

export const DEVICE_KINDS: readonly RandomKind[] = [deviceClass, claim, template];
