import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../../src/apiserver/server/audit-event.js';
import { CONFIG_MAPS, configMap, TestServer } from '../api-client.js';

const events: AuditEvent[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start({ audit: (event) => events.push(event) });
});
afterAll(() => server.stop());

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';

async function make(kind: string, plural: string, name: string, spec: object): Promise<void> {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const { code } = await server.send('POST', `${ADMISSION}/${plural}`, {
    apiVersion,
    kind,
    metadata: { name },
    spec,
  });
  expect(code).toBe(201);
}

test('a policy adds its annotations and violations to the audit event', async () => {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  await make('ValidatingAdmissionPolicy', 'validatingadmissionpolicies', 'noted', {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'true' }, { expression: "object.data.a == '2'", message: 'not two' }],
    auditAnnotations: [
      { key: 'value', valueExpression: "'a is ' + object.data.a" },
      { key: 'nothing', valueExpression: 'null' },
    ],
  });
  for (const name of ['first', 'second']) {
    const spec = { policyName: 'noted', validationActions: ['Audit'] };
    await make('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', name, spec);
  }
  expect((await server.send('POST', CONFIG_MAPS, configMap('a', { a: '1' }))).code).toBe(201);
  const [event] = events.filter(({ objectRef }) => objectRef?.resource === 'configmaps');
  const failure = {
    message: 'not two',
    policy: 'noted',
    binding: 'first',
    expressionIndex: 1,
    validationActions: ['Audit'],
  };
  expect(event?.annotations).toEqual({
    'noted/value': 'a is 1',
    'validation.policy.admission.k8s.io/validation_failure': JSON.stringify([failure]),
  });
});
