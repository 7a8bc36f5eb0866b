import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AdmissionSuite, configMap, text, type Reply } from './admission-suite.js';

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const API = 'admissionregistration.k8s.io/v1';

let suite: AdmissionSuite;
let namespace: string;
let path: string;
let count = 0;
const made: string[] = [];

beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());
beforeEach(async () => {
  namespace = await suite.namespace({ team: 'a' });
  path = `/api/v1/namespaces/${namespace}/configmaps`;
});
afterEach(async () => {
  for (const each of made.splice(0)) await suite.must('DELETE', each);
});

const rules = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
  ],
};

/** Makes a policy and its binding, for the namespace of the test. */
async function policy(
  kind: 'Mutating' | 'Validating',
  spec: object,
  binding: Record<string, unknown> = kind === 'Validating' ? { validationActions: ['Deny'] } : {},
): Promise<string> {
  const name = `policy-${count++}`;
  const make = async (suffix: string, plural: string, body: object): Promise<void> => {
    await suite.must('POST', `${ADMISSION}/${plural}`, {
      apiVersion: API,
      kind: `${kind}AdmissionPolicy${suffix}`,
      metadata: { name },
      spec: body,
    });
    made.push(`${ADMISSION}/${plural}/${name}`);
  };
  const { matchResources = {}, ...rest } = binding;
  const inNamespace = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } };
  await make('', `${kind.toLowerCase()}admissionpolicies`, { matchConstraints: rules, ...spec });
  await make('Binding', `${kind.toLowerCase()}admissionpolicybindings`, {
    policyName: name,
    matchResources: { ...inNamespace, ...(matchResources as object) },
    ...rest,
  });
  return name;
}

let tries = 0;
const createUntil = (isWanted: (reply: Reply) => boolean, data: object = { a: '1' }, metadata = {}): Promise<Reply> =>
  suite.until(() => suite.send('POST', path, configMap(`try-${tries++}`, data, metadata)), isWanted);
const isRefused = ({ code }: Reply): boolean => code !== 201;

describe('a validating admission policy', () => {
  test('refuses what does not hold, by its message', async () => {
    const name = await policy('Validating', {
      validations: [{ expression: "object.data.a != '1'", message: 'not 1' }],
    });
    const { code, body } = await createUntil(isRefused);
    const why = `ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: not 1`;
    const refused = text(body.details!.name);
    expect({ code, body }).toEqual({
      code: 422,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `configmaps "${refused}" is forbidden: ${why}`,
        reason: 'Invalid',
        details: { name: refused, kind: 'configmaps', causes: [{ message: why }] },
        code: 422,
      },
    });
    expect((await suite.send('POST', path, configMap('fine', { a: '2' }))).code).toBe(201);
  });

  test('has its defaults', async () => {
    const name = await policy('Validating', { validations: [{ expression: 'true' }] });
    const { spec } = await suite.must('GET', `${ADMISSION}/validatingadmissionpolicies/${name}`);
    expect(spec).toEqual({
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ ...rules.resourceRules[0], scope: '*' }],
      },
      validations: [{ expression: 'true' }],
    });
  });

  test.each<[string, object, string, number, string]>([
    ['no message', { expression: "object.data.a == '2'" }, "failed expression: object.data.a == '2'", 422, 'Invalid'],
    [
      'a message expression and a reason',
      { expression: 'false', messageExpression: "'no ' + object.data.a", message: 'else', reason: 'Forbidden' },
      'no 1',
      403,
      'Forbidden',
    ],
    [
      'a message expression that gives no line',
      { expression: 'false', messageExpression: "'a\\nb'", message: 'else' },
      'else',
      422,
      'Invalid',
    ],
  ])('with %s says what', async (_what, validation, message, code, reason) => {
    await policy('Validating', { validations: [validation] });
    const reply = await createUntil(isRefused);
    expect([reply.code, reply.body.reason]).toEqual([code, reason]);
    expect(text(reply.body.message).split(' denied request: ')[1]).toBe(message);
  });

  test('speaks of the request, the former object, the namespace and its own variables', async () => {
    await policy('Validating', {
      variables: [
        { name: 'team', expression: "namespaceObject.metadata.labels['team']" },
        { name: 'isUpdate', expression: "request.operation == 'UPDATE'" },
      ],
      validations: [
        {
          expression: 'variables.isUpdate ? object.data.a == oldObject.data.a : oldObject == null',
          messageExpression: "'a is for good in team ' + variables.team",
        },
      ],
    });
    await suite.must('POST', path, configMap('kept', { a: '1' }));
    const change = (): Promise<Reply> =>
      suite.send('PATCH', `${path}/kept`, { data: { a: String(tries++) } }, 'application/merge-patch+json');
    const { body } = await suite.until(change, ({ code }) => code === 422);
    expect(text(body.message)).toContain('denied request: a is for good in team a');
    await suite.must('PATCH', `${path}/kept`, { data: { b: '2' } }, 'application/merge-patch+json');
  });

  test('whose expression fails refuses, or nothing when failures are to be ignored', async () => {
    await policy('Validating', { validations: [{ expression: "object.data.missing == 'x'" }] });
    const { code, body } = await createUntil(isRefused);
    expect([code, text(body.message)]).toEqual([
      422,
      expect.stringContaining("expression 'object.data.missing == 'x'' resulted in error: no such key: missing"),
    ]);
    for (const each of made.splice(0)) await suite.must('DELETE', each);
    await policy('Validating', {
      failurePolicy: 'Ignore',
      validations: [{ expression: "object.data.missing == 'x'" }, { expression: "object.data.a == '1'" }],
    });
    await createUntil(isRefused, { a: '2' });
    await createUntil((reply) => !isRefused(reply));
  });

  test('only warns when bound so', async () => {
    const name = await policy(
      'Validating',
      { validations: [{ expression: 'false', message: 'hm' }] },
      { validationActions: ['Warn'] },
    );
    const { code, warnings } = await createUntil((reply) => reply.warnings.length > 0);
    expect([code, warnings]).toEqual([
      201,
      [`Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${name}': hm`],
    ]);
  });

  test('is about what its rules, its binding and its conditions choose', async () => {
    await policy(
      'Validating',
      {
        matchConstraints: { ...rules, excludeResourceRules: [{ ...rules.resourceRules[0], resourceNames: ['free'] }] },
        matchConditions: [{ name: 'marked', expression: 'has(object.data.a)' }],
        validations: [{ expression: 'false' }],
      },
      { validationActions: ['Deny'], matchResources: { objectSelector: { matchLabels: { strict: 'yes' } } } },
    );
    const labels = { strict: 'yes' };
    await createUntil(isRefused, { a: '1' }, { labels });
    const create = (name: string, data: object, metadata: object = { labels }): Promise<Reply> =>
      suite.send('POST', path, configMap(name, data, metadata));
    expect((await create('free', { a: '1' })).code).toBe(201);
    expect((await create('unmarked', { b: '1' })).code).toBe(201);
    expect((await create('unlabelled', { a: '1' }, {})).code).toBe(201);
  });

  test('takes parameters, and can demand that there are some', async () => {
    await suite.must('POST', path, configMap('limits', { max: '3' }));
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [
        { expression: 'int(object.data.a) <= int(params.data.max)', messageExpression: "'at most ' + params.data.max" },
      ],
    };
    const paramRef = { name: 'limits', namespace, parameterNotFoundAction: 'Deny' };
    await policy('Validating', spec, { validationActions: ['Deny'], paramRef });
    const { body } = await createUntil((reply) => JSON.stringify(reply.body).includes('at most'), {
      a: '4',
    });
    expect(text(body.message)).toContain('denied request: at most 3');
    await createUntil((reply) => !isRefused(reply), { a: '3' });
    await suite.must('DELETE', `${path}/limits`);
    const missing = await createUntil(isRefused, { a: '3' });
    expect(text(missing.body.message)).toContain(
      'denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    );
  });
});

