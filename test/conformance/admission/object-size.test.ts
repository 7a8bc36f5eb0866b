import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, configMap, text, type Reply } from '../../e2e/admission/admission-suite.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const LARGES = '/apis/size.example.com/v1/namespaces/default/larges';
const TOO_LARGE = [500, 'etcdserver: request is too large'];

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  const openAPIV3Schema = { type: 'object', properties: { data: { type: 'string' } } };
  await suite.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'larges.size.example.com' },
    spec: {
      group: 'size.example.com',
      scope: 'Namespaced',
      names: { plural: 'larges', kind: 'Large' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  await suite.until(
    () => suite.send('GET', LARGES),
    ({ code }) => code === 200,
  );
});
afterAll(() => suite.stop());

const large = (name: string, size: number): object => ({
  apiVersion: 'size.example.com/v1',
  kind: 'Large',
  metadata: { name },
  data: 'x'.repeat(size),
});
/** So many fields that their managedFields are larger than the fields. */
const FIELDS = Object.fromEntries(
  Array.from({ length: 9999 }, (_, index) => [
    `a-key-that-is-long-so-that-it-takes-very-much-room-to-tell-who-owns-it-${index}`,
    'A',
  ]),
);
const said = ({ code, body }: Reply): unknown[] => [code, text(body.message)];

test('an object that is too large for etcd is rejected', async () => {
  expect((await suite.send('POST', LARGES, large('fits', 1_570_000))).code).toBe(201);
  expect(said(await suite.send('POST', LARGES, large('not', 1_574_000)))).toEqual(TOO_LARGE);
  const grown = { data: 'x'.repeat(1_574_000) };
  expect(said(await suite.send('PATCH', `${LARGES}/fits`, grown, 'application/merge-patch+json'))).toEqual(TOO_LARGE);
  const [code, why] = said(await suite.send('POST', LARGES, large('huge', 2_500_000)));
  expect([code, why]).toEqual([500, expect.stringMatching(/^rpc error: .* larger than max \(\d+ vs\. 2097152\)$/)]);
});

test('an object that is too large with managed fields is stored without them, but not by apply', async () => {
  const created = await suite.send('POST', CONFIG_MAPS, configMap('many', FIELDS));
  expect([created.code, 'managedFields' in created.body.metadata!]).toEqual([201, false]);
  const small = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'many' } };
  const path = `${CONFIG_MAPS}/many?fieldManager=one`;
  expect(said(await suite.send('PATCH', path, small, 'application/apply-patch+yaml'))).toEqual(TOO_LARGE);
});
