import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CustomObjectChecker } from '../../../src/apiserver/custom-object-checker.js';
import { stringifyYaml } from '../../../src/base/yaml.js';
import { KnownKinds } from '../../../src/cli/validate/known-kinds.js';
import { validateFile } from '../../../src/cli/validate/validate-file.js';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { size: { type: 'integer' }, names: { type: 'array', items: { type: 'string' } } },
    },
  },
} as const;
const kinds = new KnownKinds(
  [
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gauges.demo.example.com' },
      spec: {
        group: 'demo.example.com',
        scope: 'Namespaced',
        names: { kind: 'Gauge', plural: 'gauges' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    },
  ],
  CustomObjectChecker,
);

test('any objects are checked, each exactly once, and errors are at places within the text', () => {
  const gauge = fc.record(
    {
      apiVersion: fc.constantFrom('demo.example.com/v1', 'demo.example.com/v2', 'v1', 3),
      kind: fc.constantFrom('Gauge', 'Gauges', 'Pod', null),
      metadata: fc.oneof(fc.record({ name: fc.string() }), fc.jsonValue()),
      spec: fc.oneof(fc.record({ size: fc.jsonValue(), names: fc.jsonValue() }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          gauge,
          fc.jsonValue().filter((value) => value !== null),
        ),
      ),
      (objects) => {
        const text = objects.map((object) => `---\n${stringifyYaml(object)}`).join('');
        const { valid, invalid, errors, unknown } = validateFile('a.yaml', text, kinds);
        expect(valid + invalid + unknown.length).toBe(objects.length);
        expect(errors.length > 0).toBe(invalid > 0);
        const lines = text.split('\n').length;
        for (const { line, column } of errors) expect(line > 0 && line <= lines && column > 0).toBe(true);
      },
    ),
  );
});

test('an integer that a double cannot represent is accepted as it is written', () => {
  const text = 'apiVersion: demo.example.com/v1\nkind: Gauge\nmetadata: {name: a}\nspec: {size: 9007199254740993}\n';
  expect(validateFile('a.yaml', text, kinds)).toEqual({ valid: 1, invalid: 0, errors: [], unknown: [] });
});
