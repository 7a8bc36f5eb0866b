import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer, type Json } from '../api-client.js';
import { baseDefinition, changed } from '../../crd/cases/base-definition.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start();
});
afterAll(() => api.stop());

function condition({ status }: Json, type: string): string {
  const conditions = (status?.conditions ?? []) as unknown as { type: string; status: string; reason: string }[];
  const found = conditions.find((one) => one.type === type);
  return found ? `${found.status} ${found.reason}` : '';
}

test('a definition waits for names in use, and gets them when the other definition is deleted', async () => {
  const first = changed(baseDefinition(), 'spec/names/shortNames', ['gd']);
  const second = changed(baseDefinition(undefined, 'widgets'), 'spec/names/shortNames', ['gd']);
  await api.send('POST', DEFINITIONS, first);
  await api.until(`${DEFINITIONS}/gadgets.crd.example.com`, ({ body }) => condition(body, 'Established') !== '');
  await api.send('POST', DEFINITIONS, second);
  const path = `${DEFINITIONS}/widgets.crd.example.com`;
  await api.until(path, ({ body }) => condition(body, 'NamesAccepted') === 'False ShortNamesConflict');
  const waiting = await api.send('GET', path);
  expect(condition(waiting.body, 'Established')).toBe('False NotAccepted');
  expect((await api.send('GET', '/apis/crd.example.com/v1/widgets')).code).toBe(404);

  await api.send('DELETE', `${DEFINITIONS}/gadgets.crd.example.com`);
  await api.until(path, ({ body }) => condition(body, 'Established') === 'True InitialNamesAccepted');
  expect((await api.send('GET', '/apis/crd.example.com/v1/widgets')).code).toBe(200);
});
