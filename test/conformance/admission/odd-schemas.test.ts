import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Reply } from '../../e2e/admission/admission-suite.js';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const define = (spec: object): Promise<Reply> => {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return suite.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'odds.schemas.example.com' },
    spec: {
      group: 'schemas.example.com',
      scope: 'Namespaced',
      names: { plural: 'odds', kind: 'Odd' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
};

const ITEMS = 'spec.validation.openAPIV3Schema.properties[spec].items';
const NEITHER = 'cannot be handled as a CustomResourceDefinition: boolean or JSON schema expected';
const UNREADABLE = 'json: cannot unmarshal';
const AT = 'Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties';
test.each([
  [{ type: 'array', items: true }, `${ITEMS}: Required value: must be specified`],
  [{ type: 'array', items: 'x' }, `${ITEMS}: Required value: must be specified`],
  [{ type: 'array', items: [null] }, `${ITEMS}: Forbidden: items must be a schema object and not an array`],
  [{ type: 'array', items: [true] }, `${UNREADABLE} bool into ${AT}.items of type v1.JSONSchemaProps`],
  [{ type: 'object', additionalProperties: 1 }, NEITHER],
  [{ type: 'object', additionalItems: 'x' }, NEITHER],
  [{ type: 'object', dependencies: { a: [1] } }, `${UNREADABLE} number into ${AT}.dependencies of type string`],
  [{ type: 'object', dependencies: { a: null } }, 'dependencies: Forbidden: dependencies is not supported'],
  [{ type: 'object', $ref: '' }, '$ref: Forbidden: $ref is not supported'],
  [{ type: 'object', id: 'x' }, 'id: Forbidden: id is not supported'],
])('the schema %j of a field is rejected', async (spec, message) => {
  expect(text((await define(spec)).body.message)).toContain(message);
});

test('the fieldPath of a rule can be any key of a map with additionalProperties', async () => {
  const rules = [{ rule: 'true', fieldPath: '.a' }];
  const spec = { type: 'object', additionalProperties: false, 'x-kubernetes-validations': rules };
  expect((await define(spec)).code).toBe(201);
});
