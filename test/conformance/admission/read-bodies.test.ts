import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Reply } from '../../e2e/admission/admission-suite.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const YAML = 'application/yaml';
const APPLY = 'application/apply-patch+yaml';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  await suite.must('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } });
});
afterAll(() => suite.stop());

const said = ({ code, body }: Reply): unknown[] => [code, text(body.message)];
/** YAML with duplicate keys of scalars and of mappings, and an unknown field. */
const twice = (name: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: other
  name: ${name}
  labels: {a: b, a: c}
data:
  one: first
data:
  two: second
`;
const REPEATED = ['line 5: key "name"', 'line 6: key "a"', 'line 10: key "data"'].map(
  (what) => `${what} already set in map`,
);

test('duplicate keys of YAML are reported by line, and the last value is used', async () => {
  const warned = await suite.send('POST', CONFIG_MAPS, twice('twice'), YAML);
  expect([warned.code, warned.body.data, warned.body.metadata?.labels]).toEqual([201, { two: 'second' }, { a: 'c' }]);
  expect(warned.warnings.map((warning) => warning.replaceAll('\\"', '"'))).toEqual(REPEATED);
  const ignored = await suite.send('POST', `${CONFIG_MAPS}?fieldValidation=Ignore`, twice('ignored'), YAML);
  expect([ignored.code, ignored.warnings]).toEqual([201, []]);
});

test('strict validation rejects duplicate keys of YAML before unknown fields', async () => {
  const body = `${twice('strict')}odd: 1\n`;
  const refused = await suite.send('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, body, YAML);
  const errors = ['yaml: unmarshal errors:', ...REPEATED].join('\n  ');
  const why = `strict decoding error: ${errors}, unknown field "odd"`;
  expect(said(refused)).toEqual([400, `ConfigMap in version "v1" cannot be handled as a ConfigMap: ${why}`]);
});

test('all duplicate keys of an applied configuration are reported', async () => {
  const path = `${CONFIG_MAPS}/applied?fieldManager=a&fieldValidation=`;
  const warned = await suite.send('PATCH', `${path}Warn`, twice('applied'), APPLY);
  expect([warned.code, warned.warnings.map((warning) => warning.replaceAll('\\"', '"'))]).toEqual([201, REPEATED]);
  const refused = await suite.send('PATCH', `${path}Strict`, twice('applied'), APPLY);
  const errors = ['yaml: unmarshal errors:', ...REPEATED].join('\n  ');
  expect(said(refused)).toEqual([400, `error strict decoding YAML: error converting YAML to JSON: ${errors}`]);
});

test('invalid YAML is reported as such', async () => {
  const refused = await suite.send('POST', CONFIG_MAPS, 'a: b: c', YAML);
  expect(said(refused)).toEqual([
    400,
    'the object provided is unrecognized (must be of type ConfigMap): yaml: mapping values are not allowed in this context (613a20623a2063)',
  ]);
});

test.each([
  ['merge-patch+json', (deep: string) => `{"data":${deep}}`, 'error decoding patch: '],
  ['strategic-merge-patch+json', (deep: string) => `{"data":${deep}}`, ''],
  ['json-patch+json', (deep: string) => `[{"op":"add","path":"/data","value":${deep}}]`, 'error decoding patch: '],
])('a patch of type %s that is nested too deeply is rejected', async (type, patch, prefix) => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const refused = await suite.send('PATCH', `${CONFIG_MAPS}/c`, patch(deep), `application/${type}`);
  expect(said(refused)).toEqual([400, `${prefix}invalid character '[' exceeded max depth`]);
});

test('an object that is nested too deeply is rejected', async () => {
  const deep = '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000);
  const [code, why] = said(await suite.send('POST', CONFIG_MAPS, `{"apiVersion":"v1","data":${deep}}`));
  expect([code, why]).toEqual([
    400,
    expect.stringContaining("json parse error: invalid character '{' exceeded max depth"),
  ]);
});

test('errors of a JSON patch are reported in the order of its operations', async () => {
  const patch = '[{"op":"add","path":"/data","value":{},"foo":1},{"op":"test","path":"/a","path":"/data","value":{}}]';
  const { warnings } = await suite.send('PATCH', `${CONFIG_MAPS}/c`, patch, 'application/json-patch+json');
  expect(warnings.map((warning) => warning.replaceAll('\\"', '"'))).toEqual([
    'json patch unknown field "[0].foo"',
    'json patch duplicate field "[1].path"',
  ]);
});

test('the export parameter is rejected', async () => {
  const why = 'the export parameter, deprecated since v1.14, is no longer supported';
  expect(said(await suite.send('GET', `${CONFIG_MAPS}/c?export=true`))).toEqual([400, why]);
  expect((await suite.send('GET', `${CONFIG_MAPS}/c?export=false`)).code).toBe(200);
});
