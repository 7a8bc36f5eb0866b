import { describe, expect, test } from '@jest/globals';
import { text } from '../../e2e/admission/admission-suite.js';
import { PolicySuite } from './policy-suite.js';

const GROUP = 'admissionregistration.k8s.io';
const rulesOf = (...resources: string[]) => ({
  resourceRules: [{ apiGroups: [GROUP], apiVersions: ['v1'], operations: ['CREATE'], resources }],
});
const LABEL = 'Object{metadata: Object.metadata{labels: {"by": "policy"}}}';

describe('policies for the configuration of admission', () => {
  const suite = new PolicySuite();
  const create = (plural: string, kind: string, rest: object = {}, name = 'tried') =>
    suite.server.send('POST', `/apis/${GROUP}/v1/${plural}?dryRun=All`, {
      apiVersion: `${GROUP}/v1`,
      kind,
      metadata: { name },
      ...rest,
    });

  const webhooks = [
    ['validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'],
    ['mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'],
  ] as const;

  test.each(webhooks)('a validating policy applies to %s', async (plural, kind) => {
    const spec = { matchConstraints: rulesOf('*'), validations: [{ expression: 'false', message: 'not here' }] };
    const name = await suite.bound('Validating', spec);
    const { body } = await suite.server.until(
      () => create(plural, kind),
      (reply) => text(reply.body.message).includes(`'${name}'`),
    );
    expect(body.message).toBe(
      `${plural}.${GROUP} "tried" is forbidden: ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: not here`,
    );
  });

  test.each(webhooks)('a mutating policy applies to %s', async (plural, kind) => {
    const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: LABEL } }];
    await suite.bound('Mutating', { matchConstraints: rulesOf('*'), reinvocationPolicy: 'Never', mutations });
    const { body } = await suite.server.until(
      () => create(plural, kind),
      (reply) => reply.body.metadata?.labels !== undefined,
    );
    expect(body.metadata?.labels).toEqual({ by: 'policy' });
  });

  test('a policy does not apply to policies and their bindings', async () => {
    const denial = { matchConstraints: rulesOf('*'), validations: [{ expression: 'false' }] };
    await suite.bound('Validating', denial);
    await suite.server.until(
      () => create('mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'),
      ({ code }) => code === 422,
    );
    const mutation = { patchType: 'ApplyConfiguration', applyConfiguration: { expression: LABEL } };
    const mutating = { matchConstraints: rulesOf('*'), reinvocationPolicy: 'Never', mutations: [mutation] };
    const replies = [
      await create('validatingadmissionpolicies', 'ValidatingAdmissionPolicy', { spec: denial }),
      await create('validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', {
        spec: { policyName: 'other', validationActions: ['Deny'] },
      }),
      await create('mutatingadmissionpolicies', 'MutatingAdmissionPolicy', { spec: mutating }),
      await create('mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding', {
        spec: { policyName: 'other' },
      }),
    ];
    expect(replies.map(({ code }) => code)).toEqual([201, 201, 201, 201]);
  });
});
