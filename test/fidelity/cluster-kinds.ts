import type { Chooser } from './chooser.js';
import type { RandomKind } from './random-kind.js';

/** A request with the common name a. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIR01HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCQW9BZlpFVndOTGluUW5xL0pGdzRuTm9TUVMwekpwTWt5eVg3cEljT0RwZzlBSGhVdnQvbThxeFh2a2xZMmFHClVOZlJCZUNaeXJ3Z3c0eC9obUZyVVFLZ0FEQUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpQm1hbEtaR1l1RGxsM3kKOWZXdVc2OTY3OE5TbWFsdmtUWDU3YU44Nm9iWEp3SWhBT3dsWTVYeGx5ajQyRllYckpscVBJMC8zTzVTc1l2OQovM0Zpdk1nNDVMSEQKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';
const SIGNERS = ['example.com/a', 'example.com/a', 'kubernetes.io/kube-apiserver-client', 'bad', '', 'a.b/c d'];
const USAGES = [['client auth'], ['client auth', 'digital signature'], ['odd'], ['any', 'any'], []];

function condition(choose: Chooser): object {
  return {
    ...choose.maybe(0.97, { type: choose.pick(['Approved', 'Denied', 'Failed', 'Odd', '']) }),
    ...choose.maybe(0.95, { status: choose.pick(['True', 'True', 'True', 'False', 'odd']) }),
    ...choose.maybe(0.5, { reason: 'r', message: 'm' }),
  };
}

const certificateRequest: RandomKind = {
  title: 'CertificateSigningRequest',
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  isClusterScoped: true,
  subresources: ['status', 'approval'],
  fieldSelectors: ['spec.signerName=example.com/a'],
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.98, { request: choose.pick([REQUEST, REQUEST, REQUEST, REQUEST, 'b2Rk', '']) }),
      ...choose.maybe(0.98, { signerName: choose.pick(SIGNERS) }),
      ...choose.maybe(0.95, { usages: choose.pick(USAGES) }),
      ...choose.maybe(0.2, { expirationSeconds: choose.pick([600, 599]) }),
      ...choose.maybe(0.1, { username: 'u', groups: ['g'] }),
    },
  }),
  change: (choose) =>
    choose.pick<object>([
      { spec: { usages: ['server auth'] } },
      { spec: { expirationSeconds: choose.pick([null, 700]) } },
      { status: { conditions: [condition(choose)] } },
    ]),
  operations: (choose) => [{ op: choose.pick(['add', 'test']), path: '/spec/signerName', value: choose.pick(SIGNERS) }],
  status: (choose) => ({
    ...choose.maybe(0.7, {
      conditions: choose.pick([[condition(choose)], [condition(choose), condition(choose)], []]),
    }),
    ...choose.maybe(0.2, { certificate: choose.pick(['b2Rk', '']) }),
  }),
};

const ingressClass: RandomKind = {
  title: 'IngressClass',
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  isClusterScoped: true,
  body: (choose) => ({
    spec: {
      ...choose.maybe(0.95, {
        controller: choose.pick(['example.com/c', 'example.com/d', 'bad', '', 'x'.repeat(251)]),
      }),
      ...choose.maybe(0.4, { parameters: parameters(choose) }),
    },
  }),
  change: (choose) =>
    choose.pick<object>([{ spec: { controller: 'example.com/e' } }, { spec: { parameters: parameters(choose) } }]),
  operations: (choose) => [{ op: choose.pick(['add', 'remove']), path: '/spec/parameters', value: parameters(choose) }],
};

function parameters(choose: Chooser): object {
  return {
    ...choose.maybe(0.95, { kind: choose.pick(['Config', 'a/b', '']) }),
    ...choose.maybe(0.95, { name: choose.pick(['n', 'a/b', '']) }),
    ...choose.maybe(0.4, { apiGroup: choose.pick(['example.com', 'Bad_']) }),
    ...choose.maybe(0.5, { scope: choose.pick(['Cluster', 'Namespace', 'Odd']) }),
    ...choose.maybe(0.3, { namespace: choose.pick(['default', 'Bad_']) }),
  };
}

export const CLUSTER_KINDS: readonly RandomKind[] = [certificateRequest, ingressClass];
