import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text } from '../../e2e/admission/admission-suite.js';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const CANNOT = 'Job in version "v1" cannot be handled as a Job: json: cannot unmarshal';

test.each([
  [
    '{"completions":"1","parallelism":"2"}',
    `${CANNOT} string into Go struct field JobSpec.spec.completions of type int32`,
  ],
  [
    '{"parallelism":"2","completions":"1"}',
    `${CANNOT} string into Go struct field JobSpec.spec.parallelism of type int32`,
  ],
  [
    '{"template":{"spec":{"containers":[{"ports":{}}],"volumes":1}},"parallelism":{}}',
    `${CANNOT} object into Go struct field Container.spec.template.spec.containers.ports of type []v1.ContainerPort`,
  ],
  [
    '{"parallelism":"2","template":{"metadata":{"creationTimestamp":1}}}',
    `${CANNOT} number into Go struct field ObjectMeta.spec.template.metadata.creationTimestamp of type string`,
  ],
])('the first value of a wrong type in %s is reported', async (spec, message) => {
  const body = `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"x"},"spec":${spec}}`;
  const refused = await suite.send('POST', '/apis/batch/v1/namespaces/default/jobs', body);
  expect([refused.code, text(refused.body.message)]).toEqual([400, message]);
});

test('the path in a type error does not contain keys of maps', async () => {
  const schema = '{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":1}}}}}';
  const body = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"x"},"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":${schema}}}]}}`;
  const refused = await suite.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body);
  expect(text(refused.body.message)).toContain(
    'number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties.type of type string',
  );
});

test('the kind of a body is found in a key of any case', async () => {
  const body = '{"apiVersion":"v1","Kind":"Other","metadata":{"name":"x"}}';
  const refused = await suite.send('POST', '/api/v1/namespaces/default/configmaps', body);
  expect([refused.code, text(refused.body.message)]).toEqual([
    400,
    'Other in version "v1" cannot be handled as a ConfigMap: no kind "Other" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  ]);
});
