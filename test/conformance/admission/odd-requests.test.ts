import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Reply } from '../../e2e/admission/admission-suite.js';

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const OPERATIONS = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PLAINS = '/apis/odd.example.com/v1/namespaces/default/plains';
const LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
  },
};

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  await suite.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'plains.odd.example.com' },
    spec: {
      group: 'odd.example.com',
      scope: 'Namespaced',
      names: { plural: 'plains', kind: 'Plain' },
      versions: [
        { name: 'v1', served: true, storage: true, schema, subresources: { scale: scalePaths() } },
        { name: 'v2', served: true, storage: false, schema },
      ],
    },
  });
  await suite.until(
    () => suite.send('POST', PLAINS, plain('a')),
    ({ code }) => code === 201,
  );
  await suite.must('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: {} });
});
afterAll(() => suite.stop());

function scalePaths(): object {
  return { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
}

const plain = (name: string, more: object = {}): object => ({
  apiVersion: 'odd.example.com/v1',
  kind: 'Plain',
  metadata: { name },
  spec: { size: 1 },
  ...more,
});
const said = ({ code, body }: Reply): unknown[] => [code, text(body.message)];

test('a patch that removes the apiVersion of an object fails and reports its fields as unknown', async () => {
  const refused = await suite.send('PATCH', `${CONFIG_MAPS}/c`, { apiVersion: null }, MERGE);
  const why = 'the name of the object (c based on URL) was undeterminable: name must be provided';
  expect([said(refused), refused.warnings]).toEqual([[400, why], ['unknown field \\"metadata\\"']]);
});

test('a patch that removes the apiVersion of a custom resource fails', async () => {
  const failed = await suite.send('PATCH', `${PLAINS}/a`, { apiVersion: '' }, MERGE);
  const why = "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'";
  expect(said(failed)).toEqual([500, why]);
  const operations = [{ op: 'replace', path: '/apiVersion', value: null }];
  const refused = await suite.send('PATCH', `${PLAINS}/a`, operations, OPERATIONS);
  expect(said(refused)).toEqual([
    422,
    expect.stringMatching(/: \.apiVersion accessor error: <nil> is of the type <nil>/),
  ]);
});

test('the error for an apiVersion without a group contains no group', async () => {
  const refused = await suite.send('PATCH', `${PLAINS}/a`, { apiVersion: 'x' }, MERGE);
  const why = 'Plain "a" is invalid: apiVersion: Invalid value: "x": must be odd.example.com/v1';
  expect(said(refused)).toEqual([422, why]);
});

test.each([
  ['v2', ['spec.no', 'top']],
  ['v9', ['spec', 'top']],
])(
  'a custom resource of %s sent to v1 has warnings for fields that its own version does not define',
  async (version, fields) => {
    const body = plain('b', { apiVersion: `odd.example.com/${version}`, spec: { no: 1 }, top: 1 });
    const refused = await suite.send('POST', PLAINS, body);
    const why = `the API version in the data (odd.example.com/${version}) does not match the expected API version (odd.example.com/v1)`;
    expect([said(refused), refused.warnings]).toEqual([
      [400, why],
      fields.map((field) => `unknown field \\"${field}\\"`),
    ]);
  },
);

test('a custom resource without an apiVersion is rejected before its fields are validated', async () => {
  const body = { kind: 'Plain', metadata: { name: 'b' }, spec: { no: 1 } };
  const refused = await suite.send('POST', `${PLAINS}?fieldValidation=Strict`, body);
  const why = 'the API version in the data () does not match the expected API version (odd.example.com/v1)';
  expect(said(refused)).toEqual([400, why]);
});

test('the server ignores an applied generation of a custom resource', async () => {
  const given = plain('counted', { metadata: { name: 'counted', generation: 1.5 } });
  const applied = await suite.send('PATCH', `${PLAINS}/counted?fieldManager=one`, given, APPLY);
  expect([applied.code, applied.body.metadata?.generation]).toEqual([201, 1]);
});

test('a generated name does not replace a name that exists', async () => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', generateName: 'other-' } };
  const why = 'configmaps "c" already exists, the server was not able to generate a unique name for the object';
  expect(said(await suite.send('POST', CONFIG_MAPS, body))).toEqual([409, why]);
});

test('the error for the name of an object that is being deleted mentions the deletion, even with generateName', async () => {
  const metadata = { name: 'going', finalizers: ['example.com/f'] };
  await suite.must('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await suite.send('DELETE', `${CONFIG_MAPS}/going`);
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'going', generateName: 'other-' } };
  const refused = await suite.send('POST', CONFIG_MAPS, body);
  expect(said(refused)).toEqual([409, expect.stringMatching(/^object is being deleted: .* to generate a unique name/)]);
});