describe('a mutating admission policy', () => {
  const configuration = (expression: string): object => ({
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression },
  });
  const patch = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

  test('lays an object over that of the request', async () => {
    await policy('Mutating', {
      reinvocationPolicy: 'Never',
      variables: [{ name: 'next', expression: "object.data.a + '!'" }],
      mutations: [
        configuration('Object{metadata: Object.metadata{labels: {"by": "policy"}}, data: {"b": variables.next}}'),
      ],
    });
    const { body } = await createUntil((reply) => reply.body.metadata?.labels !== undefined);
    expect([body.metadata!.labels, body.data]).toEqual([{ by: 'policy' }, { a: '1', b: '1!' }]);
  });

  test('patches, one mutation after the other', async () => {
    await policy('Mutating', {
      reinvocationPolicy: 'Never',
      mutations: [
        patch('[JSONPatch{op: "replace", path: "/data/a", value: object.data.a + "2"}]'),
        patch(
          '[JSONPatch{op: "test", path: "/data/a", value: "12"}, JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("b"), value: object.data.a}]',
        ),
      ],
    });
    const { body } = await createUntil((reply) => reply.body.data?.b !== undefined);
    expect(body.data).toEqual({ a: '12', b: '12' });
  });

  test('adds containers to pods', async () => {
    await policy('Mutating', {
      reinvocationPolicy: 'IfNeeded',
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      matchConditions: [{ name: 'once', expression: '!object.spec.containers.exists(c, c.name == "proxy")' }],
      mutations: [
        configuration(
          'Object{spec: Object.spec{containers: [Object.spec.containers{name: "proxy", image: "proxy:1"}]}}',
        ),
      ],
    });
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const { body } = await suite.until(
      () => suite.send('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'p-' }, spec }),
      (reply) => (reply.body.spec?.containers as unknown as unknown[] | undefined)?.length === 2,
    );
    const names = (body.spec!.containers as unknown as { name: string; imagePullPolicy: string }[]).map(
      ({ name, imagePullPolicy }) => [name, imagePullPolicy],
    );
    expect(names).toEqual([
      ['c', 'Always'],
      ['proxy', 'IfNotPresent'],
    ]);
  });

  test('that fails refuses', async () => {
    const name = await policy('Mutating', {
      reinvocationPolicy: 'Never',
      mutations: [patch('[JSONPatch{op: "replace", path: "/data/missing/deep", value: "x"}]')],
    });
    const { body } = await createUntil(isRefused);
    expect(text(body.message)).toContain(`policy '${name}' with binding '${name}' denied request: `);
  });
});
