import type { Chooser } from './chooser.js';
import type { RandomKind } from './random-kind.js';

const GROUP = 'admissionregistration.k8s.io/v1';
const EXPRESSIONS = [
  'true',
  "object.metadata.name == 'a'",
  'variables.one',
  'params.data.x == 1',
  'object ==',
  '1',
  '',
  "request.userInfo.username.startsWith('a')",
  'authorizer.group("").resource("pods").check("get").allowed()',
  'oldObject == null',
];

function resourceRule(choose: Chooser): object {
  return {
    ...choose.maybe(0.95, { apiGroups: choose.pick([['none.example.com'], ['none.example.com', '*'], [''], []]) }),
    ...choose.maybe(0.95, { apiVersions: choose.pick([['v1'], ['*', 'v1'], ['']]) }),
    ...choose.maybe(0.95, { operations: choose.pick([['CREATE'], ['*'], ['CREATE', '*'], ['Odd'], []]) }),
    ...choose.maybe(0.95, {
      resources: choose.pick([['odds'], ['*'], ['*/*', 'odds'], ['odds/*', 'odds/status'], ['']]),
    }),
    ...choose.maybe(0.3, { scope: choose.pick(['*', 'Cluster', 'Namespaced', 'Odd']) }),
    ...choose.maybe(0.1, { resourceNames: choose.pick([['a'], ['a', 'a'], ['']]) }),
  };
}

function selector(choose: Chooser): object {
  return choose.pick<object>([
    {},
    { matchLabels: { a: 'b' } },
    { matchLabels: { 'a b': 'c d' } },
    { matchExpressions: [{ key: 'a', operator: choose.pick(['In', 'Exists', 'Odd']), values: ['x'] }] },
  ]);
}

function matchResources(choose: Chooser): object {
  return {
    ...choose.maybe(0.9, { resourceRules: [resourceRule(choose)] }),
    ...choose.maybe(0.2, { excludeResourceRules: [resourceRule(choose)] }),
    ...choose.maybe(0.2, { namespaceSelector: selector(choose) }),
    ...choose.maybe(0.2, { objectSelector: selector(choose) }),
    ...choose.maybe(0.3, { matchPolicy: choose.pick(['Exact', 'Equivalent', 'Odd']) }),
  };
}

function matchConditions(choose: Chooser): object[] {
  return [
    { name: choose.pick(['one', 'a b', '']), expression: choose.pick(EXPRESSIONS) },
    ...(choose.chance(0.3) ? [{ name: 'one', expression: 'true' }] : []),
  ];
}

function common(choose: Chooser): object {
  return {
    ...choose.maybe(0.95, { matchConstraints: matchResources(choose) }),
    ...choose.maybe(0.3, { failurePolicy: choose.pick(['Fail', 'Ignore', 'Odd']) }),
    ...choose.maybe(0.3, { matchConditions: matchConditions(choose) }),
    ...choose.maybe(0.3, {
      variables: [{ name: choose.pick(['one', '1', 'for']), expression: choose.pick(EXPRESSIONS) }],
    }),
    ...choose.maybe(0.3, {
      paramKind: choose.pick([{ apiVersion: 'v1', kind: 'ConfigMap' }, { apiVersion: 'a/b/c' }, {}]),
    }),
  };
}

function validatingSpec(choose: Chooser): object {
  const validation = () => ({
    expression: choose.pick(EXPRESSIONS),
    ...choose.maybe(0.3, { message: choose.pick(['wrong', 'a\nb', ' ']) }),
    ...choose.maybe(0.2, { messageExpression: choose.pick(["'a'", '1', 'object', 'params.a']) }),
    ...choose.maybe(0.2, { reason: choose.pick(['Invalid', 'Forbidden', 'Odd']) }),
  });
  return {
    ...common(choose),
    ...choose.maybe(0.9, { validations: choose.pick([[validation()], [validation(), validation()], []]) }),
    ...choose.maybe(0.2, {
      auditAnnotations: [
        { key: choose.pick(['a', 'a b', '']), valueExpression: choose.pick(["'a'", 'null', '1', '']) },
      ],
    }),
  };
}

const CONFIGURATION = 'Object{metadata: Object.metadata{labels: {"a": "b"}}}';
const PATCH = '[JSONPatch{op: "add", path: "/metadata/labels/a", value: "b"}]';

function mutatingSpec(choose: Chooser): object {
  const mutation = () =>
    choose.pick<object>([
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: choose.pick([CONFIGURATION, 'Object{}', '1', '']) },
      },
      { patchType: 'JSONPatch', jsonPatch: { expression: choose.pick([PATCH, '[]', '1', '']) } },
      { patchType: 'JSONPatch', applyConfiguration: { expression: CONFIGURATION } },
      { patchType: choose.pick(['Odd', '']) },
    ]);
  return {
    ...common(choose),
    ...choose.maybe(0.9, { reinvocationPolicy: choose.pick(['Never', 'IfNeeded', 'Never', 'Odd']) }),
    ...choose.maybe(0.95, { mutations: choose.pick([[mutation()], [mutation(), mutation()], []]) }),
  };
}

