import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUP = 'schemas.example.com';
const string = { type: 'string' };
const KEPT = { 'x-kubernetes-preserve-unknown-fields': true };

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const version = (name: string, spec: object): object => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
});
const objectsOf = (kind: string, inVersion = 'v1'): string =>
  `/apis/${GROUP}/${inVersion}/namespaces/default/${kind.toLowerCase()}s`;

async function define(kind: string, specs: Readonly<Record<string, object>>): Promise<void> {
  const plural = `${kind.toLowerCase()}s`;
  const versions = Object.entries(specs).map(([name, spec]) => version(name, spec));
  await suite.must('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: { group: GROUP, scope: 'Namespaced', names: { plural, kind }, versions },
  });
  for (const name of Object.keys(specs)) {
    await suite.until(
      () => suite.send('GET', objectsOf(kind, name)),
      ({ code }) => code === 200,
    );
  }
}

const object = (kind: string, name: string, spec: object, inVersion = 'v1'): object => ({
  apiVersion: `${GROUP}/${inVersion}`,
  kind,
  metadata: { name },
  spec,
});
const create = (kind: string, name: string, spec: object, inVersion = 'v1', query = ''): Promise<Reply> =>
  suite.send('POST', objectsOf(kind, inVersion) + query, object(kind, name, spec, inVersion));
const apply = (kind: string, name: string, spec: object): Promise<Reply> =>
  suite.send(
    'PATCH',
    `${objectsOf(kind)}/${name}?fieldManager=one`,
    object(kind, name, spec),
    'application/apply-patch+yaml',
  );
const owned = ({ body }: Reply): unknown =>
  (body.metadata?.managedFields as unknown as Json[] | undefined)?.map(({ fieldsV1 }) => fieldsV1?.['f:spec']);

test('a list that preserves unknown fields keeps those of its items, but not those of declared objects in them', async () => {
  const part = { type: 'object', properties: { known: string } };
  const items = { type: 'object', properties: { part } };
  await define('Pipe', { v1: { type: 'object', properties: { pipes: { type: 'array', items, ...KEPT } } } });
  const spec = { pipes: [{ id: 'main', deep: { a: [{ b: 1 }] }, part: { known: 'x', lost: 'y' } }] };
  const created = await create('Pipe', 'a', spec, 'v1', '?fieldValidation=Warn');
  expect(created.warnings).toEqual(['unknown field \\"spec.pipes[0].part.lost\\"']);
  expect(created.body.spec).toEqual({ pipes: [{ ...spec.pipes[0], part: { known: 'x' } }] });
  const applied = await apply('Pipe', 'b', spec);
  expect([applied.code, applied.body.spec, owned(applied)]).toEqual([201, created.body.spec, [{ 'f:pipes': {} }]]);
});

test('fields of list items are unknown where the schema declares no list', async () => {
  const properties = { map: { type: 'object', properties: { known: string } }, open: { type: 'object' } };
  await define('Bent', { v1: { type: 'object', properties } });
  const spec = { map: [{ known: 'a', lost: [{ deep: 1 }] }, [{ x: 1 }]], open: [] };
  const refused = await create('Bent', 'a', spec, 'v1', '?fieldValidation=Warn');
  expect([refused.code, refused.warnings]).toEqual([
    422,
    ['map[0].known', 'map[0].lost', 'map[1][0].x'].map((path) => `unknown field \\"spec.${path}\\"`),
  ]);
});

test('the warning for a deprecated version suggests a newer version', async () => {
  const names = { plural: 'olds', kind: 'Old' };
  const versions = ['v1alpha1', 'v1', 'v1beta1', 'v2beta1', 'v2'].map((name) => ({
    ...version(name, { type: 'object' }),
    deprecated: name === 'v1alpha1' || name === 'v2',
    served: name !== 'v1beta1',
  }));
  await suite.must('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `olds.${GROUP}` },
    spec: { group: GROUP, scope: 'Namespaced', names, versions },
  });
  const listed = (inVersion: string): Promise<Reply> =>
    suite.until(
      () => suite.send('GET', objectsOf('Old', inVersion)),
      ({ code }) => code === 200,
    );
  expect((await listed('v1alpha1')).warnings).toEqual([`${GROUP}/v1alpha1 Old is deprecated; use ${GROUP}/v1 Old`]);
  expect((await listed('v2')).warnings).toEqual([`${GROUP}/v2 Old is deprecated`]);
});

