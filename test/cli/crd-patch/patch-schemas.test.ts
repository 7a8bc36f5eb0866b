import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonSchema } from '../../../src/api/schema/json-schema.js';
import { parseYaml, stringifyYaml } from '../../../src/base/yaml.js';
import { patchSchemas } from '../../../src/cli/crd-patch/patch-schemas.js';

const SCHEMA: JsonSchema = {
  type: 'object',
  description: 'Two\n\nparagraphs: # no comment',
  properties: { size: { type: 'integer', maximum: 9 } },
};
const schemas = new Map([['Order.shop.example.com', new Map([['v1', SCHEMA]])]]);
const patch = (text: string) => patchSchemas(text, 'crd.yaml', schemas);

const before = (schema: string) => `# License
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: orders.shop.example.com # the name
  annotations: { "team": 'shop' }
spec:
  group: shop.example.com
  names: {kind: Order, plural: orders}
  scope: Namespaced
  versions:
  # the first version
  - name: v1
    schema: # keep this
      openAPIV3Schema: # and this
${schema}
      # after the schema

    served: true
    storage: true
  - name: v2
    schema:
      openAPIV3Schema:
        type: object
    served: false
    storage: false
---
# another document
kind: ConfigMap
apiVersion: v1
`;
const OLD = `        # lost
        type: object
# commented out
        properties:
            size: {type: string}   

        description: |
          # text
        # lost too`;
const NEW = stringifyYaml(SCHEMA)
  .trimEnd()
  .replaceAll(/^(?=.)/gm, ' '.repeat(8));

describe('patchSchemas', () => {
  test('patchSchemas replaces a schema and keeps the rest of the text, including comments', () => {
    expect(patch(before(OLD))).toEqual({
      text: before(NEW),
      hasDefinitions: true,
      changed: ['Order.shop.example.com/v1'],
      unknown: ['Order.shop.example.com/v2'],
    });
  });

  test('patchSchemas changes nothing when it is repeated', () => {
    expect(patch(before(NEW))).toMatchObject({ text: before(NEW), changed: [] });
  });

  test('patchSchemas leaves an equal schema as it is written', () => {
    const text = before(`        ${JSON.stringify(SCHEMA)}`);
    expect(patch(text)).toMatchObject({ text, changed: [] });
  });

  test('patchSchemas replaces a schema at the end of a text without a last line break', () => {
    const [text = ''] = before(OLD).split('\n      # after');
    const { text: patched } = patch(text);
    expect(patched).toBe(`${before(NEW).split('\n      # after')[0]}\n`);
  });

  test('patchSchemas keeps the line breaks of Windows', () => {
    expect(patch(before(OLD).replaceAll('\n', '\r\n')).text).toBe(before(NEW).replaceAll('\n', '\r\n'));
  });

  test('patchSchemas leaves kinds of other groups alone', () => {
    const text = before(OLD).replaceAll('group: shop.', 'group: store.');
    expect(patch(text)).toMatchObject({ text, changed: [], unknown: ['Order.store.example.com'] });
  });

  test('patchSchemas finds no definition among other objects', () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\ndata: { text: CustomResourceDefinition }\n';
    expect(patch(text)).toEqual({ text, hasDefinitions: false, changed: [], unknown: [] });
  });

  test.each([
    [
      'is in flow style',
      (text: string) => text.replace(/schema: # keep[^]*?# after the schema/, 'schema: {openAPIV3Schema: {}}'),
    ],
    ['begins on the line of its key', (text: string) => text.replace('# and this', '{type: object}').replace(OLD, '')],
    ['is missing', (text: string) => text.replace(/schema: # keep[^]*?# after the schema/, 'schema: {}')],
    [
      'has an anchor that is used elsewhere',
      (text: string) => text.replace('type: object', 'type: &t object').replace('served: false', 'served: *t'),
    ],
  ])('patchSchemas reports a schema that %s', (_, change) => {
    expect(() => patch(change(before(OLD)))).toThrow(/^crd\.yaml:/);
  });

  test('patchSchemas writes any schema into any layout of the same definition', () => {
    const schema = fc.letrec<{ schema: JsonSchema }>((tie) => ({
      schema: fc.record(
        {
          type: fc.constantFrom('object', 'string', 'integer'),
          description: fc.string({ unit: fc.constantFrom('a', ' ', '\n', '#', ':', '-', '"', "'", '\t', 'é') }),
          properties: fc.dictionary(fc.stringMatching(/^[a-z#: -]{1,5}$/), tie('schema'), { maxKeys: 3 }),
        },
        { requiredKeys: ['type'] },
      ),
    })).schema;
    fc.assert(
      fc.property(schema, schema, (from, to) => {
        const definition = (openAPIV3Schema: JsonSchema) => ({
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          spec: {
            group: 'g',
            names: { kind: 'K' },
            versions: [{ name: 'v1', schema: { openAPIV3Schema }, served: true }],
          },
        });
        const kinds = new Map([['K.g', new Map([['v1', to]])]]);
        const { text } = patchSchemas(`${stringifyYaml(definition(from))}# end\n`, 'crd.yaml', kinds);
        expect(parseYaml(text, 'crd.yaml')).toEqual(definition(to));
        expect(text.endsWith('# end\n')).toBe(true);
      }),
      {
        // Scalars that end in a space or in blank lines.
        examples: [
          [{ type: 'object' }, { type: 'object', properties: { '#': { type: 'object', description: '\na ' } } }],
          [
            { type: 'object', description: 'a\n ' },
            { type: 'object', description: 'a\n' },
          ],
          [
            { type: 'object', description: 'a\n\n' },
            { type: 'object', description: 'b\n\n\n' },
          ],
        ],
      },
    );
  });
});
