import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text } from '../../e2e/admission/admission-suite.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const OBJECTS = '/apis/either.example.com/v1/namespaces/default/eithers';
const EITHER = { 'x-kubernetes-int-or-string': true };

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const anyOf = [{ type: 'integer' }, { type: 'string' }];
  const properties = { plain: EITHER, pair: { ...EITHER, anyOf }, quantity: { ...EITHER, anyOf, pattern: '^[0-9]+$' } };
  await suite.must('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'eithers.either.example.com' },
    spec: {
      group: 'either.example.com',
      scope: 'Namespaced',
      names: { plural: 'eithers', kind: 'Either' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
      ],
    },
  });
  await suite.until(
    () => suite.send('GET', OBJECTS),
    ({ code }) => code === 200,
  );
});
afterAll(() => suite.stop());

test.each([
  { plain: true },
  { plain: { a: 1 } },
  { pair: false },
  { pair: [1] },
  { pair: 1.5 },
  { quantity: 'text' },
  { quantity: true },
])('the body %j is rejected because a value is neither an integer nor a string', async (fields) => {
  const metadata = { name: 'x' };
  const { code, body } = await suite.send('POST', OBJECTS, {
    apiVersion: 'either.example.com/v1',
    kind: 'Either',
    metadata,
    ...fields,
  });
  expect(code).toBe(422);
  expect(text(body.message)).toMatchSnapshot();
});

test('an int-or-string field accepts an integer and a string', async () => {
  const fields = { plain: 1, pair: 'text', quantity: 2 };
  const object = { apiVersion: 'either.example.com/v1', kind: 'Either', metadata: { name: 'x' }, ...fields };
  expect((await suite.send('POST', OBJECTS, object)).code).toBe(201);
});