test('a map is owned as a whole, by key or by field, as its schema declares', async () => {
  await define('Owned', {
    v1: {
      type: 'object',
      properties: {
        whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', ...KEPT },
        byKey: { type: 'object', ...KEPT },
        list: { type: 'array', items: { type: 'object', 'x-kubernetes-map-type': 'atomic', ...KEPT } },
      },
    },
  });
  const value = { a: { b: 1 } };
  const applied = await apply('Owned', 'a', { whole: value, byKey: value, list: [value] });
  expect(owned(applied)).toEqual([{ 'f:whole': {}, 'f:byKey': { 'f:a': { '.': {}, 'f:b': {} } }, 'f:list': {} }]);
  const refused = await apply('Owned', 'b', { whole: 'text' });
  expect(text(refused.body.message)).toContain('.spec.whole: expected map, got &{text}');
});

test('keys of list items in managed fields are escaped as in Go', async () => {
  const item = { type: 'object', properties: { key: string, value: string }, required: ['key'] };
  const byKey = { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'] };
  const set = { type: 'array', items: string, 'x-kubernetes-list-type': 'set' };
  await define('Listed', { v1: { type: 'object', properties: { byKey, set } } });
  const key = '<a & "b">';
  const applied = await apply('Listed', 'a', { byKey: [{ key, value: 'x' }], set: [key] });
  const name = String.raw`"\u003ca \u0026 \"b\"\u003e"`;
  expect(owned(applied)).toEqual([
    {
      'f:byKey': { [`k:{"key":${name}}`]: { '.': {}, 'f:key': {}, 'f:value': {} } },
      'f:set': { [`v:${name}`]: {} },
    },
  ]);
  const refused = await suite.send(
    'PATCH',
    `${objectsOf('Listed')}/a?fieldManager=two`,
    object('Listed', 'a', { byKey: [{ key, value: 'y' }] }),
    'application/apply-patch+yaml',
  );
  expect(text(refused.body.message)).toContain(String.raw`conflict with "one": .spec.byKey[key="<a & \"b\">"].value`);
  expect((await apply('Listed', 'a', {})).body.spec).toBeUndefined();
});

test('fields may be applied that are not stored', async () => {
  const resource = { type: 'object', 'x-kubernetes-embedded-resource': true, ...KEPT };
  await define('Loose', {
    v1: {
      type: 'object',
      properties: {
        empty: { type: 'object' },
        named: { type: 'object', properties: { known: string } },
        kept: { type: 'object', properties: { named: { type: 'object', properties: { known: string } } }, ...KEPT },
        resource,
      },
    },
  });
  const empty = await apply('Loose', 'a', { empty: { a: 1 } });
  expect([empty.code, empty.body.spec, owned(empty)]).toEqual([201, { empty: {} }, [{ 'f:empty': { 'f:a': {} } }]]);
  const below = await apply('Loose', 'b', { kept: { named: { lost: 1 }, other: 2 } });
  expect([below.code, below.body.spec]).toEqual([201, { kept: { named: {}, other: 2 } }]);
  const refused = await apply('Loose', 'c', { named: { lost: 1 } });
  expect(text(refused.body.message)).toContain('.spec.named.lost: field not declared in schema');
  const metadata = { name: 'x', finalizers: ['a.b/c'], labels: { a: 'b' } };
  const embedded = await apply('Loose', 'd', { resource: { apiVersion: 'v1', kind: 'Foo', metadata, data: { a: 1 } } });
  expect(owned(embedded)).toEqual([
    {
      'f:resource': {
        'f:apiVersion': {},
        'f:kind': {},
        'f:metadata': { 'f:name': {}, 'f:finalizers': { 'v:"a.b/c"': {} }, 'f:labels': { 'f:a': {} } },
        'f:data': { '.': {}, 'f:a': {} },
      },
    },
  ]);
});

test('applying null keeps an existing map and replaces any other value', async () => {
  const any = { type: 'object', ...KEPT };
  await define('Nulled', {
    v1: { type: 'object', properties: { any, whole: { ...any, 'x-kubernetes-map-type': 'atomic' } } },
  });
  const spec = { any: { map: { a: 1 }, empty: {}, list: [1], text: 'x' }, whole: { a: 1 } };
  await create('Nulled', 'a', spec);
  const nulls = { any: { map: null, empty: null, list: null, text: null, fresh: null }, whole: { b: null } };
  const path = `${objectsOf('Nulled')}/a?fieldManager=two&force=true`;
  const applied = await suite.send('PATCH', path, object('Nulled', 'a', nulls), 'application/apply-patch+yaml');
  expect(applied.body.spec).toEqual({
    any: { map: { a: 1 }, empty: null, list: null, text: null, fresh: null },
    whole: { b: null },
  });
});

test('an object gets the defaults of the requested version and of the stored version', async () => {
  const fields = (...own: string[]): object => ({
    type: 'object',
    properties: Object.fromEntries(own.map((name) => [name, { ...string, default: name }])),
  });
  const plain = { type: 'object', properties: { both: string, stored: string, sent: string, unset: string } };
  await define('Filled', { v1: { ...fields('stored', 'both') }, v2: plain, v3: fields('both', 'sent') });
  expect((await create('Filled', 'dry', {}, 'v2', '?dryRun=All')).body.spec).toEqual({
    stored: 'stored',
    both: 'both',
  });
  expect((await create('Filled', 'a', {}, 'v2')).body.spec).toEqual({ stored: 'stored', both: 'both' });
  expect((await create('Filled', 'b', {}, 'v1')).body.spec).toEqual({ stored: 'stored', both: 'both' });
  expect((await suite.send('GET', `${objectsOf('Filled', 'v3')}/b`)).body.spec).toEqual({ both: 'both' });
  const changed = await suite.send(
    'PATCH',
    `${objectsOf('Filled', 'v2')}/b`,
    { spec: { stored: null, both: 'own' } },
    'application/merge-patch+json',
  );
  expect(changed.body.spec).toEqual({ stored: 'stored', both: 'own' });
  const { spec } = (await create('Filled', 'c', {}, 'v3')).body;
  expect(spec).toEqual({ both: 'both' });
});

test('a definition in a group of Kubernetes has a condition about its API approval', async () => {
  const group = 'approved.k8s.io';
  const conditionOf = async (plural: string, approval: string): Promise<Json | undefined> => {
    await suite.must('POST', DEFINITIONS, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': approval } },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural, kind: `${plural}kind` },
        versions: [version('v1', { type: 'object' })],
      },
    });
    const conformant = ({ body }: Reply): Json | undefined =>
      ((body.status?.conditions ?? []) as unknown as Json[]).find(
        ({ type }) => text(type) === 'KubernetesAPIApprovalPolicyConformant',
      );
    return conformant(
      await suite.until(
        () => suite.send('GET', `${DEFINITIONS}/${plural}.${group}`),
        (reply) => conformant(reply) !== undefined,
      ),
    );
  };
  const url = 'https://github.com/kubernetes/kubernetes/pull/1';
  expect(await conditionOf('ones', url)).toMatchObject({
    status: 'True',
    reason: 'ApprovedAnnotation',
    message: `approved in ${url}`,
  });
  const why = 'unapproved, experimental-only';
  expect(await conditionOf('twos', why)).toMatchObject({
    status: 'False',
    reason: 'UnapprovedAnnotation',
    message: `not approved: "${why}"`,
  });
});

