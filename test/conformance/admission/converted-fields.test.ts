import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, WebhookServer, type Json } from '../../e2e/admission/admission-suite.js';

const GROUP = 'fields.example.com';
const SHIRTS = `/apis/${GROUP}/v2/namespaces/default/shirts`;

let suite: AdmissionSuite;
let server: WebhookServer;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  server = await WebhookServer.start((request) => answer(request), 'whole');
  const version = (name: string, field: string): object => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { [field]: { type: 'string' } } } },
      },
    },
    selectableFields: [{ jsonPath: `.spec.${field}` }],
  });
  await suite.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `shirts.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'shirts', kind: 'Shirt' },
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: server.clientConfig('/'), conversionReviewVersions: ['v1'] },
      },
      versions: [version('v1', 'color'), version('v2', 'hue')],
    },
  });
  await suite.until(
    () => suite.send('GET', SHIRTS),
    ({ code }) => code === 200,
  );
  for (const [name, hue] of Object.entries({ a: 'blue', b: 'green', c: 'blue' }))
    await suite.must('POST', SHIRTS, { apiVersion: `${GROUP}/v2`, kind: 'Shirt', metadata: { name }, spec: { hue } });
});
afterAll(async () => {
  server.stop();
  await suite.stop();
});

/** What v1 calls a color is a hue to v2. */
function answer({ uid, objects, desiredAPIVersion }: Json): object {
  const convertedObjects = (objects as unknown as Json[]).map(({ spec, ...rest }) => {
    const color = spec?.color ?? spec?.hue;
    const isSecond = text(desiredAPIVersion).endsWith('/v2');
    return { ...rest, apiVersion: desiredAPIVersion, spec: isSecond ? { hue: color } : { color } };
  });
  return {
    kind: 'ConversionReview',
    apiVersion: 'apiextensions.k8s.io/v1',
    response: { uid, result: { status: 'Success' }, convertedObjects },
  };
}

const names = (list: Json): unknown => (list.items as unknown as Json[]).map(({ metadata }) => metadata?.name);

test('a field selector uses the fields of the requested version', async () => {
  expect(names(await suite.must('GET', `${SHIRTS}?fieldSelector=spec.hue%3Dblue`))).toEqual(['a', 'c']);
  const inFirst = SHIRTS.replace('/v2/', '/v1/');
  expect(names(await suite.must('GET', `${inFirst}?fieldSelector=spec.color%3Dgreen`))).toEqual(['b']);
});

test('the field selector of a watch uses the fields of the requested version', async () => {
  const { text: told = '' } = (
    await suite.send('GET', `${SHIRTS}?watch=true&timeoutSeconds=1&fieldSelector=spec.hue%3Dblue`)
  ).body as unknown as { text?: string };
  const events = told
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; object: Json });
  expect(events.map(({ type, object }) => [type, object.metadata?.name])).toEqual([
    ['ADDED', 'a'],
    ['ADDED', 'c'],
  ]);
});

test('a watch reports the deletion of an object whose change no longer matches the field selector', async () => {
  const { metadata } = await suite.must('GET', SHIRTS);
  const path = `${SHIRTS}?watch=true&timeoutSeconds=2&fieldSelector=spec.hue%3Dgreen&resourceVersion=${text(metadata?.resourceVersion)}`;
  const watching = suite.send('GET', path);
  await suite.must('PATCH', `${SHIRTS}/b`, { spec: { hue: 'red' } }, 'application/merge-patch+json');
  const { type, object } = (await watching).body; // one line is one JSON document
  expect([type, object?.metadata?.name, object?.spec]).toEqual(['DELETED', 'b', { hue: 'green' }]);
});

test('OpenAPI lists the selectable fields', async () => {
  const { components } = await suite.must('GET', `/openapi/v3/apis/${GROUP}/v2`);
  const [schema] = Object.entries(components!.schemas!).filter(([name]) => name.endsWith('.Shirt'));
  expect(schema?.[1]?.['x-kubernetes-selectable-fields']).toEqual([{ fieldPath: 'spec.hue' }]);
});
