import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, type Reply } from '../../e2e/admission/admission-suite.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUP = 'changed.example.com';
const MERGE = 'application/merge-patch+json';
const string = { type: 'string' };

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
  subresources: { status: {} },
});
const objectsOf = (kind: string, inVersion = 'v1'): string =>
  `/apis/${GROUP}/${inVersion}/namespaces/default/${kind.toLowerCase()}s`;
const object = (kind: string, name: string, spec: object): object => ({
  apiVersion: `${GROUP}/v1`,
  kind,
  metadata: { name },
  spec,
});

async function define(kind: string, versions: readonly object[]): Promise<void> {
  const plural = `${kind.toLowerCase()}s`;
  await suite.must('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: { group: GROUP, scope: 'Namespaced', names: { plural, kind }, versions },
  });
  await suite.until(
    () => suite.send('GET', objectsOf(kind)),
    ({ code }) => code === 200,
  );
}

test('an update of the status adds no defaults to the spec', async () => {
  const fields = (defaults: object): object => ({
    type: 'object',
    properties: { a: { ...string, ...defaults } },
  });
  const versions = [version('v1', fields({})), version('v2', fields({ default: 'A' }))];
  await define('Statused', [version('v1', fields({})), version('v2', fields({}))]);
  await suite.must('POST', objectsOf('Statused'), object('Statused', 'a', {}));
  await suite.must('PATCH', `${DEFINITIONS}/statuseds.${GROUP}`, { spec: { versions } }, MERGE);
  const path = `${objectsOf('Statused', 'v2')}/a`;
  const changed = await suite.until(
    async () => suite.send('PUT', `${path}/status`, (await suite.send('GET', path)).body),
    ({ code }) => code === 200,
  );
  expect(changed.body.spec).toEqual({});
});

test('items of a list map can be reordered when the list exceeds a new maximum length', async () => {
  const item = { type: 'object', required: ['name'], properties: { name: string } };
  const list = { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
  const spec = (more: object): object => ({ type: 'object', properties: { parts: { ...list, ...more } } });
  await define('Ordered', [version('v1', spec({}))]);
  await suite.must('POST', objectsOf('Ordered'), object('Ordered', 'a', { parts: [{ name: 'x' }, { name: 'y' }] }));
  const versions = [version('v1', spec({ maxItems: 1 }))];
  await suite.must('PATCH', `${DEFINITIONS}/ordereds.${GROUP}`, { spec: { versions } }, MERGE);
  await suite.until(
    () =>
      suite.send(
        'POST',
        `${objectsOf('Ordered')}?dryRun=All`,
        object('Ordered', 'b', { parts: [{ name: 'x' }, { name: 'y' }] }),
      ),
    ({ code }) => code === 422,
  );
  const turn = (parts: object[]): Promise<Reply> =>
    suite.send('PATCH', `${objectsOf('Ordered')}/a`, { spec: { parts } }, MERGE);
  expect((await turn([{ name: 'y' }, { name: 'x' }])).code).toBe(200);
  expect((await turn([{ name: 'y' }, { name: 'z' }])).code).toBe(422);
});
