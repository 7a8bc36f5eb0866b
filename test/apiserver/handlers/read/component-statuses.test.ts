import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { builtinColumns } from '../../../../src/apiserver/table/builtin-columns.js';
import { TestServer, type Json } from '../../api-client.js';

const PATH = '/api/v1/componentstatuses';
let api: TestServer;

beforeAll(async () => {
  api = await TestServer.start({ withoutControllers: false, nodes: 0 });
});
afterAll(() => api.stop());

const namesIn = ({ items }: Json): unknown[] => (items as unknown as Json[]).map(({ metadata }) => metadata?.name);

test('the components of the control plane are listed, selected and read', async () => {
  const { body, headers } = await api.send('GET', PATH);

  expect([body.kind, namesIn(body)]).toEqual(['ComponentStatusList', ['scheduler', 'controller-manager', 'etcd-0']]);
  expect(headers.warning).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"');
  expect(namesIn((await api.send('GET', `${PATH}?labelSelector=a%3Db`)).body)).toEqual([]);
  expect(namesIn((await api.send('GET', `${PATH}?fieldSelector=metadata.name%3Detcd-0`)).body)).toEqual(['etcd-0']);
  expect((await api.send('GET', `${PATH}/scheduler`)).body).toEqual({
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name: 'scheduler' },
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  });
});

test('kubectl shows the error of a component', () => {
  const row = (conditions: object[]): unknown[] => {
    const object = { apiVersion: 'v1', kind: 'ComponentStatus', metadata: { name: 'etcd-0' }, conditions };
    return builtinColumns('', 'v1', 'ComponentStatus').map(({ cell }) => cell(object, 0));
  };
  expect(row([{ type: 'Healthy', status: 'True', message: 'ok' }])).toEqual(['etcd-0', 'Healthy', 'ok', '']);
  expect(row([{ type: 'Healthy', status: 'False', error: 'gone' }])).toEqual(['etcd-0', 'Unhealthy', '', 'gone']);
  expect(row([])).toEqual(['etcd-0', 'Unknown', '', '']);
});

test('an unknown component is not found, and a watch of components is rejected', async () => {
  expect((await api.send('GET', `${PATH}/a`)).body.message).toBe('componentstatus "a" not found');
  expect((await api.send('GET', `${PATH}?watch=true`)).body.message).toBe(
    'watch is not supported on resources of kind "componentstatuses"',
  );
});

test('the controller manager and the scheduler are unhealthy in a server without controllers', async () => {
  const alone = await TestServer.start();
  const { body } = await alone.send('GET', `${PATH}/scheduler`);
  await alone.stop();

  expect(body.conditions?.[0]).toMatchObject({ type: 'Healthy', status: 'False' });
});
