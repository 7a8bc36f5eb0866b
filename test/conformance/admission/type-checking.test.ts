import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, type Json } from '../../e2e/admission/admission-suite.js';

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WORKLOADS = { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments', 'replicasets'] };
const PODS = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods', 'pods/status'] };
const WIDGETS = { apiGroups: ['types.example.com'], apiVersions: ['v1'], resources: ['widgets'] };

let suite: AdmissionSuite;
let count = 0;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const replicas = { type: 'integer' };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: { replicas } } } };
  await suite.must('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.types.example.com' },
    spec: {
      group: 'types.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  await suite.until(
    () => suite.send('GET', '/openapi/v3/apis/types.example.com/v1'),
    ({ code }) => code === 200,
  );
  // Controllers learn of kinds by it.
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  await suite.until(
    () => suite.send('GET', '/apis', undefined, undefined, { accept }),
    ({ body }) => JSON.stringify(body).includes('"resource":"widgets"'),
  );
});
afterAll(() => suite.stop());

const statusOf = async (rules: object[], validations: object[], spec: object = {}): Promise<Json> => {
  const name = `policy-${count++}`;
  const resourceRules = rules.map((rule) => ({ ...rule, operations: ['CREATE'] }));
  await suite.must('POST', POLICIES, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules }, validations, ...spec },
  });
  const { body } = await suite.until(
    () => suite.send('GET', `${POLICIES}/${name}`),
    (reply) => reply.body.status?.observedGeneration !== undefined,
  );
  return body.status!;
};
const expressions = (...all: string[]): object[] => all.map((expression) => ({ expression }));

test.each<[string, object[], object[], object]>([
  ['a missing field', [WORKLOADS, WIDGETS], expressions('object.spec.replicax > 1'), {}],
  ['a field of only one of the kinds', [WORKLOADS, WIDGETS], expressions('has(object.spec.template)'), {}],
  ['a value of another type', [WORKLOADS], expressions('true', "object.spec.replicas == 'a'"), {}],
  ['a message', [WORKLOADS], [{ expression: 'true', messageExpression: "'a' + object.spec.replicas" }], {}],
  [
    'a variable of another type',
    [WIDGETS],
    expressions("variables.r > 'a'"),
    { variables: [{ name: 'r', expression: 'object.spec.replicas' }] },
  ],
  [
    'the former object and its metadata',
    [PODS],
    expressions('oldObject.metadata.name == 1', 'object.metadata.labels.exists(l, l == 2)'),
    {},
  ],
  [
    'parameters',
    [PODS],
    expressions('params.data.a == 1', 'params.dat.a == "b"'),
    { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
  ],
  [
    'quantities and times',
    [PODS],
    expressions('object.metadata.creationTimestamp > timestamp("2020-01-01T00:00:00Z")'),
    {},
  ],
  ['lists', [PODS], expressions('object.spec.containers.all(c, c.image.startsWith("a") && c.imagex == "b")'), {}],
])('the status of a policy has warnings about %s', async (_what, rules, validations, spec) => {
  expect(await statusOf(rules, validations, spec)).toMatchSnapshot();
});

test.each<[string, object[], object[], object]>([
  [
    'has no type errors',
    [WORKLOADS],
    expressions('object.spec.replicas < 5 && object.metadata.name.startsWith("a")'),
    {},
  ],
  ['is about any group', [{ ...PODS, apiGroups: ['*'] }], expressions('object.spec.foo == 1'), {}],
  ['is about an unknown kind', [{ ...PODS, resources: ['unknowns'] }], expressions('object.spec.foo == 1'), {}],
  [
    'has variables that are wrong themselves, or objects',
    [WIDGETS],
    expressions('variables.none == 1', 'variables.spec.none == 1'),
    {
      variables: [
        { name: 'none', expression: 'object.spec.none' },
        { name: 'spec', expression: 'object.spec' },
      ],
    },
  ],
])('the status of a policy that %s has no warnings', async (_what, rules, validations, spec) => {
  expect(await statusOf(rules, validations, spec)).toEqual({ observedGeneration: 1, typeChecking: {} });
});
