import { describe, expect, test } from '@jest/globals';
import { configMap, text, type Reply } from '../../e2e/admission/admission-suite.js';
import { isRefused, PolicySuite } from './policy-suite.js';

const suite = new PolicySuite();

describe('the expressions of a policy', () => {
  test('a policy expression can use the request, the former object, the namespace and variables', async () => {
    await suite.bound('Validating', {
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
    await suite.server.must('POST', suite.path, configMap('kept', { a: '1' }));
    let tries = 2;
    const change = (): Promise<Reply> =>
      suite.server.send(
        'PATCH',
        `${suite.path}/kept`,
        { data: { a: String(tries++) } },
        'application/merge-patch+json',
      );
    const { body } = await suite.server.until(change, ({ code }) => code === 422);
    expect(text(body.message)).toContain('denied request: a is for good in team a');
    await suite.server.must('PATCH', `${suite.path}/kept`, { data: { b: '2' } }, 'application/merge-patch+json');
  });

  test('a policy expression can check permissions of the user and others', async () => {
    await suite.bound('Validating', {
      variables: [
        { name: 'other', expression: "authorizer.serviceAccount('default', 'nobody-knows')" },
        { name: 'mayOther', expression: "variables.other.group('').resource('configmaps').check('create').allowed()" },
      ],
      validations: [
        {
          expression: "variables.mayOther || !authorizer.requestResource.check('create').allowed()",
          messageExpression: "'others: ' + string(variables.mayOther)",
        },
      ],
    });
    const { body } = await suite.createUntil(isRefused);
    expect(text(body.message)).toContain('denied request: failed expression: variables.mayOther');
  });

  test('a policy expression can use all CEL extensions of Kubernetes', async () => {
    await suite.bound('Validating', {
      validations: [
        {
          expression:
            "object.data.a.matches('^[0-9]+$') && quantity('1Ki').isGreaterThan(quantity('1k')) && ip('::1').family() == 6 && object.data.?missing.orValue('x') == 'x' && url('https://a.b/c').getHost() == 'a.b' && isSemver('1.2.3') && [3, 1].max() == 3",
          message: 'no number',
        },
      ],
    });
    const { body } = await suite.createUntil(isRefused, { a: 'x' });
    expect(text(body.message)).toContain('denied request: no number');
    await suite.createUntil((reply) => !isRefused(reply), { a: '12' });
  });

  test('the error of a policy with a failing variable names it', async () => {
    await suite.bound('Validating', {
      variables: [{ name: 'deep', expression: 'object.data.missing' }],
      validations: [{ expression: "variables.deep == 'x'" }],
    });
    const { body } = await suite.createUntil(isRefused);
    expect(text(body.message)).toContain(
      `expression 'variables.deep == 'x'' resulted in error: composited variable "deep" fails to evaluate: no such key: missing`,
    );
  });

  test('a failing policy expression rejects the request, except with failurePolicy Ignore', async () => {
    await suite.bound('Validating', { validations: [{ expression: "object.data.missing == 'x'" }] });
    const { code, body } = await suite.createUntil(isRefused);
    expect([code, text(body.message)]).toEqual([
      422,
      expect.stringContaining("expression 'object.data.missing == 'x'' resulted in error: no such key: missing"),
    ]);
    await suite.removePolicies();
    await suite.bound('Validating', {
      failurePolicy: 'Ignore',
      validations: [{ expression: "object.data.missing == 'x'" }, { expression: "object.data.a == '1'" }],
    });
    await suite.createUntil(isRefused, { a: '2' });
    await suite.createUntil((reply) => !isRefused(reply));
  });

  test('a policy expression finds no fields in null and in values that are not objects', async () => {
    const outcomes: [string, string | undefined][] = [
      ['has(oldObject.data)', undefined],
      ['oldObject.?data.hasValue()', undefined],
      ["oldObject[?'data'].hasValue()", undefined],
      ["has(dyn('text').a)", undefined],
      ["oldObject.data == 'x'", 'no such key: data'],
      ["oldObject['data'] == 'x'", 'no such key: data'],
      ["dyn('text')[0] == 't'", 'no such key: 0'],
      ['has(dyn([1]).a)', "unsupported index type 'string' in list"],
      ['dyn([1]).a == 1', "unsupported index type 'string' in list"],
    ];
    const validations = outcomes.map(([expression]) => ({ expression }));
    await suite.bound('Validating', { validations }, { validationActions: ['Warn'] });
    const { warnings } = await suite.createUntil((reply) => reply.warnings.length > 0);
    expect(warnings.map((each) => each.replace(/^.*?': /, ''))).toEqual(
      outcomes.map(([expression, error]) =>
        error === undefined
          ? `failed expression: ${expression}`
          : `expression '${expression}' resulted in error: ${error}`,
      ),
    );
  });

  test('a policy expression omits optional elements without a value from literals', async () => {
    const held = [
      '[?optional.of(1), ?optional.none(), 2] == [1, 2]',
      "{?'a': optional.of(1), ?'b': optional.none(), 'c': 3} == {'a': 1, 'c': 3}",
      "{?'a': object.?data.a, ?'b': object.?data.b} == {'a': '1'}",
      "object.data.a in ['?', '{?', '1'] && (true ? {'a': [1][0]}[?'a'].hasValue() : false)",
    ];
    const validations = [...held, "object.data.a == '2'"].map((expression) => ({ expression }));
    await suite.bound('Validating', { validations }, { validationActions: ['Warn'] });
    const { warnings } = await suite.createUntil((reply) => reply.warnings.length > 0, { a: '1' });
    expect(warnings.map((each) => each.replace(/^.*?': /, ''))).toEqual(["failed expression: object.data.a == '2'"]);
    const refused = await suite.policy('Validating', { validations: [{ expression: '[?1].size() == 1' }] });
    expect(text(refused.body.message)).toContain("expected type 'optional_type(int)' but found 'int'");
    const unclear = await suite.policy('Validating', { validations: [{ expression: 'size(?[1]) == 1' }] });
    expect([unclear.code, text(unclear.body.message)]).toEqual([422, expect.stringContaining('Syntax error')]);
  });

  test('a policy expression can construct objects with optional fields', async () => {
    const expression =
      "Object{metadata: Object.metadata{?labels: optional.none(), annotations: {?'seen': object.?data.a, ?'not': object.?data.b}}}";
    const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
    await suite.bound('Mutating', { mutations, reinvocationPolicy: 'Never' });
    const { body } = await suite.createUntil(({ body: made }) => made.metadata?.annotations !== undefined, { a: '1' });
    expect([body.metadata?.annotations, body.metadata?.labels]).toEqual([{ seen: '1' }, undefined]);
  });
});
