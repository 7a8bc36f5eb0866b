import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Reply } from '../../e2e/admission/admission-suite.js';

const CLASSES = '/apis/networking.k8s.io/v1/ingressclasses?dryRun=All';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const create = (spec: object): Promise<Reply> =>
  suite.send('POST', CLASSES, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'a' },
    spec: { controller: 'example.com/a', ...spec },
  });

test.each([
  [
    { controller: 'bad' },
    'spec.controller: Invalid value: "bad": must be a domain-prefixed path (such as "acme.io/foo")',
  ],
  [{ controller: `a.b/${'x'.repeat(250)}` }, 'spec.controller: Too long: may not be more than 250 bytes'],
  [{ controller: 'Bad_/a' }, 'spec.controller: Invalid value: "Bad_": a lowercase RFC 1123 subdomain must consist'],
  [{ parameters: { name: 'n' } }, 'spec.parameters.kind: Required value'],
  [{ parameters: { kind: 'a/b', name: 'n' } }, `spec.parameters.kind: Invalid value: "a/b": may not contain '/'`],
  [
    { parameters: { kind: 'K', name: 'n', scope: 'Odd' } },
    'spec.parameters.scope: Unsupported value: "Odd": supported values: "Cluster", "Namespace"',
  ],
  [
    { parameters: { kind: 'K', name: 'n', scope: 'Namespace' } },
    "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
  ],
  [
    { parameters: { kind: 'K', name: 'n', namespace: 'default' } },
    "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
  ],
])('an IngressClass with %j is rejected', async (spec, message) => {
  expect(text((await create(spec)).body.message)).toContain(message);
});

test('parameters of an IngressClass are cluster-scoped by default', async () => {
  const { body } = await create({ parameters: { kind: 'K', name: 'n' } });
  expect(body.spec).toEqual({
    controller: 'example.com/a',
    parameters: { apiGroup: undefined, kind: 'K', name: 'n', scope: 'Cluster' },
  });
});
