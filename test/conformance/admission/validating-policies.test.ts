import { describe, expect, test } from '@jest/globals';
import { configMap, text, type Reply } from '../../e2e/admission/admission-suite.js';
import { isRefused, PolicySuite, RULES } from './policy-suite.js';

const suite = new PolicySuite();

describe('a validating admission policy', () => {
  test('a validating policy rejects objects that fail an expression, with its message', async () => {
    const name = await suite.bound('Validating', {
      validations: [{ expression: "object.data.a != '1'", message: 'not 1' }],
    });
    const { code, body } = await suite.createUntil(isRefused);
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
    expect((await suite.server.send('POST', suite.path, configMap('fine', { a: '2' }))).code).toBe(201);
  });

  test('a validating policy gets default values', async () => {
    const name = await suite.bound('Validating', { validations: [{ expression: 'true' }] });
    const { spec } = await suite.server.must(
      'GET',
      `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/${name}`,
    );
    expect(spec).toEqual({
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ ...RULES.resourceRules[0], scope: '*' }],
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
  ])(
    'a validating policy with %s rejects with the expected message and reason',
    async (_what, validation, message, code, reason) => {
      await suite.bound('Validating', { validations: [validation] });
      const reply = await suite.createUntil(isRefused);
      expect([reply.code, reply.body.reason]).toEqual([code, reason]);
      expect(text(reply.body.message).split(' denied request: ')[1]).toBe(message);
    },
  );

  test('a validating policy with the action Warn only causes warnings', async () => {
    const name = await suite.bound(
      'Validating',
      { validations: [{ expression: 'false', message: 'hm' }] },
      { validationActions: ['Warn'] },
    );
    const { code, warnings } = await suite.createUntil((reply) => reply.warnings.length > 0);
    expect([code, warnings]).toEqual([
      201,
      [`Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${name}': hm`],
    ]);
  });

  test('a validating policy applies to requests that match its rules, its binding and its conditions', async () => {
    await suite.bound(
      'Validating',
      {
        matchConstraints: { ...RULES, excludeResourceRules: [{ ...RULES.resourceRules[0], resourceNames: ['free'] }] },
        matchConditions: [{ name: 'marked', expression: 'has(object.data.a)' }],
        validations: [{ expression: 'false' }],
      },
      { validationActions: ['Deny'], matchResources: { objectSelector: { matchLabels: { strict: 'yes' } } } },
    );
    const labels = { strict: 'yes' };
    await suite.createUntil(isRefused, { a: '1' }, { labels });
    const create = (name: string, data: object, metadata: object = { labels }): Promise<Reply> =>
      suite.server.send('POST', suite.path, configMap(name, data, metadata));
    expect((await create('free', { a: '1' })).code).toBe(201);
    expect((await create('unmarked', { b: '1' })).code).toBe(201);
    expect((await create('unlabelled', { a: '1' }, {})).code).toBe(201);
  });

  test('a validating policy uses parameters, and can require that they exist', async () => {
    await suite.server.must('POST', suite.path, configMap('limits', { max: '3' }));
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [
        { expression: 'int(object.data.a) <= int(params.data.max)', messageExpression: "'at most ' + params.data.max" },
      ],
    };
    const paramRef = { name: 'limits', namespace: suite.namespace, parameterNotFoundAction: 'Deny' };
    await suite.bound('Validating', spec, { validationActions: ['Deny'], paramRef });
    const { body } = await suite.createUntil((reply) => JSON.stringify(reply.body).includes('at most'), {
      a: '4',
    });
    expect(text(body.message)).toContain('denied request: at most 3');
    await suite.createUntil((reply) => !isRefused(reply), { a: '3' });
    await suite.server.must('DELETE', `${suite.path}/limits`);
    const missing = await suite.createUntil(isRefused, { a: '3' });
    expect(text(missing.body.message)).toContain(
      'denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    );
  });
});

test('requests for a collection do not contain the name of an object', async () => {
  const deleted = { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] };
  const matchConstraints = { resourceRules: [deleted] };
  const messageExpression = `(has(request.name) ? request.name : 'none') + ' of ' + oldObject.metadata.name`;
  await suite.bound('Validating', { matchConstraints, validations: [{ expression: 'false', messageExpression }] });
  await suite.create('kept', {}, { labels: { kept: 'yes' } });
  const refused = await suite.server.until(
    () => suite.server.send('DELETE', `${suite.path}?labelSelector=kept&dryRun=All`),
    ({ code }) => code !== 200,
  );
  expect(text(refused.body.message)).toMatch(/^configmaps "Unknown" is forbidden: .*: none of kept$/);
  expect(text((await suite.server.send('DELETE', `${suite.path}/kept`)).body.message)).toMatch(
    /^configmaps "kept" is forbidden: .*: kept of kept$/,
  );
});
