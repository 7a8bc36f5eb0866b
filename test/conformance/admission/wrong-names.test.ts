import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text } from '../../e2e/admission/admission-suite.js';

const LONG = 'a'.repeat(254);

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const send = async (path: string, kind: string, metadata: object, more: object = {}): Promise<string> => {
  const apiVersion = path.startsWith('/api/v1') ? 'v1' : path.split('/').slice(2, 4).join('/');
  const { body } = await suite.send('POST', path, { apiVersion, kind, metadata, ...more });
  return text(body.message);
};
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const NAMESPACES = '/api/v1/namespaces';

test('invalid names are quoted in errors as Go does', async () => {
  expect(await send(CONFIG_MAPS, 'ConfigMap', { name: 'a"b' })).toContain(String.raw`ConfigMap "a\"b" is invalid`);
  const missing = await suite.send('GET', `${CONFIG_MAPS}/a%22b`);
  expect(missing.body.message).toBe(String.raw`configmaps "a\"b" not found`);
});

test('the generateName of an IPAddress is its name in an error', async () => {
  const parentRef = { resource: 'services', namespace: 'default', name: 'x' };
  const make = (generateName: string): Promise<string> =>
    send('/apis/networking.k8s.io/v1/ipaddresses', 'IPAddress', { generateName }, { spec: { parentRef } });
  expect(await make('10.0.0.')).toContain('IPAddress.networking.k8s.io "10.0.0." is invalid: ');
});

test.each([
  ['the name of an object', CONFIG_MAPS, 'ConfigMap', { name: LONG }, {}],
  ['the name of a namespace', NAMESPACES, 'Namespace', { name: LONG }, {}],
  ['the name of a label', CONFIG_MAPS, 'ConfigMap', { name: 'x', labels: { [LONG]: '' } }, {}],
  ['the prefix of a label', CONFIG_MAPS, 'ConfigMap', { name: 'x', labels: { [`${LONG}/a`]: '' } }, {}],
  ['the value of a label', CONFIG_MAPS, 'ConfigMap', { name: 'x', labels: { a: LONG } }, {}],
  ['a key', CONFIG_MAPS, 'ConfigMap', { name: 'x' }, { data: { [LONG]: '' } }],
])('%s that is too long is reported with its own limit', async (_what, path, kind, metadata, more) => {
  expect((await send(path, kind, metadata, more)).replaceAll(LONG, '<long>')).toMatchSnapshot();
});

test.each([
  ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'CustomResourceDefinition'],
  ['/apis/apiregistration.k8s.io/v1/apiservices', 'APIService'],
])('a missing name of %s is reported without further errors', async (path, kind) => {
  const message = await send(path, kind, {}, { spec: {} });
  expect(message.match(/metadata\.name: [^,\]]*/g)).toEqual([
    'metadata.name: Required value: name or generateName is required',
  ]);
});

test.each([
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    'CustomResourceDefinition',
    'foos.any.example.com',
    {
      group: 'any.example.com',
      scope: 'Cluster',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  ],
  [
    '/apis/apiregistration.k8s.io/v1/apiservices',
    'APIService',
    'v1.any.example.com',
    { group: 'any.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
  ],
])('finalizers of %s need no domain', async (path, kind, name, spec) => {
  const metadata = { name, finalizers: ['no-domain'] };
  expect(await send(`${path}?dryRun=All`, kind, metadata, { spec })).toBeUndefined(); // as there is no Status
  expect(await send(`${path}?dryRun=All`, kind, { name, finalizers: ['no domain'] }, { spec })).toMatchSnapshot();
});

test('an invalid finalizer is reported without its index, and a nonstandard one with it', async () => {
  expect(await send(CONFIG_MAPS, 'ConfigMap', { name: 'x', finalizers: ['no domain', 'a.b/c d'] })).toMatchSnapshot();
});
