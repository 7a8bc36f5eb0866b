import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Json } from '../../e2e/admission/admission-suite.js';

const ACCESS = '/apis/authorization.k8s.io/v1';
const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const CORE = '/api/v1/namespaces/default';
const POD = `${CORE}/pods/answered`;
const READS = { verb: 'get', resource: 'pods' };

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const spec = { schedulerName: 'nobody', containers: [{ name: 'c', image: 'i' }] };
  await suite.must('POST', `${CORE}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'answered' }, spec });
});
afterAll(() => suite.stop());

const PATHS: Readonly<Record<string, string>> = {
  SubjectAccessReview: `${ACCESS}/subjectaccessreviews`,
  SelfSubjectAccessReview: `${ACCESS}/selfsubjectaccessreviews`,
  LocalSubjectAccessReview: `${ACCESS}/namespaces/default/localsubjectaccessreviews`,
  SelfSubjectRulesReview: `${ACCESS}/selfsubjectrulesreviews`,
  TokenReview: `${AUTHENTICATION}/tokenreviews`,
  SelfSubjectReview: `${AUTHENTICATION}/selfsubjectreviews`,
  TokenRequest: `${CORE}/serviceaccounts/default/token`,
  Eviction: `${POD}/eviction`,
  Binding: `${POD}/binding`,
};
const apiVersionOf = (kind: string): string => {
  if (kind === 'Binding') return 'v1';
  if (kind === 'Eviction') return 'policy/v1';
  return kind.includes('Access') || kind.includes('Rules') ? 'authorization.k8s.io/v1' : 'authentication.k8s.io/v1';
};
const send = (kind: string, more: object, query = '') =>
  suite.send('POST', `${PATHS[kind]}${query}`, { apiVersion: apiVersionOf(kind), kind, ...more });

describe('a body that is not stored', () => {
  test.each([
    [
      'SubjectAccessReview',
      { spec: { groups: 3 } },
      'number into Go struct field SubjectAccessReviewSpec.spec.groups of type []string',
    ],
    [
      'SelfSubjectAccessReview',
      { spec: { resourceAttributes: { verb: 3 } } },
      'number into Go struct field ResourceAttributes.spec.resourceAttributes.verb of type string',
    ],
    [
      'LocalSubjectAccessReview',
      { spec: { extra: 3 } },
      'number into Go struct field SubjectAccessReviewSpec.spec.extra of type map[string]v1.ExtraValue',
    ],
    [
      'SelfSubjectRulesReview',
      { spec: { namespace: 3 } },
      'number into Go struct field SelfSubjectRulesReviewSpec.spec.namespace of type string',
    ],
    [
      'TokenReview',
      { spec: { audiences: 'x' } },
      'string into Go struct field TokenReviewSpec.spec.audiences of type []string',
    ],
    [
      'SelfSubjectReview',
      { status: 3 },
      'number into Go struct field SelfSubjectReview.status of type v1.SelfSubjectReviewStatus',
    ],
    [
      'TokenRequest',
      { spec: { audiences: 'x' } },
      'string into Go struct field TokenRequestSpec.spec.audiences of type []string',
    ],
    ['Eviction', { deleteOptions: 'x' }, 'string into Go struct field Eviction.deleteOptions of type v1.DeleteOptions'],
    ['Binding', { target: 3 }, 'number into Go struct field Binding.target of type v1.ObjectReference'],
  ])('a body is rejected if a field of a %s has another type: %j', async (kind, body, why) => {
    const { code, body: status } = await send(kind, { metadata: { name: 'answered' }, ...body });
    const message = `${kind} in version "v1" cannot be handled as a ${kind}: json: cannot unmarshal ${why}`;
    expect([code, text(status.message)]).toEqual([400, message]);
  });

  test.each(Object.keys(PATHS))('strict validation rejects unknown fields of a %s', async (kind) => {
    const { code, body } = await send(kind, { metadata: { name: 'answered' }, odd: 1 }, '?fieldValidation=Strict');
    const message = `${kind} in version "v1" cannot be handled as a ${kind}: strict decoding error: unknown field "odd"`;
    expect([code, text(body.message)]).toEqual([400, message]);
  });

  test('unknown fields of a review cause warnings', async () => {
    const { code, warnings } = await send('SelfSubjectAccessReview', { spec: { resourceAttributes: READS, odd: 1 } });
    expect([code, warnings]).toEqual([201, ['unknown field \\"spec.odd\\"']]);
  });
});

describe('a review of access', () => {
  const refused = async (kind: string, more: object): Promise<unknown> => {
    const { code, body } = await send(kind, more);
    expect([code, text(body.message)]).toEqual([
      422,
      expect.stringMatching(/^\.authorization\.k8s\.io "" is invalid: /),
    ]);
    const { causes } = body.details as unknown as { causes: Json[] };
    return causes.map(({ field, message }) => `${text(field)}: ${text(message)}`);
  };
  const neither =
    'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified';
  const values = "must be specified when `operator` is 'In' or 'NotIn'";
  const noValues = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";

  test.each([
    ['SelfSubjectAccessReview', {}, [neither]],
    [
      'SubjectAccessReview',
      { spec: {} },
      [neither, 'spec.user: Invalid value: "": at least one of user or group must be specified'],
    ],
    [
      'SubjectAccessReview',
      { spec: { user: 'a', resourceAttributes: READS, nonResourceAttributes: { path: '/x' } } },
      [
        'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: cannot be specified in combination with resourceAttributes',
      ],
    ],
    [
      'SubjectAccessReview',
      {
        spec: {
          groups: ['a'],
          resourceAttributes: {
            fieldSelector: {},
            labelSelector: { rawSelector: 'a', requirements: [{ key: 'a', operator: 'In' }] },
          },
        },
      },
      [
        'spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required',
        'spec.resourceAttributes.labelSelector.rawSelector: Invalid value: "a": may not specified at the same time as requirements',
        `spec.resourceAttributes.labelSelector.requirements[0].values: Required value: ${values}`,
      ],
    ],
    [
      'SelfSubjectAccessReview',
      {
        spec: {
          resourceAttributes: {
            fieldSelector: {
              requirements: [
                { key: '', operator: 'In', values: [] },
                { key: 'a', operator: 'Exists', values: ['b'] },
                { key: 'a', operator: 'Odd', values: ['b'] },
              ],
            },
            labelSelector: {
              requirements: [
                { key: 'a', operator: 'Odd' },
                { key: 'a', operator: 'Exists', values: ['b'] },
              ],
            },
          },
        },
      },
      [
        'spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified',
        `spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: ${values}`,
        `spec.resourceAttributes.fieldSelector.requirements[1].values: Forbidden: ${noValues}`,
        `spec.resourceAttributes.labelSelector.requirements[1].values: Forbidden: ${noValues}`,
      ],
    ],
    [
      'LocalSubjectAccessReview',
      { spec: { user: 'a', resourceAttributes: READS } },
      ['spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace'],
    ],
    [
      'LocalSubjectAccessReview',
      { spec: { user: 'a', nonResourceAttributes: { path: '/x' } } },
      ['spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: disallowed on this kind of request'],
    ],
  ])('a review of access is rejected: %s %j', async (kind, body, causes) => {
    expect(await refused(kind, body)).toEqual(causes);
  });

  test('a review of access must not have metadata', async () => {
    const given = { metadata: { name: 'x', labels: { a: 'b' } }, spec: { user: 'a', resourceAttributes: READS } };
    expect(await refused('SubjectAccessReview', given)).toEqual([
      expect.stringMatching(
        /^metadata: Invalid value: \{"name":"x","labels":\{"a":"b"\},"managedFields":.*\}: must be empty$/,
      ),
    ]);
  });

  test('the response to a review of access contains the request', async () => {
    const { body } = await send('LocalSubjectAccessReview', {
      spec: { user: 'a', resourceAttributes: { ...READS, namespace: 'default' } },
    });
    expect(body).toEqual({
      kind: 'LocalSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {
        namespace: 'default',
        managedFields: [
          expect.objectContaining({
            manager: 'test',
            operation: 'Update',
            fieldsV1: {
              'f:spec': {
                'f:resourceAttributes': { '.': {}, 'f:namespace': {}, 'f:resource': {}, 'f:verb': {} },
                'f:user': {},
              },
            },
          }),
        ],
      },
      spec: { user: 'a', resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' } },
      status: { allowed: false },
    });
  });
});

test('a review of rules requires a namespace, and a review of a token requires the token', async () => {
  const rules = await send('SelfSubjectRulesReview', { spec: {} });
  expect([rules.code, rules.body.message]).toEqual([400, 'no namespace on request']);
  const token = await send('TokenReview', { spec: { audiences: ['a'] } });
  expect([token.code, token.body.message]).toEqual([400, 'token is required for TokenReview in authentication']);
});

test.each([
  [{ gracePeriodSeconds: 'x' }, 'string into Go struct field DeleteOptions.gracePeriodSeconds of type int64'],
  [{ preconditions: 3 }, 'number into Go struct field DeleteOptions.preconditions of type v1.Preconditions'],
  [
    { propagationPolicy: 3 },
    'number into Go struct field DeleteOptions.propagationPolicy of type v1.DeletionPropagation',
  ],
  [{ orphanDependents: 'x' }, 'string into Go struct field DeleteOptions.orphanDependents of type bool'],
  [{ dryRun: 'All' }, 'string into Go struct field DeleteOptions.dryRun of type []string'],
])('a deletion with options of another type deletes nothing: %j', async (options, why) => {
  const { code, body } = await suite.send('DELETE', POD, { apiVersion: 'v1', kind: 'DeleteOptions', ...options });
  expect([code, text(body.message)]).toEqual([400, `json: cannot unmarshal ${why}`]);
  expect((await suite.send('GET', POD)).body.metadata).not.toHaveProperty('deletionTimestamp');
});