test('a resourceVersion of a new object is reported before a taken name', async () => {
  const metadata = { name: 'c', generateName: 'other-', resourceVersion: '1' };
  const failed = await suite.send('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  expect(said(failed)).toEqual([500, 'resourceVersion should not be set on objects to be created']);
});

test('an invalid resourceVersion is reported before a missing object', async () => {
  const found = await suite.send('GET', '/apis/apps/v1/namespaces/default/deployments/x/scale?resourceVersion=x');
  expect(said(found)).toEqual([500, expect.stringMatching(/^resourceVersion: Invalid value: "x"/)]);
  const event = await suite.send('GET', '/api/v1/namespaces/default/events/x?resourceVersion=x');
  expect(said(event)).toEqual([400, expect.stringMatching(/^invalid resource version: resourceVersion: /)]);
});

test('line breaks of a kind are escaped in an error', async () => {
  const refused = await suite.send('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'A\nB', metadata: { name: 'x' } });
  expect(text(refused.body.message)).toContain('no kind "A\\nB" is registered for version "v1"');
});

test('a scale cannot be requested as a list, and some subresources cannot be requested as a table', async () => {
  const scale = await suite.send('GET', `${PLAINS}/a/scale`, undefined, undefined, { accept: LIST });
  const why = 'you requested PartialObjectMetadataList, but the requested object is not a list (*v1.Scale)';
  expect(said(scale)).toEqual([406, why]);
  const approval = '/apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval';
  for (const path of ['/api/v1/namespaces/default/pods/x/resize', '/api/v1/namespaces/x/finalize', approval])
    expect((await suite.send('PUT', path, {}, undefined, { accept: TABLE })).code).toBe(406);
});

test('the ratio over a minimum of zero is infinite', async () => {
  const limit = { type: 'Pod', max: { memory: '-1' }, min: { memory: '0' }, maxLimitRequestRatio: { memory: '1' } };
  const body = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits: [limit] } };
  const refused = await suite.send('POST', '/api/v1/namespaces/default/limitranges', body);
  expect(text(refused.body.message)).toContain('ratio 1 is greater than max/min = -Inf');
});

test('unknown fields of a patch are reported in the order of the patched object', async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const clientConfig = { url: 'https://example.com' };
  await suite.must('POST', path, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'w' },
    webhooks: [],
  });
  const webhooks = [{ name: 'a.b.c', clientConfig, rules: [{ odd: 1 }], objectSelector: { odd: 1 } }];
  const refused = await suite.send('PATCH', `${path}/w`, { webhooks }, MERGE);
  expect(refused.warnings).toEqual(
    ['objectSelector.odd', 'rules[0].odd'].map((field) => `unknown field \\"webhooks[0].${field}\\"`),
  );
});

test('the invalid name of a Service is reported by the allocation of its address', async () => {
  const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a/b' }, spec: { ports: [{ port: 80 }] } };
  const refused = await suite.send('POST', '/api/v1/namespaces/default/services', body);
  expect(text(refused.body.message)).toMatch(
    / is invalid: spec\.parentRef\.name: Invalid value: "a\/b": may not contain/,
  );
});

test("a write of a policy's status ignores deletionTimestamp", async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const [apiVersion, kind] = ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'];
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] };
  await suite.must('POST', path, { apiVersion, kind, metadata: { name: 'p' }, spec });
  const change = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const written = await suite.send('PATCH', `${path}/p/status`, change, MERGE);
  expect([written.code, written.body.metadata?.deletionTimestamp]).toEqual([200, undefined]);
});

test('the status of a StatefulSet is validated before changes of its metadata', async () => {
  const path = '/apis/apps/v1/namespaces/default/statefulsets';
  const [matchLabels, containers] = [{ app: 'odd' }, [{ name: 'c', image: 'i' }]];
  const template = { metadata: { labels: matchLabels }, spec: { containers } };
  const spec = { replicas: 0, selector: { matchLabels }, serviceName: '', template };
  await suite.must('POST', path, { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 's' }, spec });
  const change = { metadata: { labels: { a: '-' } }, status: { replicas: -1 } };
  const refused = await suite.send('PATCH', `${path}/s/status`, change, MERGE);
  const { causes = [] } = refused.body.details as { causes?: { field: string }[] };
  const fields = causes.map(({ field }) => field);
  expect(fields.slice(0, 3)).toEqual(['metadata.labels', 'metadata.labels', 'status.replicas']);
  expect(fields.at(-1)).toBe('metadata.labels');
});

test.each([
  ['/apis/apiregistration.k8s.io/v1/apiservices/v1.', 'apiregistration.k8s.io/apiservices/v1.'],
  ['/api/v1/namespaces/default/services/kubernetes', 'services/specs/default/kubernetes'],
])('the error for a replacement of %s with an unknown uid contains its storage key', async (path, key) => {
  const { body: present } = await suite.send('GET', path);
  const { resourceVersion: _, ...metadata } = present.metadata!;
  const other = { ...present, metadata: { ...metadata, uid: '11111111-1111-1111-1111-111111111111' } };
  const refused = await suite.send('PUT', `${path}?dryRun=All`, other);
  expect(text(refused.body.message)).toContain(` Key: /${key}, `);
});