test('missing fields of a definition are reported as null', async () => {
  const definition = { metadata: { name: 'a.b.example.com' }, spec: {} };
  const refused = await suite.send('POST', DEFINITIONS, definition);
  expect(text(refused.body.message)).toContain('spec.versions: Invalid value: null: must have exactly one version');
});

test("a CEL rule that parses an invalid URL reports the error of Go's net/url", async () => {
  const rule = { rule: "url(self).getScheme() == 'https'", message: 'no https' };
  const properties = { at: { ...string, 'x-kubernetes-validations': [rule] }, form: { ...string, format: 'uri' } };
  await define('Link', { v1: { type: 'object', properties } });
  const refused: [at: string, why: string][] = [
    ['https://\na.b', 'net/url: invalid control character in URL'],
    ['', 'empty url'],
    [':a', 'missing protocol scheme'],
    ['a b', 'invalid URI for request'],
    ['https://a[b', 'invalid IP-literal'],
    ['https://[1.2.3.4]', 'invalid IP-literal'],
    ['https://[::1', "missing ']' in host"],
    ['https://[::1]x', 'invalid port "x" after host'],
    ['https://[abc]', 'invalid host: ParseAddr("abc"): unable to parse IP'],
    ['https://a:1:2', 'invalid port ":1:2" after host'],
    ['https://a:b', 'invalid port ":b" after host'],
    ['https://a b/c', 'invalid character " " in host name'],
    ['https://a%41', 'invalid URL escape "%41"'],
    ['https://a%zb', 'invalid URL escape "%zb"'],
    ['https://a\\b', 'invalid character "\\\\" in host name'],
    ['https://u^@a', 'net/url: invalid userinfo'],
    ['https://u:%x@a', 'invalid URL escape "%x"'],
    ['https://a/%g', 'invalid URL escape "%g"'],
  ];
  for (const [at, why] of refused) {
    const { code, body } = await create('Link', 'a', { at }, 'v1', '?dryRun=All');
    const quoted = JSON.stringify(at);
    expect([code, text(body.message)]).toEqual([
      422,
      expect.stringContaining(`URL parse error during conversion from string: parse ${quoted}: ${why} evaluating rule`),
    ]);
  }
  for (const at of ['https://a]b', 'https://a:1/%41?%', 'HTTPS:x y', 'https://[fe80::1%25en0]:1/', 'https://%e2%82%ac'])
    expect([at, (await create('Link', 'a', { at, form: at }, 'v1', '?dryRun=All')).code]).toEqual([at, 201]);
  expect((await create('Link', 'a', { form: 'a b' }, 'v1', '?dryRun=All')).code).toBe(422);
});