function bindingSpec(choose: Chooser, isValidating: boolean): object {
  return {
    ...choose.maybe(0.95, { policyName: choose.pick(['none', 'a.b', 'Bad_Name']) }),
    ...choose.maybe(0.4, {
      paramRef: choose.pick<object>([
        { name: 'p', parameterNotFoundAction: choose.pick(['Deny', 'Allow', 'Odd']) },
        { name: 'p', selector: {}, parameterNotFoundAction: 'Deny' },
        { selector: selector(choose), namespace: choose.pick(['n', 'Bad_']), parameterNotFoundAction: 'Deny' },
        { name: 'p' },
        {},
      ]),
    }),
    ...choose.maybe(0.4, { matchResources: matchResources(choose) }),
    ...(isValidating
      ? choose.maybe(0.9, {
          validationActions: choose.pick([['Deny'], ['Deny', 'Warn'], ['Audit', 'Audit'], ['Odd'], []]),
        })
      : {}),
  };
}

function webhook(choose: Chooser, isMutating: boolean): object {
  return {
    name: choose.pick(['a.example.com', 'b.example.com', 'odd', '', 'Bad_.x.y']),
    ...choose.maybe(0.97, {
      clientConfig: choose.pick<object>([
        { url: choose.pick(['https://example.com/a', 'http://example.com', 'odd', 'https://u@example.com?a#b']) },
        { service: { namespace: 'n', name: 's', ...choose.maybe(0.4, { path: choose.pick(['/a', 'a', '/a//b']) }) } },
        { service: { namespace: '', name: '', port: choose.pick([443, 0]) } },
        { url: 'https://example.com', service: { namespace: 'n', name: 's' } },
        {},
      ]),
    }),
    ...choose.maybe(0.9, { rules: [resourceRule(choose)] }),
    ...choose.maybe(0.95, { sideEffects: choose.pick(['None', 'NoneOnDryRun', 'Some', 'Odd']) }),
    ...choose.maybe(0.95, { admissionReviewVersions: choose.pick([['v1'], ['v1beta1'], ['v1', 'v1'], ['odd'], []]) }),
    ...choose.maybe(0.2, { failurePolicy: choose.pick(['Fail', 'Ignore', 'Odd']) }),
    ...choose.maybe(0.2, { matchPolicy: choose.pick(['Exact', 'Equivalent', 'Odd']) }),
    ...choose.maybe(0.2, { namespaceSelector: selector(choose), objectSelector: selector(choose) }),
    ...choose.maybe(0.2, { timeoutSeconds: choose.pick([5, 0, 31]) }),
    ...choose.maybe(0.2, { matchConditions: matchConditions(choose) }),
    ...(isMutating ? choose.maybe(0.2, { reinvocationPolicy: choose.pick(['Never', 'IfNeeded', 'Odd']) }) : {}),
  };
}

function kindOf(kind: string, body: (choose: Chooser) => object, more: Partial<RandomKind> = {}): RandomKind {
  return {
    title: kind,
    apiVersion: GROUP,
    kind,
    plural: `${kind.toLowerCase().replace(/y$/, 'ie')}s`,
    isClusterScoped: true,
    isTried: true,
    body,
    change: body,
    operations: (choose) => [
      {
        op: 'add',
        path: choose.pick(['/spec/failurePolicy', '/webhooks/0/failurePolicy']),
        value: choose.pick(['Ignore', 'Odd']),
      },
    ],
    ...more,
  };
}

const status = {
  subresources: ['status'],
  status: (choose: Chooser) => ({
    ...choose.maybe(0.5, { observedGeneration: choose.pick([1, -1]) }),
    ...choose.maybe(0.5, {
      conditions: [{ type: choose.pick(['Ready', 'a b']), status: choose.pick(['True', 'Odd']), reason: 'R' }],
    }),
  }),
};

/** What decides about other requests, and is tried alone for that: policies, their bindings, webhooks. */
export const ADMISSION_KINDS: readonly RandomKind[] = [
  kindOf('ValidatingAdmissionPolicy', (choose) => ({ spec: validatingSpec(choose) }), status),
  kindOf('ValidatingAdmissionPolicyBinding', (choose) => ({ spec: bindingSpec(choose, true) })),
  kindOf('MutatingAdmissionPolicy', (choose) => ({ spec: mutatingSpec(choose) })),
  kindOf('MutatingAdmissionPolicyBinding', (choose) => ({ spec: bindingSpec(choose, false) })),
  kindOf('ValidatingWebhookConfiguration', (choose) => ({ webhooks: [webhook(choose, false)] })),
  kindOf('MutatingWebhookConfiguration', (choose) => ({
    webhooks: choose.pick([[webhook(choose, true)], [webhook(choose, true), webhook(choose, true)]]),
  })),
];

const match = {
  resourceRules: [
    { apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['odds'], scope: '*' },
  ],
};
const hook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://example.com' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: match.resourceRules,
};
const SPECS: Readonly<Record<string, object>> = {
  ValidatingAdmissionPolicy: { spec: { matchConstraints: match, validations: [{ expression: 'true' }] } },
  ValidatingAdmissionPolicyBinding: { spec: { policyName: 'none', validationActions: ['Deny'] } },
  MutatingAdmissionPolicy: {
    spec: {
      matchConstraints: match,
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: PATCH } }],
    },
  },
  MutatingAdmissionPolicyBinding: { spec: { policyName: 'none' } },
  ValidatingWebhookConfiguration: { webhooks: [hook] },
  MutatingWebhookConfiguration: { webhooks: [hook] },
};

/** The existing objects, each with its collection. */
export const triedAdmission = (names: readonly string[]): readonly (readonly [string, object])[] =>
  ADMISSION_KINDS.flatMap(({ apiVersion, kind, plural }) =>
    names.map(
      (name) => [`/apis/${apiVersion}/${plural}`, { apiVersion, kind, metadata: { name }, ...SPECS[kind] }] as const,
    ),
  );