test('the table of an Event with a series shows the count of the series', async () => {
  const path = '/api/v1/namespaces/default/events';
  const involvedObject = { kind: 'ConfigMap', name: 'c', namespace: 'default' };
  const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'series' }, involvedObject, count: 2, series: {} };
  await suite.must('POST', path, event);
  const { body } = await suite.send('GET', `${path}/series`, undefined, undefined, { accept: TABLE });
  const [{ cells }] = (body as unknown as { rows: [{ cells: unknown[] }] }).rows;
  expect(cells[8]).toBe(0);
});

test('duplicate metadata in a body is merged', async () => {
  const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"both"},"metadata":{"labels":{"a":"b"}}}';
  for (const validation of ['Ignore', 'Warn']) {
    const made = await suite.send('POST', `${CONFIG_MAPS}?dryRun=All&fieldValidation=${validation}`, body);
    expect([made.code, made.body.metadata?.name, made.body.metadata?.labels]).toEqual([201, 'both', { a: 'b' }]);
  }
});

test('an update of an Event of events.k8s.io cannot add an invalid finalizer', async () => {
  const path = '/apis/events.k8s.io/v1/namespaces/default/events';
  const [apiVersion, kind, eventTime] = ['events.k8s.io/v1', 'Event', '2026-01-01T00:00:00.000000Z'];
  const said = { reason: 'r', action: 'a', type: 'Normal', reportingController: 'c', reportingInstance: 'i' };
  const regarding = { kind: 'ConfigMap', name: 'c', namespace: 'default' };
  await suite.must('POST', path, { apiVersion, kind, metadata: { name: 'held' }, eventTime, regarding, ...said });
  const refused = await suite.send('PATCH', `${path}/held`, { metadata: { finalizers: ['bad'] } }, MERGE);
  expect([refused.code, text(refused.body.message)]).toEqual([
    422,
    expect.stringContaining('metadata.finalizers[0]: Invalid value: "bad": name is neither a standard finalizer'),
  ]);
});

test.each([
  ['in any language', [{ 日本é: 1 }], ['unknown field \\"日本é\\"']],
  ['of control characters', [{ 'a\tb': 1 }], ['unknown field \\"a\\\\tb\\"']],
])('warnings about fields %s are sent', async (_what, [more], warnings) => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'w' }, ...more };
  const reply = await suite.send('POST', `${CONFIG_MAPS}?dryRun=All&fieldValidation=Warn`, body);
  expect([reply.code, reply.warnings]).toEqual([201, warnings]);
});

test.each([
  ['of 3,200 characters in total are sent completely', 40, 60, Array<number>(40).fill(78)],
  ['of 6,200 characters in total are sent in part', 80, 60, Array<number>(53).fill(78)],
  ['of 319 characters each are shortened, and sent in part', 20, 300, Array<number>(16).fill(256)],
  ['of 5,000 characters are shortened', 2, 5000, [256, 256]],
])('warnings %s', async (_what, count, length, lengths) => {
  const names = Array.from({ length: count }, (_, index) => String(index).padStart(2, '0') + 'x'.repeat(length));
  const unknown = Object.fromEntries(names.map((name) => [name, 1]));
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'w' }, ...unknown };
  const { code, warnings } = await suite.send('POST', `${CONFIG_MAPS}?dryRun=All&fieldValidation=Warn`, body);
  expect([code, warnings.map((each) => each.replaceAll('\\"', '"').length)]).toEqual([201, lengths]);
});

test('a strategic merge patch causes no warning for an unknown field with a control character', async () => {
  const path = `${CONFIG_MAPS}/c?dryRun=All&fieldValidation=Warn`;
  const { code, warnings } = await suite.send('PATCH', path, { 'a\tb': 1, 日: 2 }, STRATEGIC);
  expect([code, warnings]).toEqual([200, ['unknown field \\"日\\"']]);
});

test.each([
  ['GET', `${CONFIG_MAPS}/a%25`, 400, `Name parameter invalid: "a%": may not contain '%'`],
  ['GET', `${CONFIG_MAPS}/c%252fd`, 400, `Name parameter invalid: "c%2fd": may not contain '%'`],
  ['PUT', `${CONFIG_MAPS}/a%25`, 400, `Name parameter invalid: "a%": may not contain '%'`],
  ['PATCH', `${CONFIG_MAPS}/a%25`, 400, `Name parameter invalid: "a%": may not contain '%'`],
  ['DELETE', `${CONFIG_MAPS}/a%25`, 400, `Name parameter invalid: "a%": may not contain '%'`],
  ['GET', `${CONFIG_MAPS}/a%2fb`, 404, 'the server could not find the requested resource'],
])('%s of %s is rejected because no object can have this name', async (method, path, ...refusal) => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a%' } };
  const type = method === 'PATCH' ? MERGE : undefined;
  expect(said(await suite.send(method, path, method[0] === 'P' ? body : undefined, type))).toEqual(refusal);
});
