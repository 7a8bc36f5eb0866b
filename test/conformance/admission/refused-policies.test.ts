import { describe, expect, test } from '@jest/globals';
import { text } from '../../e2e/admission/admission-suite.js';
import { PolicySuite } from './policy-suite.js';

const suite = new PolicySuite();

const fine = { validations: [{ expression: 'true' }] };
const ONE = '[JSONPatch{op: "test", path: "/a", value: "b"}]';
const patch = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

/** The causes of a refusal, with which the message agrees. */
async function causes(kind: 'Mutating' | 'Validating', spec: object): Promise<string[]> {
  const { code, body } = await suite.policy(kind, spec);
  if (code === 201) return [];
  const found = (body.details?.causes ?? []) as unknown as { field: string; message: string }[];
  return found.length > 0 ? found.map(({ field, message }) => `${field}: ${message}`) : [text(body.message)];
}

describe('a validating policy is refused', () => {
  test.each<[string, object]>([
    ['whose expression is not valid CEL', { validations: [{ expression: 'object.data.a ==' }] }],
    ['whose expression uses undeclared variables', { validations: [{ expression: 'params.x == 1 || objekt.y' }] }],
    ['whose expression is not boolean', { validations: [{ expression: "'yes'" }, { expression: 'object.data' }] }],
    ['that uses an unknown field of the request', { validations: [{ expression: "request.verb == 'x'" }] }],
    [
      'whose messages are not strings',
      { validations: [{ expression: 'true', messageExpression: '1', message: 'a\nb', reason: 'Teapot' }] },
    ],
    ['whose message uses the authorizer', { validations: [{ expression: 'true', messageExpression: 'authorizer' }] }],
    ['without validations', {}],
    [
      'whose conditions are wrong',
      {
        ...fine,
        matchConditions: [
          { name: 'a b', expression: '1 + 1' },
          { name: 'x', expression: 'variables.a' },
          { name: 'x', expression: '' },
        ],
      },
    ],
    [
      'whose variables are wrong',
      {
        variables: [
          { name: 'for', expression: '1' },
          { name: 'late', expression: 'variables.later' },
          { name: 'later', expression: "object.spec.size + 'x'" },
        ],
        validations: [{ expression: 'variables.later > 1' }, { expression: 'variables.none' }],
      },
    ],
    ['whose audit annotations are wrong', { auditAnnotations: [{ key: '/', valueExpression: '2' }, { key: 'a' }] }],
    [
      'with unknown enumeration values',
      { ...fine, failurePolicy: 'Maybe', paramKind: { apiVersion: 'a/b/c', kind: '1' } },
    ],
    [
      'whose rules are wrong',
      {
        ...fine,
        matchConstraints: {
          matchPolicy: 'Roughly',
          resourceRules: [
            {
              apiGroups: [],
              apiVersions: ['', '*'],
              operations: ['READ'],
              resources: ['*/*', 'pods'],
              resourceNames: ['a/b'],
            },
          ],
        },
      },
    ],
    ['without rules', { ...fine, matchConstraints: {} }],
    [
      'that uses a variable without an expression',
      { variables: [{ name: 'a', expression: ' ' }], validations: [{ expression: 'variables.a' }] },
    ],
    [
      'whose variables have other types',
      {
        variables: ['request', 'optional.of(1)', '[type(1)]', "{'a': request.userInfo}", 'null', "duration('1s')"].map(
          (expression, index) => ({ name: `v${index}`, expression }),
        ),
        validations: [0, 1, 2, 3, 4, 5].map((index) => ({ expression: `variables.v${index}` })),
      },
    ],
  ])('a validating policy %s is rejected', async (_what, spec) => {
    expect(await causes('Validating', spec)).toMatchSnapshot();
  });
});

test.each<[string, object]>([
  ['without a patch expression', { reinvocationPolicy: 'Never', mutations: [{ patchType: 'JSONPatch' }, patch(' ')] }],
  ['whose patch has two types', { mutations: [{ ...patch(ONE), applyConfiguration: { expression: 'Object{}' } }] }],
  [
    'whose patches create maps instead of objects',
    {
      reinvocationPolicy: 'Never',
      mutations: [
        patch("[{'op': 'test'}]"),
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression: "{'spec': 1}" } },
      ],
    },
  ],
  ['without mutations', { reinvocationPolicy: 'Often' }],
  [
    'that would mutate deletions',
    {
      reinvocationPolicy: 'Never',
      mutations: [patch(ONE)],
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['pods'] }],
      },
    },
  ],
])('a mutating policy %s is rejected', async (_what, spec) => {
  expect(await causes('Mutating', spec)).toMatchSnapshot();
});
