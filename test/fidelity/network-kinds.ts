import type { Chooser } from './chooser.js';
import type { RandomKind } from './random-kind.js';

const NETWORKING = 'networking.k8s.io/v1';

function backend(choose: Chooser): object {
  return choose.pick([
    {
      service: { name: choose.pick(['s', 'Bad_Name', '']), port: choose.pick([{ number: 80 }, { name: 'http' }, {}]) },
    },
    { service: { name: 's', port: { number: choose.pick([80, 0, 70000]) } } },
    { resource: { kind: 'Bucket', name: 'b', apiGroup: 'example.com' } },
    {},
  ]);
}

function ingressRule(choose: Chooser): object {
  const path = {
    ...choose.maybe(0.9, { path: choose.pick(['/', '/a', 'a', '/a//b']) }),
    ...choose.maybe(0.9, { pathType: choose.pick(['Prefix', 'Exact', 'ImplementationSpecific', 'Odd']) }),
    backend: backend(choose),
  };
  return {
    ...choose.maybe(0.5, { host: choose.pick(['example.com', '*.example.com', 'bad_host', '1.2.3.4']) }),
    ...choose.maybe(0.9, { http: { paths: choose.pick([[path], [path], []]) } }),
  };
}

const ingress: RandomKind = {
  title: 'Ingress',
  apiVersion: NETWORKING,
  kind: 'Ingress',
  plural: 'ingresses',
  subresources: ['status'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.4, { defaultBackend: backend(choose) }),
      ...choose.maybe(0.7, { rules: [ingressRule(choose)] }),
      ...choose.maybe(0.2, { ingressClassName: choose.pick(['nginx', 'Bad_Name']) }),
      ...choose.maybe(0.2, { tls: [{ hosts: [choose.pick(['example.com', 'bad_host'])], secretName: 't' }] }),
    },
  }),
  change: (choose) =>
    choose.pick([{ spec: { rules: null } }, { spec: { ingressClassName: choose.pick(['x', null]) } }]),
  operations: (choose) => [{ op: choose.pick(['add', 'remove']), path: '/spec/ingressClassName', value: 'y' }],
  status: (choose) => ({
    loadBalancer: { ingress: [choose.pick([{ ip: '1.2.3.4' }, { ip: 'x' }, { hostname: 'h' }])] },
  }),
};

function peers(choose: Chooser): object[] {
  return choose.pick([
    [{ podSelector: { matchLabels: { app: 'a' } } }],
    [{ namespaceSelector: {} }],
    [{ ipBlock: { cidr: choose.pick(['10.0.0.0/8', 'odd']), ...choose.maybe(0.4, { except: ['10.1.0.0/16'] }) } }],
    [{}],
  ]);
}

function policyPorts(choose: Chooser): object[] {
  return [
    {
      ...choose.maybe(0.8, { port: choose.pick([80, 'http', 0, 'no_good']) }),
      ...choose.maybe(0.4, { protocol: choose.pick(['UDP', 'Odd']) }),
      ...choose.maybe(0.2, { endPort: choose.pick([90, 10]) }),
    },
  ];
}

const networkPolicy: RandomKind = {
  title: 'NetworkPolicy',
  apiVersion: NETWORKING,
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  body: (choose) => ({
    spec: {
      podSelector: choose.pick([{}, { matchLabels: { app: 'a' } }, { matchLabels: { app: 'bad value' } }]),
      ...choose.maybe(0.6, { ingress: [{ from: peers(choose), ports: policyPorts(choose) }] }),
      ...choose.maybe(0.3, { egress: choose.pick([[{ to: peers(choose) }], [{}]]) }),
      ...choose.maybe(0.4, { policyTypes: choose.pick([['Ingress'], ['Ingress', 'Egress'], ['Odd']]) }),
    },
  }),
  change: (choose) =>
    choose.pick([{ spec: { ingress: null } }, { spec: { podSelector: { matchLabels: { z: 'z' } } } }]),
  operations: (choose) => [{ op: 'add', path: '/spec/policyTypes', value: choose.pick([['Egress'], 'x']) }],
};

const endpointSlice: RandomKind = {
  title: 'EndpointSlice',
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  body: (choose) => ({
    ...choose.maybe(0.95, { addressType: choose.pick(['IPv4', 'IPv4', 'IPv6', 'FQDN', 'Odd']) }),
    endpoints: choose.pick([
      [{ addresses: [choose.pick(['10.1.2.3', 'x', '127.0.0.1', 'a.example.com'])], conditions: { ready: true } }],
      [{ addresses: [] }],
      [],
    ]),
    ...choose.maybe(0.8, {
      ports: [
        {
          name: choose.pick(['http', '', 'Bad_Name']),
          port: 80,
          ...choose.maybe(0.3, { protocol: choose.pick(['UDP', 'Odd']) }),
        },
      ],
    }),
  }),
  change: (choose) => choose.pick([{ addressType: 'IPv6' }, { ports: [{ name: 'a', port: 81 }] }]),
  operations: (choose) => [{ op: 'replace', path: '/addressType', value: choose.pick(['IPv4', 'FQDN', 1]) }],
};

const endpoints: RandomKind = {
  title: 'Endpoints',
  apiVersion: 'v1',
  kind: 'Endpoints',
  plural: 'endpoints',
  body: (choose) => ({
    ...choose.maybe(0.8, {
      subsets: [
        {
          ...choose.maybe(0.8, { addresses: [{ ip: choose.pick(['10.1.2.3', 'x', '127.0.0.1']) }] }),
          ports: [{ port: choose.pick([80, 0]), ...choose.maybe(0.3, { protocol: choose.pick(['UDP', 'Odd']) }) }],
        },
      ],
    }),
  }),
  change: () => ({ subsets: null }),
  operations: () => [{ op: 'remove', path: '/subsets/0/ports' }],
};

export const NETWORK_KINDS: readonly RandomKind[] = [ingress, networkPolicy, endpointSlice, endpoints];
