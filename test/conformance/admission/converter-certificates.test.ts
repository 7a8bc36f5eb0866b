import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Json } from '../../e2e/admission/admission-suite.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

test('a definition whose conversion webhook has an invalid CA bundle is not established', async () => {
  await suite.must('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'strangers.ca.example.com' },
    spec: {
      group: 'ca.example.com',
      scope: 'Namespaced',
      names: { plural: 'strangers', kind: 'Stranger' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { caBundle: 'Cg==', service: { namespace: 'default', name: 'none' } },
        },
      },
    },
  });
  const established = (body: Json): Json | undefined =>
    (body.status?.conditions as unknown as Json[] | undefined)?.find(({ type }) => text(type) === 'Established');
  const { body } = await suite.until(
    () => suite.send('GET', `${DEFINITIONS}/strangers.ca.example.com`),
    ({ body: shown }) => text(established(shown)?.reason) === 'InvalidCABundle',
  );
  expect(established(body)).toMatchObject({
    status: 'False',
    message: 'The conversion webhook CABundle is invalid',
  });
});
