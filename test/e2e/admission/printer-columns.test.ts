import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite } from './admission-suite.js';

const SHOWN = '/apis/columns.example.com/v1/namespaces/default/showns';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const COLUMNS = [
  ['string', '.spec.v'],
  ['integer', '.spec.v'],
  ['number', '.spec.v'],
  ['boolean', '.spec.v'],
  ['date', '.spec.v'],
  ['string', '.spec.v[*]'],
  ['string', '.spec.v[1:]'],
  ['string', '.spec.v[*].a'],
] as const;

let suite: AdmissionSuite;
let count = 0;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const additionalPrinterColumns = COLUMNS.map(([type, jsonPath], index) => ({ name: `c${index}`, type, jsonPath }));
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await suite.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'showns.columns.example.com' },
    spec: {
      group: 'columns.example.com',
      scope: 'Namespaced',
      names: { plural: 'showns', kind: 'Shown' },
      versions: [{ name: 'v1', served: true, storage: true, schema, additionalPrinterColumns }],
    },
  });
  await suite.until(
    () => suite.send('GET', SHOWN),
    ({ code }) => code === 200,
  );
});
afterAll(() => suite.stop());

test.each<[unknown, unknown[]]>([
  ['text', ['text', null, null, null, '<invalid>', null, null, null]],
  ['', ['', null, null, null, '<unknown>', null, null, null]],
  ['2999-01-01T00:00:00Z', ['2999-01-01T00:00:00Z', null, null, null, '<invalid>', null, null, null]],
  [1.5, ['1.5', 1, 1.5, null, null, null, null, null]],
  [true, ['true', null, null, true, null, null, null, null]],
  [[null], ['[null]', null, null, null, null, '<no value>', null, null]],
  [
    ['a', 'b', 'c'],
    ['["a","b","c"]', null, null, null, null, 'a', 'b', null],
  ],
  [
    [{ b: '<', a: 'x' }, { a: 'y' }],
    [expect.anything(), null, null, null, null, '{"a":"x","b":"\\u003c"}', '{"a":"y"}', 'x'],
  ],
  [{ a: 'x' }, ['{"a":"x"}', null, null, null, null, null, null, null]],
])('columns show of %j what is of their type, and the first of what there are many', async (v, cells) => {
  const name = `shown-${count++}`;
  await suite.must('POST', SHOWN, {
    apiVersion: 'columns.example.com/v1',
    kind: 'Shown',
    metadata: { name },
    spec: { v },
  });
  const { body } = await suite.send('GET', `${SHOWN}/${name}`, undefined, undefined, { accept: TABLE });
  const [row] = (body as unknown as { rows: [{ cells: unknown[] }] }).rows;
  expect(row.cells).toEqual([name, ...cells]);
});
