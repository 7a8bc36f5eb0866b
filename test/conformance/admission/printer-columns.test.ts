import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite } from '../../e2e/admission/admission-suite.js';

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
  await define('showns', COLUMNS);
});
afterAll(() => suite.stop());

async function define(plural: string, columns: readonly (readonly [string, string])[]): Promise<void> {
  const additionalPrinterColumns = columns.map(([type, jsonPath], index) => ({ name: `c${index}`, type, jsonPath }));
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const [group, kind] = ['columns.example.com', plural.charAt(0).toUpperCase() + plural.slice(1, -1)];
  await suite.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema, additionalPrinterColumns }],
    },
  });
  await suite.until(
    () => suite.send('GET', `/apis/${group}/v1/namespaces/default/${plural}`),
    ({ code }) => code === 200,
  );
}

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
])('printer columns show of %j the values of their type, and the first of several', async (v, cells) => {
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

const CONDITIONS = [
  { type: 'Not Ready', n: 1, is: true },
  { type: 'Ready', n: 2, none: null, deep: { p: 'q' } },
  { type: 'Other', n: 3 },
];
const FOUND: readonly (readonly [string, unknown])[] = [
  ['.c[?(@.type=="Ready")].n', '2'],
  [".c[?(@.type == 'Not Ready')].n", '1'],
  ['.c[?("Ready"==@.type)].n', '2'],
  ['.c[?(@.type!="Not Ready")].n', '2'],
  ['.c[?(@.n>1)].type', 'Ready'],
  ['.c[?(@.n<=1)].type', 'Not Ready'],
  ['.c[?(@.n=="2")].type', null],
  ['.c[?(@.is==true)].type', 'Not Ready'],
  ['.c[?(@.none)].type', 'Ready'],
  ['.c[?(@.deep.p=="q")].type', 'Ready'],
  ['..deep.p', 'q'],
  ['.c[2,0].type', 'Other'],
  ['.c[-1].type', 'Other'],
  ['.c[-2:].type', 'Ready'],
  ['.c[1::2].type', 'Ready'],
  ['.c[0:9].type', null],
  ['.c[1:1].type', null],
  ['.c[9].type', null],
  [".d['x'].y", '5'],
  ['.d.a\\.b', '6'],
  [".d['a.b']", null],
  ['.c[0].type ', 'Not Ready'],
  ['.c[0]type', null],
  ['.c.type', null],
  ['.', null],
];

test('columns show the values at their paths up to the first invalid path', async () => {
  const paths = [...FOUND.map(([path]) => path), '.c[x]', '.d.x.y'];
  await define(
    'paths',
    paths.map((path) => ['string', path]),
  );
  const given = { apiVersion: 'columns.example.com/v1', kind: 'Path', metadata: { name: 'a' } };
  const path = SHOWN.replace('showns', 'paths');
  await suite.must('POST', path, { ...given, c: CONDITIONS, d: { x: { y: 5 }, 'a.b': 6 } });
  const { body } = await suite.send('GET', `${path}/a`, undefined, undefined, { accept: TABLE });
  const [row] = (body as unknown as { rows: [{ cells: unknown[] }] }).rows;
  expect(row.cells).toEqual(['a', ...FOUND.map(([, shown]) => shown)]);
});
