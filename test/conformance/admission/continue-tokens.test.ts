import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Json } from '../../e2e/admission/admission-suite.js';

let suite: AdmissionSuite;
let path: string;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  path = `/api/v1/namespaces/${await suite.namespace()}/secrets`;
  for (const name of ['a', 'b', 'c'])
    await suite.must('POST', path, { apiVersion: 'v1', kind: 'Secret', metadata: { name } });
});
afterAll(() => suite.stop());

const token = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const own = (given: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(given, 'base64url').toString()) as Record<string, unknown>;
const names = (body: Json): string[] => (body.items as unknown as Json[]).map(({ metadata }) => text(metadata!.name));

test('a continue token without a revision continues at the latest revision', async () => {
  const first = await suite.must('GET', `${path}?limit=1`);
  const newest = token({ ...own(text(first.metadata!.continue)), rv: -1 });
  await suite.must('POST', path, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'bb' } });
  const next = await suite.must('GET', `${path}?limit=2&continue=${newest}`);
  expect(names(next)).toEqual(['b', 'bb']);
  // The next pages are again at one revision.
  expect(own(text(next.metadata!.continue)).rv).toBe(Number(next.metadata!.resourceVersion));
});

test('a continue token can be combined with no resourceVersion except 0', async () => {
  const first = await suite.must('GET', `${path}?limit=1`);
  const given = text(first.metadata!.continue);
  expect((await suite.send('GET', `${path}?continue=${given}&resourceVersion=0`)).code).toBe(200);
  const { code, body } = await suite.send('GET', `${path}?continue=${given}&resourceVersion=1`);
  expect([code, body.message]).toEqual([400, 'specifying resource version is not allowed when using continue']);
});

test.each([
  [{ v: 'v2', rv: 1, start: 'a' }, ': server does not recognize this encoded version v2'],
  [{ rv: 1, start: 'a' }, ': server does not recognize this encoded version '],
  [{ v: 'meta.k8s.io/v1', start: 'a' }, ': incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
  [{ v: 'meta.k8s.io/v1', rv: 1 }, ': encoded start key empty (version meta.k8s.io/v1)'],
  [{ v: 'meta.k8s.io/v1', rv: 1, start: '../a' }, ': ../a'],
])('the continue token %j is rejected', async (given, problem) => {
  const { code, body } = await suite.send('GET', `${path}?limit=1&continue=${token(given)}`);
  expect([code, body.message]).toEqual([400, `invalid continue token: continue key is not valid${problem}`]);
});
